/**
 * The drawing of a line or of bars: the previous period is dashed, incomplete intervals are marked, gaps stay
 * open.
 */
import type { ReportPoint } from '@dala/model'
import { useId } from 'react'
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Line,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { chartMargin, gridStyle, lineStyle, timeAxisStyle, valueAxisStyle } from '../../lib/chart-look.ts'
import { useT } from '../../lib/i18n.ts'
import { splitAtPartial, type SplitPoint } from './charts/partial.ts'

export interface SeriesChartProps {
  /** Sentence that describes the chart of the report. */
  summary: string
  points: readonly ReportPoint[]
  compared: boolean
  variant: 'bars' | 'line'
  text: (value: number | null) => string
  dayText: (day: string | null) => string
}

type ChartPoint = SplitPoint<ReportPoint>

export function SeriesChart({ summary, points, compared, variant, text, dayText }: SeriesChartProps) {
  const hatchingId = useId()
  const hasPartialPoint = points.some(({ partial, value }) => partial && value !== null)
  const isSparse = points.length <= 31
  const renderBar = ({ payload, ...rect }: BarShapeProps) =>
    isPoint(payload) && payload.partial ? (
      <Rectangle {...rect} fill={`url(#${hatchingId})`} stroke="var(--chart-1)" strokeDasharray="3 3" />
    ) : (
      <Rectangle {...rect} fill="var(--chart-1)" />
    )
  return (
    <figure>
      <p className="sr-only">{summary}</p>
      {/* Time in the chart runs from left to right in every language. Screen readers get the sentence and the
          table. */}
      <div aria-hidden dir="ltr" className="h-[260px] w-full text-sm">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={splitAtPartial(points)} accessibilityLayer={false} margin={chartMargin}>
            <defs>
              <pattern id={hatchingId} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="2" height="6" fill="var(--chart-1)" />
              </pattern>
            </defs>
            <CartesianGrid {...gridStyle} />
            <XAxis {...timeAxisStyle} tickFormatter={(day: string) => shortDay(dayText(day))} />
            <YAxis {...valueAxisStyle} tickFormatter={(value: number) => text(value)} allowDecimals={false} />
            <Tooltip
              cursor={{ fill: 'var(--surface-hover)', stroke: 'var(--line-strong)' }}
              content={(tooltip) => <Tip tooltip={tooltip} compared={compared} text={text} dayText={dayText} />}
              isAnimationActive={false}
            />
            {variant === 'bars' ? (
              <Bar dataKey="value" maxBarSize={34} shape={renderBar} isAnimationActive={false} />
            ) : (
              <>
                <Line
                  {...lineStyle}
                  dataKey="partialValue"
                  stroke="var(--chart-1)"
                  strokeWidth={2}
                  strokeDasharray="2 4"
                  dot={isSparse && { r: 2.5, strokeDasharray: '0' }}
                />
                <Line
                  {...lineStyle}
                  dataKey="wholeValue"
                  stroke="var(--chart-1)"
                  strokeWidth={2}
                  dot={isSparse && { r: 2.5, fill: 'var(--chart-1)' }}
                />
              </>
            )}
            {compared ? (
              <Line
                {...lineStyle}
                dataKey="previous"
                stroke="var(--chart-2)"
                strokeWidth={1.75}
                strokeDasharray="7 4"
                dot={false}
              />
            ) : null}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <Legend variant={variant} compared={compared} hasPart={hasPartialPoint} />
    </figure>
  )
}

/** Day and month of a point in the chart; the sentence above the figures has the year. */
const shortDay = (date: string) => (date.length > 7 ? date.slice(0, 5) : date)

const isPoint = (value: unknown): value is ChartPoint =>
  typeof value === 'object' && value !== null && 'partial' in value

interface TipProps extends Pick<SeriesChartProps, 'compared' | 'text' | 'dayText'> {
  tooltip: TooltipContentProps
}

/** Both values of the chart at one place with their days, and the difference. */
function Tip({ tooltip: { active, payload }, compared, text, dayText }: TipProps) {
  const t = useT()
  const point: unknown = payload[0]?.payload
  if (!active || !isPoint(point)) return null
  const { value, previous } = point
  return (
    <div className="grid gap-0.5 rounded-2 border border-line bg-surface px-3 py-2 text-sm shadow-2">
      <p>
        {dayText(point.t)}: <b className="tabular-nums">{text(value)}</b>
        {point.partial ? <span className="text-muted"> · {t('statistics.legend.partial')}</span> : null}
      </p>
      {compared ? (
        <p className="text-muted">
          {t('statistics.legend.previous')}
          {point.previous_t === null ? null : `, ${dayText(point.previous_t)}`}: {text(previous)}
        </p>
      ) : null}
      {compared && value !== null && previous !== null ? (
        <p className="text-muted">
          {t('statistics.difference')}: {value < previous ? '−' : ''}
          {text(Math.abs(value - previous))}
        </p>
      ) : null}
    </div>
  )
}

function Legend({ variant, compared, hasPart }: { variant: 'bars' | 'line'; compared: boolean; hasPart: boolean }) {
  const t = useT()
  const line = 'h-0 w-6 border-t-2'
  return (
    <figcaption className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      <Key
        mark={variant === 'bars' ? 'size-3 bg-[var(--chart-1)]' : `${line} border-[var(--chart-1)]`}
        name={t('statistics.legend.value')}
      />
      {hasPart ? (
        <Key
          mark={
            variant === 'bars'
              ? 'size-3 border border-dashed border-[var(--chart-1)]'
              : `${line} border-dotted border-[var(--chart-1)]`
          }
          name={t('statistics.legend.partial')}
        />
      ) : null}
      {compared ? (
        <Key mark={`${line} border-dashed border-[var(--chart-2)]`} name={t('statistics.legend.previous')} />
      ) : null}
    </figcaption>
  )
}

function Key({ mark, name }: { mark: string; name: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <i aria-hidden className={`inline-block ${mark}`} />
      {name}
    </span>
  )
}
