/**
 * A block of cells as text, as spreadsheets put it on the clipboard: line breaks between rows, tabs between
 * cells.
 */

const tab = '\t'

/**
 * Reads a block of cells from text. A quoted cell may contain line breaks, tabs and doubled quotes; a final
 * line break is no row.
 */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const finishCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charAt(index)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (source.charAt(index + 1) === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '' && isClosingQuote(source, index)) isQuoted = true
    else if (character === tab) finishCell()
    else if (character === '\n') {
      finishCell()
      rows.push([])
    } else cell += character
  }
  finishCell()
  return rows
}

/**
 * A quote opens a quoted cell only if another quote closes it at the end of a cell; otherwise it is plain
 * text.
 */
function isClosingQuote(source: string, startIndex: number): boolean {
  return /^"(?:[^"]|"")*"(?=\t|\n|$)/.test(source.slice(startIndex))
}

/** Writes a block of cells as text that reads back unchanged. */
export function writeBlock(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows.map((row) => row.map(cell).join(tab)).join('\n')
}
