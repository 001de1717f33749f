/** Writes rows as CSV (RFC 4180) that a double click opens in columns. */
import { type Cell, writtenDate } from './cells.ts'

/** Byte order mark: without it, Excel reads UTF-8 in the code page of the machine. */
export const csvMark = '\ufeff'

// Excel splits a file by the list separator of the machine's region and reads numbers by its decimal sign. In
// the regions of Uzbekistan and Russia these are the semicolon and the comma, whatever language the panel is
// read in; a line `sep=;` would help other regions, but makes Excel forget the mark above.
const separator = ';'
const decimal = ','

/**
 * Pattern of a character that begins a formula, at the start of a text and after everything that can end a
 * cell: programs whose list separator is the comma or the tab split a text there, quoted or not. Full-width
 * characters count too.
 */
const formulaStartPattern = /(?=[=+\-@＝＋－＠])(?<=(?:^|[,;\t\r\n])\s*)/g

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if ('number' in cell) return String(cell.number).replace('.', decimal)
  if ('percent' in cell) return `${String(cell.percent).replace('.', decimal)}%`
  if ('at' in cell) return writtenDate(cell)
  const text = cell.text.replace(formulaStartPattern, "'")
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes one line of CSV with its line end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(separator)}\r\n`
