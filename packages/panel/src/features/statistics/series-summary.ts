/** Summarises a line in one sentence. */
import type { ReportMeta, ReportPoint, ReportUnit } from '@dala/model'
import { formatDate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { figureText } from './figure-words.ts'

export function useSummary(
  name: string,
  unit: ReportUnit,
  points: readonly ReportPoint[],
  { from, to }: ReportMeta,
): string {
  const t = useT()
  const locale = useLocale()
  const known = points.flatMap((point) => (point.value === null ? [] : [{ t: point.t, value: point.value }]))
  const days = { name, from: formatDate(from), to: formatDate(to) }
  const last = known.at(-1)
  if (!last) return t('statistics.summaryNone', days)
  const most = known.reduce((best, point) => (point.value > best.value ? point : best), last)
  const least = known.reduce((best, point) => (point.value < best.value ? point : best), last)
  const text = ({ value }: { value: number }) => figureText(t, locale, unit, value)
  return t('statistics.summary', {
    ...days,
    most: text(most),
    mostDay: formatDate(most.t),
    least: text(least),
    leastDay: formatDate(least.t),
    last: text(last),
    lastDay: formatDate(last.t),
  })
}
