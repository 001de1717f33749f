/** The small line of a figure in its tile: incomplete intervals are dashed, and missing values are gaps. */
import { metricLabel, type ReportKey, type ReportMetric } from '@dala/model'
import { firstTranslation } from '../../../lib/i18n.ts'
import { useSummary } from '../series-summary.ts'
import { splitAtPartial } from './partial.ts'

const [width, height, margin] = [100, 24, 2]

/** Paths through the known values: lines, which a missing value interrupts, and dots of values between two gaps. */
export function sparklinePaths(
  values: readonly (number | null)[],
  minValue: number,
  maxValue: number,
): { lines: string; dots: string } {
  const pointAt = (value: number, index: number) => {
    const x = (index / Math.max(1, values.length - 1)) * width
    const y =
      maxValue === minValue
        ? height / 2
        : height - margin - ((value - minValue) / (maxValue - minValue)) * (height - 2 * margin)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  const paths = { lines: '', dots: '' }
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const isStart = index === 0 || values[index - 1] === null
    const isAlone = isStart && (values[index + 1] ?? null) === null
    if (isAlone) paths.dots += `M${pointAt(value, index)}h0.01`
    else paths.lines += `${isStart ? 'M' : 'L'}${pointAt(value, index)}`
  }
  return paths
}

type SparkPoints = NonNullable<ReportMetric['spark']>

export function Sparkline({ report, metric, spark }: { report: ReportKey; metric: ReportMetric; spark: SparkPoints }) {
  const days = { from: spark[0]?.t ?? '', to: spark.at(-1)?.t ?? '' }
  const summary = useSummary(firstTranslation(metricLabel(report, metric.key)), metric.unit, spark, days)
  const knownValues = spark.flatMap(({ value }) => value ?? [])
  if (knownValues.length < 2) return null
  // Counts start from zero, so that a small change does not look like a large one.
  const minValue = Math.min(metric.unit === 'count' ? 0 : Number.POSITIVE_INFINITY, ...knownValues)
  const points = splitAtPartial(spark)
  const maxValue = Math.max(...knownValues)
  const wholePaths = sparklinePaths(
    points.map(({ wholeValue }) => wholeValue),
    minValue,
    maxValue,
  )
  const partialPaths = sparklinePaths(
    points.map(({ partialValue }) => partialValue),
    minValue,
    maxValue,
  )
  const stroke = {
    fill: 'none',
    stroke: 'var(--chart-1)',
    strokeWidth: 1.5,
    strokeLinecap: 'round',
    vectorEffect: 'non-scaling-stroke',
  } as const
  return (
    <figure className="mt-1">
      <figcaption className="sr-only">{summary}</figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-6 w-full overflow-visible"
        data-part="sparkline"
      >
        <path {...stroke} d={partialPaths.lines} strokeDasharray="2 3" />
        <path {...stroke} d={wholePaths.lines} />
        <path {...stroke} d={wholePaths.dots + partialPaths.dots} strokeWidth={4} />
      </svg>
    </figure>
  )
}
