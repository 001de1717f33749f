/**
 * Draws the document of a report as a PDF on A4: the same head and foot on each page, charts as vectors, and
 * tables that repeat their headings on the next page (statistics §7).
 */
import { newPdf, type PdfDocument } from '../../domain/files/pdf/new-pdf.ts'
import { firstLabel, translatorOf } from '../../resources/labels.ts'
import type { DocumentCell, DocumentTable, ReportDocument } from './document.ts'
import { chartHeight, drawChart } from './pdf-chart.ts'
import { ink, line, mutedColour, strip } from './pdf-colours.ts'

const sideMargin = 42
const [top, bottom] = [72, 56]
const [padX, padY] = [5, 3.5]
const tableSize = 9

const textOf = (cell: DocumentCell): string => (cell === null ? '' : 'text' in cell ? cell.text : cell.shown)

/** A table as it is drawn: its visible columns with their places, and the texts of its rows. */
interface DrawnTable {
  columns: { title: string; isText: boolean; left: number; width: number }[]
  rows: { texts: string[]; isTotal: boolean }[]
}

class ReportPdf {
  readonly #pdf: PdfDocument
  readonly #document: ReportDocument
  #y = top

  constructor(pdf: PdfDocument, document: ReportDocument) {
    this.#pdf = pdf
    this.#document = document
  }

  get #width(): number {
    return this.#pdf.page.width - sideMargin * 2
  }
  get #end(): number {
    return this.#pdf.page.height - bottom
  }

  #newPage(): void {
    this.#pdf.addPage()
    this.#y = top
  }

  /** Begins a page where the present one has less space than `height`. */
  #reserve(height: number): void {
    if (this.#y + height > this.#end) this.#newPage()
  }

  draw(): void {
    const { title, lines, tables } = this.#document
    this.#pdf.font('bold').fontSize(22).fillColor(ink)
    this.#pdf.text(title, sideMargin, this.#y, { width: this.#width })
    this.#y = this.#pdf.y + 8
    for (const { name, text } of lines) {
      this.#pdf.font('regular').fontSize(10).fillColor(mutedColour).text(name, sideMargin, this.#y, { width: 130 })
      const end = this.#pdf.y
      this.#pdf.fillColor(ink).text(text, sideMargin + 140, this.#y, { width: this.#width - 140 })
      this.#y = Math.max(end, this.#pdf.y) + 2
    }
    for (const table of tables) this.#table(table)
    this.#frame()
  }

  #table(table: DocumentTable): void {
    const { title, chart } = table
    const drawnTable = this.#drawn(table)
    const firstRowHeight = drawnTable.rows[0] ? this.#heightOf(drawnTable, drawnTable.rows[0].texts) : 0
    this.#y += 20
    this.#reserve(24 + (chart ? chartHeight : 30 + firstRowHeight))
    this.#pdf.font('bold').fontSize(13).fillColor(ink)
    this.#pdf.text(title, sideMargin, this.#y, { width: this.#width })
    this.#y = this.#pdf.y + 5
    if (chart && chart.points.some(({ value, previous }) => value !== null || previous !== null)) {
      drawChart(this.#pdf, chart, this.#document.locale, { left: sideMargin, top: this.#y, width: this.#width })
      this.#y += chartHeight + 6
    }
    if (drawnTable.rows.length === 0) {
      this.#pdf.font('regular').fontSize(tableSize).fillColor(mutedColour)
      this.#pdf.text(firstLabel(this.#document.locale, ['empty.noData']), sideMargin, this.#y)
      this.#y = this.#pdf.y
      return
    }
    this.#reserve(30 + firstRowHeight)
    this.#headings(drawnTable)
    for (const row of drawnTable.rows) {
      const height = this.#heightOf(drawnTable, row.texts, row.isTotal)
      if (this.#y + height > this.#end) {
        this.#newPage()
        this.#headings(drawnTable)
      }
      this.#row(drawnTable, row.texts, height, row.isTotal)
    }
  }

  /** Returns the columns of a table that a reader of the PDF needs, and their places. */
  #drawn({ columns, rows }: DocumentTable): DrawnTable {
    const shownColumns = columns.flatMap((column, index) => (column.isForSheets ? [] : [{ ...column, index }]))
    const weightOf = ({ isText, index }: { isText: boolean; index: number }) =>
      !isText ? 1 : shownColumns.length === 2 ? (index === 0 ? 1 : 2.2) : index === 0 ? 2 : 1.2
    const total = shownColumns.reduce((sum, shownColumn) => sum + weightOf(shownColumn), 0)
    let leftEdge = sideMargin
    const placedTiles = shownColumns.map((shownColumn) => {
      const width = (weightOf(shownColumn) / total) * this.#width
      leftEdge += width
      return { title: shownColumn.title, isText: shownColumn.isText, left: leftEdge - width, width }
    })
    return {
      columns: placedTiles,
      rows: rows.map(({ cells, isTotal = false }) => ({
        texts: shownColumns.map(({ index }) => textOf(cells[index] ?? null)),
        isTotal,
      })),
    }
  }

  #heightOf({ columns }: DrawnTable, texts: readonly string[], isBold = false): number {
    this.#pdf.font(isBold ? 'bold' : 'regular').fontSize(tableSize)
    const heights = texts.map((text, index) =>
      this.#pdf.heightOfString(text || ' ', { width: (columns[index]?.width ?? 0) - padX * 2 }),
    )
    return Math.max(...heights) + padY * 2
  }

  #headings(shownTable: DrawnTable): void {
    const texts = shownTable.columns.map(({ title }) => title)
    const height = this.#heightOf(shownTable, texts, true)
    this.#pdf.rect(sideMargin, this.#y, this.#width, height).fill(strip)
    this.#row(shownTable, texts, height, true)
  }

  #row({ columns }: DrawnTable, texts: readonly string[], height: number, isBold: boolean): void {
    this.#pdf
      .font(isBold ? 'bold' : 'regular')
      .fontSize(tableSize)
      .fillColor(ink)
    for (const [index, { isText, left, width }] of columns.entries()) {
      const alignment = isText || index === 0 ? 'left' : 'right'
      this.#pdf.text(texts[index] ?? '', left + padX, this.#y + padY, { width: width - padX * 2, align: alignment })
    }
    this.#y += height
    this.#pdf
      .moveTo(sideMargin, this.#y)
      .lineTo(sideMargin + this.#width, this.#y)
      .lineWidth(0.5)
      .strokeColor(line)
      .stroke()
  }

  /** Draws the head and the foot of every page, once the number of pages is known. */
  #frame(): void {
    const { title, period, filters, zone, authorLine: madeLine, locale } = this.#document
    const { start, count } = this.#pdf.bufferedPageRange()
    const t = translatorOf(locale)
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(start + index)
      // Text below the margin would begin a page.
      this.#pdf.page.margins.bottom = 0
      const [width, foot] = [this.#width, this.#pdf.page.height - bottom + 16]
      const lineOptions = { width, height: 12, ellipsis: true, lineBreak: false }
      this.#pdf.font('bold').fontSize(9).fillColor(ink)
      this.#pdf.text(`${title} · ${period}`, sideMargin, 30, lineOptions)
      this.#pdf.font('regular').fontSize(8).fillColor(mutedColour).text(filters, sideMargin, 43, lineOptions)
      this.#rule(58)
      this.#rule(foot - 6)
      this.#pdf.font('regular').fontSize(8).fillColor(mutedColour)
      this.#pdf.text(`${zone} · ${madeLine}`, sideMargin, foot, { ...lineOptions, width: width - 110 })
      const page = t('statistics.files.page', { page: String(index + 1), pages: String(count) })
      this.#pdf.text(page, sideMargin + width - 105, foot, { width: 105, align: 'right', lineBreak: false })
    }
  }

  #rule(y: number): void {
    this.#pdf
      .moveTo(sideMargin, y)
      .lineTo(sideMargin + this.#width, y)
      .lineWidth(0.5)
      .strokeColor(line)
      .stroke()
  }
}

/** Draws the document of a report as a PDF. */
export async function pdfOf(document: ReportDocument): Promise<Buffer> {
  const { document: pdf, ended } = await newPdf({
    margins: { top, bottom, left: sideMargin, right: sideMargin },
    bufferPages: true,
    lang: document.locale,
    info: { Title: `${document.title} · ${document.period}` },
  })
  new ReportPdf(pdf, document).draw()
  pdf.end()
  return ended
}
