/**
 * Writes an xlsx workbook, sheet by sheet, as its rows arrive, so that memory does not grow with them.
 *
 * Libraries keep every cell as an object until the end: `write-excel-file` took 11 s and 700 MB for 50,000
 * rows of 15 columns. Texts are stored inline in their cells (`inlineStr`); this writer cannot write a
 * formula.
 */
import { Zip, ZipDeflate } from 'fflate'
import { type Cell, serialOf } from './cells.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Maximum number of decimal places with a format of their own. */
const maxDigits = 6
/** Maximum number of currency formats in a workbook. */
const maxUnits = 100
/** Number formats in the order of their styles; the first ones are for numbers, by their decimal places. */
const formats = [
  ...Array.from({ length: maxDigits + 1 }, (_, digits) => (digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`)),
  'dd.mm.yyyy',
  'dd.mm.yyyy hh:mm',
  '#,##0.0%',
]
const [boldStyle, firstFormat] = [1, 2]
const styleOfDate = (time: boolean) => firstFormat + maxDigits + (time ? 2 : 1)
const styleOfPercent = firstFormat + maxDigits + 3
const ownFormats = 164

/** Pattern of characters that XML 1.0 forbids: controls except tab and line ends, and noncharacters. */
const forbiddenXmlPattern = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu
const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(forbiddenXmlPattern, '')
      // Spreadsheets read `_x0041_` as the letter A, so such a text is escaped.
      .replace(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x')
      .replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)
  )
}

/** Turns a title into a name that a sheet may have. */
const sheetName = (title: string) =>
  title
    .replace(/[[\]:*?/\\']/g, ' ')
    .slice(0, 31)
    .trim() || 'Sheet'

/** Returns the name of a column: A, B … Z, AA. */
function letters(column: number): string {
  const formerLetters = Math.floor(column / 26)
  return (formerLetters > 0 ? letters(formerLetters - 1) : '') + String.fromCharCode(65 + (column % 26))
}

/** Number formats of a workbook, each with its style; those of currencies are added when they first occur. */
class Formats {
  readonly #codes = [...formats]
  readonly #styles = new Map<string, number>()

  /** Returns the workbook's style for a number with decimal places, and with its unit behind them. */
  ofNumber(digits: number, unit: string | undefined): number {
    const index = Math.min(digits, maxDigits)
    // The number format omits characters of the unit that a spreadsheet would read as a part of the format,
    // or not at all.
    const shownUnit = unit?.replace(/["\\]|[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 20)
    if (!shownUnit) return firstFormat + index
    const code = `${formats[index]}\u00a0"${shownUnit}"`
    const cachedStyle = this.#styles.get(code)
    if (cachedStyle !== undefined) return cachedStyle
    // A workbook with a number format for each row would not open.
    if (this.#styles.size >= maxUnits) return firstFormat + index
    const style = firstFormat + this.#codes.length
    this.#codes.push(code)
    this.#styles.set(code, style)
    return style
  }

  /** Returns the part of the workbook with the number formats. */
  xml(): string {
    const codes = this.#codes.map(
      (code, index) => `<numFmt numFmtId="${ownFormats + index}" formatCode="${escapeXml(code)}"/>`,
    )
    const styles = codes.map((_, index) => `<xf numFmtId="${ownFormats + index}" applyNumberFormat="1"/>`)
    return `${head}<styleSheet xmlns="${spreadsheetNamespace}"><numFmts count="${codes.length}">${codes.join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${codes.length + firstFormat}"><xf/><xf fontId="${boldStyle}" applyFont="1"/>${styles.join('')}</cellXfs></styleSheet>`
  }
}

function cellXml(cell: Cell, address: string, style: number, cellFormats: Formats): string {
  if (cell === null) return ''
  if ('number' in cell)
    return `<c r="${address}" s="${cellFormats.ofNumber(cell.digits, cell.unit)}"><v>${cell.number}</v></c>`
  if ('percent' in cell)
    return `<c r="${address}" s="${styleOfPercent}"><v>${Number((cell.percent / 100).toPrecision(12))}</v></c>`
  if ('at' in cell) return `<c r="${address}" s="${styleOfDate(cell.time)}"><v>${serialOf(cell.at)}</v></c>`
  const text = escapeXml(cell.text.replaceAll(/\r\n?/g, '\n'))
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

const rowXml = (cells: readonly Cell[], row: number, cellFormats: Formats, style = 0) =>
  `<row r="${row}">${cells.map((cell, column) => cellXml(cell, `${letters(column)}${row}`, style, cellFormats)).join('')}</row>`

const partName = (sheet: number) => `xl/worksheets/sheet${sheet + 1}.xml`

const files = (titles: readonly string[]): readonly (readonly [string, string])[] => [
  [
    '[Content_Types].xml',
    `${head}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>${titles
      .map((_, index) => `<Override PartName="/${partName(index)}" ContentType="${contentType}.worksheet+xml"/>`)
      .join('')}<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${head}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relationsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${head}<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${relationsNamespace}"><sheets>${titles
      .map(
        (title, index) =>
          `<sheet name="${escapeXml(sheetName(title))}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${head}<Relationships xmlns="${packageNamespace}/relationships">${titles
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${relationsNamespace}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId${titles.length + 1}" Type="${relationsNamespace}/styles" Target="styles.xml"/></Relationships>`,
  ],
]

export interface SheetColumn {
  heading: Cell
  /** Width of the sheet's column in characters. */
  width: number
}

export interface SheetHead {
  title: string
  columns: readonly SheetColumn[]
  /** Whether the headings of the sheet have filters. */
  hasFilter?: true
}

/** Writer of a workbook; `rows`, `next` and `end` return the bytes that are ready. */
export class XlsxWriter {
  readonly #zip: Zip
  readonly #heads: readonly SheetHead[]
  readonly #formats = new Formats()
  #sheet: ZipDeflate
  /** Place of the sheet that the workbook's writer is writing. */
  #place = 0
  #ready: Uint8Array[] = []
  /** Last written row of the sheet; the first row has the headings. */
  #row = 1

  /**
   * Creates the writer of a workbook.
   *
   * @param heads - The sheets in their order; their titles differ.
   */
  constructor(...heads: readonly SheetHead[]) {
    this.#heads = heads
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error
      this.#ready.push(bytes)
    })
    for (const [name, content] of files(heads.map(({ title }) => title))) this.#add(name, content)
    this.#sheet = this.#open()
  }

  rows(rows: readonly (readonly Cell[])[]): Uint8Array {
    this.#push(rows.map((cells) => rowXml(cells, (this.#row += 1), this.#formats)).join(''))
    return this.#taken()
  }

  /** Ends the present sheet of the workbook and begins the next sheet. */
  next(): Uint8Array {
    this.#close()
    this.#place += 1
    this.#row = 1
    this.#sheet = this.#open()
    return this.#taken()
  }

  end(): Uint8Array {
    this.#close()
    this.#add('xl/styles.xml', this.#formats.xml())
    this.#zip.end()
    return this.#taken()
  }

  /** Begins the present sheet with its headings, which stay visible when the sheet scrolls. */
  #open(): ZipDeflate {
    const columns = this.#heads[this.#place]?.columns ?? []
    const sheet = new ZipDeflate(partName(this.#place), { level: 4 })
    this.#zip.add(sheet)
    const widths = columns.map(
      ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
    )
    const headings = columns.map(({ heading }) => heading)
    sheet.push(
      Buffer.from(
        `${head}<worksheet xmlns="${spreadsheetNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${rowXml(headings, 1, this.#formats, boldStyle)}`,
      ),
    )
    return sheet
  }

  #close() {
    const { columns, hasFilter: isFiltered } = this.#heads[this.#place] ?? { columns: [] }
    const filter =
      isFiltered && this.#row > 1 ? `<autoFilter ref="A1:${letters(columns.length - 1)}${this.#row}"/>` : ''
    this.#push(`</sheetData>${filter}</worksheet>`, true)
  }

  #add(name: string, content: string) {
    const file = new ZipDeflate(name)
    this.#zip.add(file)
    file.push(Buffer.from(content), true)
  }

  #push(xml: string, isLast = false) {
    this.#sheet.push(Buffer.from(xml), isLast)
  }

  #taken(): Uint8Array {
    const bytes = Buffer.concat(this.#ready)
    this.#ready = []
    return bytes
  }
}
