/** The drawing of a watch curve: a bar for each 5 % of the video. */
import { Bar, CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { chartMargin, gridStyle, timeAxisStyle, valueAxisStyle } from '../../../lib/chart-look.ts'

/** Number of learners who watched a piece of the video. */
export interface CurvePiece {
  /** Text of the piece of the video: "5–10 %". */
  range: string
  learners: number
}

export interface CurveChartProps {
  /** Sentence that describes the watch curve for screen readers. */
  curveSummary: string
  pieces: readonly CurvePiece[]
  text: (value: number) => string
}

const isCurvePiece = (value: unknown): value is CurvePiece =>
  typeof value === 'object' && value !== null && 'learners' in value

export function CurveChart({ curveSummary: summary, pieces, text }: CurveChartProps) {
  return (
    <figure>
      <p className="sr-only">{summary}</p>
      {/* Time runs from left to right in every language; screen readers get the summary and the table. */}
      <div aria-hidden dir="ltr" className="h-[220px] w-full text-sm">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={[...pieces]} accessibilityLayer={false} margin={chartMargin} barCategoryGap={2}>
            <CartesianGrid {...gridStyle} />
            <XAxis {...timeAxisStyle} dataKey="range" />
            <YAxis {...valueAxisStyle} tickFormatter={text} allowDecimals={false} />
            <Tooltip
              cursor={{ fill: 'var(--surface-hover)' }}
              isAnimationActive={false}
              content={({ active, payload }) => {
                const hoveredPiece: unknown = payload[0]?.payload
                if (!active || !isCurvePiece(hoveredPiece)) return null
                return (
                  <p className="rounded-2 border border-line bg-surface px-3 py-2 text-sm shadow-2">
                    {hoveredPiece.range}: <b className="tabular-nums">{text(hoveredPiece.learners)}</b>
                  </p>
                )
              }}
            />
            <Bar dataKey="learners" fill="var(--chart-1)" isAnimationActive={false} />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}
