/** Draws the line or the bars of a figure over time as vectors; incomplete intervals are dashed. */
import { type ReportPoint, type WrittenLocale } from '@dala/model'
import type { PdfDocument } from '../../domain/files/pdf/new-pdf.ts'
import { translatorOf } from '../../resources/labels.ts'
import { chartSteps } from './chart-steps.ts'
import type { DocumentChart } from './document.ts'
import { earlierColour, ink, line, mutedColour, presentColour } from './pdf-colours.ts'

export const chartHeight = 176
const legendHeight = 18
const daysHeight = 16
const axisWidth = 62
const axisSize = 7.5
/** Maximum number of days that are named below the chart. */
const maxDays = 8

interface Box {
  left: number
  top: number
  width: number
}

class Chart {
  readonly #pdf: PdfDocument
  readonly #chart: DocumentChart
  readonly #box: Box
  readonly #steps: number[]

  constructor(pdf: PdfDocument, chart: DocumentChart, box: Box) {
    this.#pdf = pdf
    this.#chart = chart
    this.#box = box
    const values = chart.points.flatMap(({ value, previous }) => [value ?? 0, chart.isCompared ? (previous ?? 0) : 0])
    this.#steps = chartSteps(Math.max(0, ...values), chart.unit === 'count' ? 1 : 0.1)
  }

  get #bottom(): number {
    return this.#box.top + chartHeight - legendHeight - daysHeight
  }
  #y(value: number): number {
    const height = this.#bottom - this.#box.top - 6
    return this.#bottom - (Math.max(0, value) / (this.#steps.at(-1) ?? 1)) * height
  }
  get #slot(): number {
    return (this.#box.width - axisWidth) / Math.max(1, this.#chart.points.length)
  }
  #x(index: number): number {
    return this.#box.left + axisWidth + this.#slot * (index + 0.5)
  }

  axes(): void {
    const { left, width } = this.#box
    this.#pdf.font('regular').fontSize(axisSize).fillColor(mutedColour)
    for (const step of this.#steps) {
      const y = this.#y(step)
      this.#pdf
        .moveTo(left + axisWidth, y)
        .lineTo(left + width, y)
        .lineWidth(0.5)
        .strokeColor(line)
        .stroke()
      const label = { width: axisWidth - 6, align: 'right' as const, lineBreak: false }
      this.#pdf.text(this.#chart.valueText(step), left, y - 5, label)
    }
    const { points } = this.#chart
    const labelStep = Math.ceil(points.length / maxDays)
    for (const [index, { t }] of points.entries()) {
      if (index % labelStep !== 0) continue
      this.#pdf.text(this.#chart.dayText(t), this.#x(index) - 30, this.#bottom + 4, {
        width: 60,
        align: 'center',
        lineBreak: false,
      })
    }
  }

  bars(): void {
    const width = Math.min(24, this.#slot * 0.7)
    for (const [index, { value, partial }] of this.#chart.points.entries()) {
      if (value === null) continue
      const [x, y] = [this.#x(index) - width / 2, this.#y(value)]
      const height = this.#bottom - y
      if (height <= 0) continue
      if (!partial) {
        this.#pdf.rect(x, y, width, height).fill(presentColour)
        continue
      }
      this.#hatched(x, y, width, height)
    }
  }

  /** Draws the bar of an incomplete interval: hatched, with a dashed outline. */
  #hatched(x: number, y: number, width: number, height: number): void {
    this.#pdf.save().rect(x, y, width, height).clip()
    this.#pdf.lineWidth(1).strokeColor(presentColour)
    for (let stripeX = -height; stripeX < width; stripeX += 4)
      this.#pdf.moveTo(x + stripeX, y + height).lineTo(x + stripeX + height, y)
    this.#pdf.stroke().restore()
    this.#pdf
      .rect(x, y, width, height)
      .lineWidth(0.8)
      .dash(2, { space: 2 })
      .strokeColor(presentColour)
      .stroke()
      .undash()
  }

  /** Draws the segments between neighbouring values; a missing value leaves a gap. */
  #segments(
    valueOf: (point: ReportPoint) => number | null,
    isDashed: (left: ReportPoint, right: ReportPoint) => boolean,
  ) {
    const { points } = this.#chart
    for (const [index, right] of points.entries()) {
      const leftPoint = points[index - 1]
      const [leftValue, rightValue] = [leftPoint ? valueOf(leftPoint) : null, valueOf(right)]
      if (!leftPoint || leftValue === null || rightValue === null) continue
      if (isDashed(leftPoint, right)) this.#pdf.dash(2, { space: 2.5 })
      this.#pdf
        .moveTo(this.#x(index - 1), this.#y(leftValue))
        .lineTo(this.#x(index), this.#y(rightValue))
        .stroke()
        .undash()
    }
  }

  line(): void {
    this.#pdf.lineWidth(1.5).strokeColor(presentColour)
    this.#segments(
      ({ value }) => value,
      (leftPoint, right) => leftPoint.partial || right.partial,
    )
    if (this.#chart.points.length > 31) return
    for (const [index, { value, partial }] of this.#chart.points.entries()) {
      if (value === null) continue
      this.#pdf.circle(this.#x(index), this.#y(value), 1.8)
      if (partial) this.#pdf.lineWidth(0.8).strokeColor(presentColour).stroke()
      else this.#pdf.fill(presentColour)
    }
  }

  before(): void {
    this.#pdf.lineWidth(1).strokeColor(earlierColour).dash(5, { space: 3 })
    const { points } = this.#chart
    let isOpen = false
    for (const [index, { previous }] of points.entries()) {
      if (previous === null) isOpen = false
      else {
        if (isOpen) this.#pdf.lineTo(this.#x(index), this.#y(previous))
        else this.#pdf.moveTo(this.#x(index), this.#y(previous))
        isOpen = true
      }
    }
    this.#pdf.stroke().undash()
  }

  legend(locale: WrittenLocale): void {
    const t = translatorOf(locale)
    const y = this.#box.top + chartHeight - 10
    let x = this.#box.left + axisWidth
    const item = (name: string, mark: (x: number) => void) => {
      mark(x)
      this.#pdf.font('regular').fontSize(8).fillColor(ink)
      this.#pdf.text(name, x + 22, y - 5, { lineBreak: false })
      x += 22 + this.#pdf.widthOfString(name) + 18
    }
    const { variant, points, isCompared } = this.#chart
    const stroke = (startX: number, colour: string) =>
      this.#pdf
        .moveTo(startX, y)
        .lineTo(startX + 18, y)
        .lineWidth(1.5)
        .strokeColor(colour)
        .stroke()
        .undash()
    item(t('statistics.legend.value'), (startX) => {
      if (variant === 'bars') this.#pdf.rect(startX + 6, y - 4, 8, 8).fill(presentColour)
      else stroke(startX, presentColour)
    })
    if (points.some(({ partial, value }) => partial && value !== null))
      item(t('statistics.legend.partial'), (startX) => {
        if (variant === 'bars') return this.#hatched(startX + 6, y - 4, 8, 8)
        this.#pdf.dash(2, { space: 2.5 })
        stroke(startX, presentColour)
      })
    if (isCompared)
      item(t('statistics.legend.previous'), (startX) => {
        this.#pdf.dash(5, { space: 3 })
        stroke(startX, earlierColour)
      })
  }
}

/** Draws the chart of a document's table with its axes and its legend. */
export function drawChart(pdf: PdfDocument, chart: DocumentChart, locale: WrittenLocale, box: Box): void {
  const drawnChart = new Chart(pdf, chart, box)
  drawnChart.axes()
  if (chart.variant === 'bars') drawnChart.bars()
  else drawnChart.line()
  if (chart.isCompared) drawnChart.before()
  drawnChart.legend(locale)
}
