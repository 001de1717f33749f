/** Properties of axes, lines and grid that all charts share. */

const tickStyle = { fill: 'var(--text-muted)', fontSize: 12 }

/** Properties of a chart's grid: lines for values only. */
export const gridStyle = { vertical: false, stroke: 'var(--line)' } as const

/** Properties of a chart's time axis. */
export const timeAxisStyle = {
  dataKey: 't',
  tick: tickStyle,
  tickLine: false,
  axisLine: { stroke: 'var(--line-strong)' },
  minTickGap: 24,
} as const

/** Properties of a chart's value axis. */
export const valueAxisStyle = { tick: tickStyle, tickLine: false, axisLine: false, width: 'auto' } as const

/** Margin of a chart's drawing. */
export const chartMargin = { top: 8, right: 8, bottom: 0, left: 0 } as const

/** Options of chart lines: no animation, and a gap where a value is missing. */
export const lineStyle = { isAnimationActive: false, connectNulls: false, type: 'linear' } as const
