/** Draws the bars of a figure over time for the page of a share; its table, below, has the same numbers. */
import { chartSteps } from '../chart-steps.ts'
import type { DocumentChart } from '../document.ts'
import { escapeMarkup } from './escaped.ts'

const [width, height] = [720, 220]
const [leftMargin, rightMargin, topMargin, bottomMargin] = [64, 32, 10, 26]
/** Maximum number of days that are named below the chart. */
const maxDays = 8

const round = (value: number): number => Math.round(value * 10) / 10

/** Draws a chart as an element of a page; incomplete intervals are hatched by their style. */
export function chartSvg({ points, unit, valueText, dayText }: DocumentChart): string {
  const steps = chartSteps(Math.max(0, ...points.map(({ value }) => value ?? 0)), unit === 'count' ? 1 : 0.1)
  const base = height - bottomMargin
  const y = (value: number) => round(base - (Math.max(0, value) / (steps.at(-1) ?? 1)) * (base - topMargin))
  const slot = (width - leftMargin - rightMargin) / Math.max(1, points.length)
  const lines = steps.map(
    (step) =>
      `<line x1="${leftMargin}" x2="${width - rightMargin}" y1="${y(step)}" y2="${y(step)}" class="rule"/><text x="${leftMargin - 6}" y="${y(step) + 4}" class="value">${escapeMarkup(valueText(step))}</text>`,
  )
  const labelStep = Math.ceil(points.length / maxDays)
  const bars = points.map(({ t, value, partial }, index) => {
    const x = leftMargin + slot * index
    const day =
      index % labelStep === 0
        ? `<text x="${round(x + slot / 2)}" y="${height - 8}" class="day">${escapeMarkup(dayText(t))}</text>`
        : ''
    if (value === null || value <= 0) return day
    const barWidth = Math.min(24, slot * 0.7)
    const bar = `<rect x="${round(x + (slot - barWidth) / 2)}" y="${y(value)}" width="${round(barWidth)}" height="${round(base - y(value))}" class="${partial ? 'bar partial' : 'bar'}"/>`
    return bar + day
  })
  return `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${lines.join('')}${bars.join('')}</svg>\n`
}
