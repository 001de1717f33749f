/**
 * The drawing of the price chart: up to six lines with open gaps and hollow carried prices, and the selected
 * range.
 */
import {
  Brush,
  CartesianGrid,
  ComposedChart,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { chartMargin, gridStyle, lineStyle, timeAxisStyle, valueAxisStyle } from '../../../lib/chart-look.ts'
import { useT } from '../../../lib/i18n.ts'
import { type ChartRow, isLonePoint, type LinePoints } from './chart-rows.ts'

export interface PriceChartProps {
  /** Sentence that describes the price chart. */
  chartSummary: string
  rows: readonly ChartRow[]
  names: readonly string[]
  part: LinePoints
  onPart: (newRange: LinePoints) => void
  text: (value: number | null) => string
  dayText: (day: string) => string
}

/** Strokes of the chart's lines, which differ by colour and by stroke. */
const dashPatterns = ['0', '8 4', '2 4', '10 4 2 4', '5 3', '14 4'] as const
const colourOf = (line: number): string => `var(--chart-${line + 1})`

const valueOf = (line: number) => (row: ChartRow) => row.values[line]?.value ?? null

const isRow = (value: unknown): value is ChartRow => typeof value === 'object' && value !== null && 'values' in value

interface DotProps {
  cx?: number | undefined
  cy?: number | undefined
  index?: number | undefined
  payload?: unknown
}

export function PriceChart({ chartSummary: summary, rows, names, part, onPart, text, dayText }: PriceChartProps) {
  const t = useT()
  const visibleRows = rows.slice(part.first, part.last + 1)
  const isSparse = visibleRows.length <= 31
  const range = t('prices.range', { from: dayText(visibleRows[0]?.t ?? ''), to: dayText(visibleRows.at(-1)?.t ?? '') })
  /**
   * Draws the dot of a price: carried prices are hollow; others have a dot where they are few, or where no
   * line reaches them.
   */
  const renderDot = (line: number) =>
    function Dot({ cx, cy, index = 0, payload }: DotProps) {
      const makePoint = isRow(payload) ? payload.values[line] : undefined
      if (!makePoint || makePoint.value === null || cx === undefined || cy === undefined) return <g key={index} />
      if (!makePoint.carried && !isSparse && !isLonePoint(visibleRows, index, line)) return <g key={index} />
      const fill = makePoint.carried ? 'var(--surface)' : colourOf(line)
      return (
        <circle
          key={index}
          cx={cx}
          cy={cy}
          r={makePoint.carried ? 4 : 3}
          fill={fill}
          stroke={colourOf(line)}
          strokeWidth={2}
        />
      )
    }
  return (
    <figure>
      <p className="sr-only">{summary}</p>
      {/* Time in the chart runs from left to right in every language. Assistive technology gets the sentence
          and the table. */}
      <div aria-hidden dir="ltr" data-drawing="" className="h-[300px] w-full text-sm">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={[...visibleRows]} accessibilityLayer={false} margin={chartMargin}>
            <CartesianGrid {...gridStyle} />
            <XAxis {...timeAxisStyle} tickFormatter={dayText} />
            <YAxis {...valueAxisStyle} tickFormatter={(value: number) => text(value)} domain={['auto', 'auto']} />
            <Tooltip
              cursor={{ stroke: 'var(--line-strong)' }}
              content={(tip) => <Tip tip={tip} names={names} text={text} dayText={dayText} />}
              isAnimationActive={false}
            />
            {names.map((name, line) => (
              <Line
                key={name}
                {...lineStyle}
                strokeWidth={2}
                name={name}
                dataKey={valueOf(line)}
                stroke={colourOf(line)}
                strokeDasharray={dashPatterns[line] ?? '0'}
                dot={renderDot(line)}
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      {rows.length > 2 ? (
        <div dir="ltr" className="h-[56px] w-full text-xs">
          <ResponsiveContainer width="100%" height="100%">
            <LineChart data={[...rows]} accessibilityLayer={false} margin={{ top: 8, right: 28, bottom: 0, left: 28 }}>
              <Brush
                dataKey="t"
                height={40}
                startIndex={part.first}
                endIndex={part.last}
                ariaLabel={range}
                tickFormatter={dayText}
                travellerWidth={14}
                stroke="var(--line-strong)"
                fill="var(--surface-sunken)"
                onChange={({ startIndex, endIndex }) => onPart({ first: startIndex, last: endIndex })}
              >
                <LineChart data={[...rows]}>
                  {names.map((name, line) => (
                    <Line
                      key={name}
                      {...lineStyle}
                      strokeWidth={1}
                      dataKey={valueOf(line)}
                      stroke={colourOf(line)}
                      dot={false}
                    />
                  ))}
                </LineChart>
              </Brush>
            </LineChart>
          </ResponsiveContainer>
        </div>
      ) : null}
      <figcaption className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
        {names.map((name, line) => (
          <span key={name} className="inline-flex items-center gap-2">
            <svg aria-hidden width="28" height="4">
              <line
                x2="28"
                y1="2"
                y2="2"
                stroke={colourOf(line)}
                strokeWidth="3"
                strokeDasharray={dashPatterns[line] ?? '0'}
              />
            </svg>
            {name}
          </span>
        ))}
        {rows.some(({ values }) => values.some(({ carried }) => carried)) ? (
          <span className="inline-flex items-center gap-2">
            <i aria-hidden className="inline-block size-2.5 rounded-full border-2 border-line-strong" />
            {t('prices.carriedPoint')}
          </span>
        ) : null}
      </figcaption>
    </figure>
  )
}

interface TipProps extends Pick<PriceChartProps, 'names' | 'text' | 'dayText'> {
  tip: TooltipContentProps
}

/** All prices of an interval of the chart, with the number of prices behind each. */
function Tip({ tip: { active, payload }, names, text, dayText }: TipProps) {
  const t = useT()
  const row: unknown = payload[0]?.payload
  if (!active || !isRow(row)) return null
  return (
    <div className="grid gap-0.5 rounded-2 border border-line bg-surface px-3 py-2 text-sm shadow-2">
      <p className="font-semibold">{dayText(row.t)}</p>
      {row.values.map((point, line) => (
        <p key={names[line]}>
          {names[line]}: <b className="tabular-nums">{text(point.value)}</b>
          {point.n > 1 ? <span className="text-muted"> · {t('prices.ofPrices', { count: point.n })}</span> : null}
          {point.carried ? <span className="text-muted"> · {t('prices.carriedPoint')}</span> : null}
        </p>
      ))}
    </div>
  )
}
