/** Summarises a line of a report in one sentence. */
import type { ReportPoint, ReportUnit } from '@dala/model'
import { formatDate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { figureText } from './figure-text.ts'

export function useSummary(
  name: string,
  unit: ReportUnit,
  points: readonly Pick<ReportPoint, 't' | 'value'>[],
  { from, to }: { from: string; to: string },
): string {
  const t = useT()
  const locale = useLocale()
  const knownPoints = points.flatMap((point) => (point.value === null ? [] : [{ t: point.t, value: point.value }]))
  const messageParams = { name, from: formatDate(from), to: formatDate(to) }
  const lastPoint = knownPoints.at(-1)
  if (!lastPoint) return t('statistics.summaryNone', messageParams)
  const maxPoint = knownPoints.reduce(
    (bestPoint, point) => (point.value > bestPoint.value ? point : bestPoint),
    lastPoint,
  )
  const minPoint = knownPoints.reduce(
    (bestPoint, point) => (point.value < bestPoint.value ? point : bestPoint),
    lastPoint,
  )
  const text = ({ value }: { value: number }) => figureText(t, locale, unit, value)
  return t('statistics.summary', {
    ...messageParams,
    most: text(maxPoint),
    mostDay: formatDate(maxPoint.t),
    least: text(minPoint),
    leastDay: formatDate(minPoint.t),
    last: text(lastPoint),
    lastDay: formatDate(lastPoint.t),
  })
}
