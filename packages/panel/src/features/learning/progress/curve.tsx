/** The watch curve of a chosen video, as a chart or as a table. */
import type { CourseStatistics } from '@dala/model/api/progress'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Table2 from 'lucide-react/icons/table-2'
import { Suspense, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import type { CurvePiece } from './curve-chart.tsx'
import type { ProgressState } from './progress-search.ts'

const CurveChart = lazyPart(async () => (await import('./curve-chart.tsx')).CurveChart)

type LearnerCurve = CourseStatistics['curves'][number]

const keyOf = ({ id, part }: LearnerCurve) => (part === '' ? String(id) : `${id}.${part}`)

/** Name of the video: its lesson, and its part where the lesson has several. */
function useNameOf(funnel: CourseStatistics['funnel']) {
  const t = useT()
  return ({ id, part, title, place }: LearnerCurve) => {
    const lesson = funnel.find((funnelLesson) => funnelLesson.id === id)?.title ?? ''
    if (part === '') return lesson
    return t('learning.curve.partOf', { lesson, part: title ?? t('learning.part', { place }) })
  }
}

export function CurveSheet({
  figures: { curves, funnel },
  state,
}: {
  figures: CourseStatistics
  state: ProgressState
}) {
  const t = useT()
  const nameOf = useNameOf(funnel)
  const [isTableShown, setTableShown] = useState(false)
  const curve = curves.find((lessonCurve) => keyOf(lessonCurve) === state.search.video) ?? curves[0]
  const title = t('learning.curve')
  return (
    <Sheet hasPadding className="min-w-0" aria-label={title}>
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="text-sm text-muted">{t('learning.curve.about')}</p>
        </div>
        {curve ? (
          <IconButton
            className="-me-2"
            label={t(isTableShown ? 'statistics.asChartOf' : 'statistics.asTableOf', { name: title })}
            icon={isTableShown ? <ChartNoAxesColumn size={18} aria-hidden /> : <Table2 size={18} aria-hidden />}
            onClick={() => setTableShown(!isTableShown)}
          />
        ) : null}
      </div>
      {curve ? (
        <>
          <Select
            aria-label={t('learning.curve.video')}
            value={keyOf(curve)}
            onValueChange={(video) => state.change({ video })}
            choices={curves.map((lessonCurve) => ({ value: keyOf(lessonCurve), label: nameOf(lessonCurve) }))}
            className="my-3 w-full"
          />
          <CurveFigure name={nameOf(curve)} buckets={curve.buckets} isTable={isTableShown} />
        </>
      ) : (
        <p className="mt-3 text-muted">{t('learning.curve.none')}</p>
      )}
    </Sheet>
  )
}

interface CurveFigureProps {
  name: string
  buckets: readonly number[]
  isTable: boolean
}

function CurveFigure({ name, buckets, isTable }: CurveFigureProps) {
  const t = useT()
  const locale = useLocale()
  const size = 100 / buckets.length
  const curvePieces = buckets.map((learners, index): CurvePiece => {
    return { range: t('learning.curve.range', { from: index * size, to: (index + 1) * size }), learners }
  })
  const text = (value: number) => formatNumber(locale, value)
  if (isTable) return <CurveTable name={name} pieces={curvePieces} text={text} />
  const largestPiece = curvePieces.reduce(
    (bestPiece, curvePiece) => (curvePiece.learners > bestPiece.learners ? curvePiece : bestPiece),
    {
      range: '',
      learners: -1,
    },
  )
  const curveSummary = t('learning.curve.summary', {
    name,
    first: text(buckets[0] ?? 0),
    last: text(buckets.at(-1) ?? 0),
    most: text(largestPiece.learners),
    place: largestPiece.range,
  })
  return (
    <Suspense fallback={<Skeleton className="h-[220px] w-full" />}>
      <CurveChart curveSummary={curveSummary} pieces={curvePieces} text={text} />
    </Suspense>
  )
}

const cell = 'px-2.5 py-1.5 text-end tabular-nums first:ps-0 first:text-start last:pe-0'

function CurveTable({
  name,
  pieces,
  text,
}: {
  name: string
  pieces: readonly CurvePiece[]
  text: (value: number) => string
}) {
  const t = useT()
  return (
    <ScrollRegion aria-label={name} className="max-h-[260px] overflow-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            <th scope="col" className={cx(cell, 'font-medium')}>
              {t('learning.curve.piece')}
            </th>
            <th scope="col" className={cx(cell, 'font-medium')}>
              {t('learning.learners')}
            </th>
          </tr>
        </thead>
        <tbody>
          {pieces.map(({ range, learners }) => (
            <tr key={range} className="border-b border-line last:border-0">
              <th scope="row" className={cx(cell, 'font-normal')}>
                {range}
              </th>
              <td className={cell}>{text(learners)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
