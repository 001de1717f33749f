/**
 * A block of cells as text, as spreadsheets put it on the clipboard: line breaks between rows, tabs between
 * cells.
 */

const tab = '\t'

/**
 * Reads a block. A quoted cell may contain line breaks, tabs and doubled quotes; a final line break is no
 * row.
 */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at)
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (source.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && cell === '' && closes(source, at)) quoted = true
    else if (sign === tab) endCell()
    else if (sign === '\n') {
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  return rows
}

/**
 * A quote opens a quoted cell only if another one closes it at the end of a cell; otherwise it is plain text.
 */
function closes(source: string, from: number): boolean {
  return /^"(?:[^"]|"")*"(?=\t|\n|$)/.test(source.slice(from))
}

/** Writes a block so that it reads back unchanged. */
export function writeBlock(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows.map((row) => row.map(cell).join(tab)).join('\n')
}
