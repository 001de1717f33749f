/** The drawing of a table over time as stacked bars; incomplete intervals have a dashed outline. */
import { useId } from 'react'
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { chartMargin, gridStyle, timeAxisStyle, valueAxisStyle } from '../../../lib/chart-look.ts'
import { useT } from '../../../lib/i18n.ts'
import { fillOf, Patterns } from './patterns.tsx'

export interface StackChartProps {
  summary: string
  parts: readonly { key: string; name: string; values: readonly number[] }[]
  intervals: readonly { t: string; partial: boolean }[]
  text: (value: number) => string
  dayText: (day: string) => string
}

interface Interval {
  t: string
  partial: boolean
  index: number
}
const isInterval = (value: unknown): value is Interval =>
  typeof value === 'object' && value !== null && 'index' in value && 'partial' in value

export function StackChart({ summary, parts, intervals, text, dayText }: StackChartProps) {
  const t = useT()
  const id = useId()
  const rows = intervals.map((interval, index) => ({ ...interval, index }))
  const renderPart = ({ payload, ...rect }: BarShapeProps) => (
    <Rectangle
      {...rect}
      stroke="var(--surface)"
      {...(isInterval(payload) && payload.partial && { stroke: 'var(--text)', strokeDasharray: '3 3' })}
    />
  )
  return (
    <figure>
      <p className="sr-only">{summary}</p>
      {/* Time runs from left to right in every language. Screen readers get the sentence and the table. */}
      <div aria-hidden dir="ltr" className="h-[260px] w-full text-sm">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={rows} accessibilityLayer={false} margin={chartMargin}>
            <defs>
              <Patterns id={id} />
            </defs>
            <CartesianGrid {...gridStyle} />
            <XAxis {...timeAxisStyle} tickFormatter={(day: string) => dayText(day).slice(0, 7).slice(0, 5)} />
            <YAxis {...valueAxisStyle} tickFormatter={(value: number) => text(value)} allowDecimals={false} />
            <Tooltip
              cursor={{ fill: 'var(--surface-hover)' }}
              content={(tooltip) => <Tip tooltip={tooltip} parts={parts} text={text} dayText={dayText} />}
              isAnimationActive={false}
            />
            {parts.map(({ key, values }, index) => (
              <Bar
                key={key}
                stackId="parts"
                dataKey={(row: Interval) => values[row.index] ?? 0}
                fill={fillOf(id, index)}
                maxBarSize={34}
                shape={renderPart}
                isAnimationActive={false}
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
        {parts.map(({ key, name }, index) => (
          <span key={key} className="inline-flex min-w-0 items-center gap-2">
            <svg aria-hidden width="16" height="16" className="shrink-0">
              <rect width="16" height="16" fill={fillOf(id, index)} />
            </svg>
            <span className="min-w-0 wrap-break-word">{name}</span>
          </span>
        ))}
        {intervals.some(({ partial }) => partial) ? (
          <span className="inline-flex items-center gap-2">
            <i aria-hidden className="inline-block size-4 border border-dashed border-ink" />
            {t('statistics.legend.partial')}
          </span>
        ) : null}
      </figcaption>
    </figure>
  )
}

interface TipProps extends Pick<StackChartProps, 'parts' | 'text' | 'dayText'> {
  tooltip: TooltipContentProps
}

function Tip({ tooltip: { active, payload }, parts, text, dayText }: TipProps) {
  const t = useT()
  const interval: unknown = payload[0]?.payload
  if (!active || !isInterval(interval)) return null
  const valueOf = ({ values }: TipProps['parts'][number]) => values[interval.index] ?? 0
  const total = parts.reduce((sum, stackPart) => sum + valueOf(stackPart), 0)
  return (
    <div className="grid gap-0.5 rounded-2 border border-line bg-surface px-3 py-2 text-sm shadow-2">
      <p>
        {dayText(interval.t)}: <b className="tabular-nums">{text(total)}</b>
        {interval.partial ? <span className="text-muted"> · {t('statistics.legend.partial')}</span> : null}
      </p>
      {parts
        .filter((stackPart) => valueOf(stackPart) > 0)
        .map((stackPart) => (
          <p key={stackPart.key} className="text-muted">
            {stackPart.name}: <span className="tabular-nums">{text(valueOf(stackPart))}</span>
          </p>
        ))}
    </div>
  )
}
