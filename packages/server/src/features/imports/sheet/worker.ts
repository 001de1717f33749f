/** Reads a sheet in its own thread, so that it blocks nobody and its memory is freed afterwards. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type Cell, type CellValue, readXlsx, type Sheet } from 'hucre/xlsx'
import { lettersOf, type SheetCell, type SheetDetails, sheetLimits, type SheetRow } from './cells.ts'

export interface SheetRequest {
  path: string
  /** Name of the sheet to read; by default the first one that has cells. */
  sheet: string | undefined
}

/**
 * Messages of the thread that reads sheets: first the details, then rows, one batch for each request, then
 * the end.
 */
export type SheetMessage =
  | { kind: 'details'; details: SheetDetails }
  | { kind: 'rows'; rows: readonly SheetRow[] }
  | { kind: 'end' }
  | { kind: 'refused'; code: 'import.broken' | 'import.rows' | 'import.size' | 'import.empty' | 'import.sheet' }

const batch = 500
/** Name of the sheet that Numbers puts before its exported tables, which it lists. */
const numbersSummary = 'Export Summary'
const errorForm = /^#[A-Z0-9/!?]+[!?]?$/

class Refusal extends Error {
  readonly code: Extract<SheetMessage, { kind: 'refused' }>['code']
  constructor(code: Refusal['code']) {
    super(code)
    this.code = code
  }
}

const isBlankCellValue = (value: CellValue | undefined) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

function toCell(value: CellValue | undefined, detail: Cell | undefined): SheetCell {
  if (detail?.type === 'error') return { error: String(value ?? '#?') }
  if (detail?.formula !== undefined && isBlankCellValue(detail.formulaResult ?? value)) return { formula: true }
  const shownValue = detail?.formula === undefined ? value : (detail.formulaResult ?? value)
  if (shownValue === null || shownValue === undefined) return null
  if (shownValue instanceof Date) return Number.isNaN(shownValue.getTime()) ? null : { at: shownValue.getTime() }
  if (typeof shownValue === 'string') {
    if (shownValue.length > sheetLimits.letters) throw new Refusal('import.size')
    return errorForm.test(shownValue) && detail?.formula !== undefined
      ? { error: shownValue }
      : shownValue.toWellFormed()
  }
  return shownValue
}

const placeOf = (row: number, column: number) => `${lettersOf(column)}${row + 1}`

/** Maps the cells below merged ones of a sheet to the cell that has the value. */
function mapCoveredCells({ merges = [] }: Sheet): Map<string, [row: number, column: number]> {
  const coveringCells = new Map<string, [number, number]>()
  for (const { startRow, startCol, endRow, endCol } of merges) {
    const height = Math.min(endRow, startRow + sheetLimits.rows) - startRow + 1
    const width = Math.min(endCol, sheetLimits.columns) - startCol + 1
    // A file may list merged cells without end; only as many as the limit of cells are read.
    if (height * width + coveringCells.size > sheetLimits.cells) throw new Refusal('import.size')
    for (let row = startRow; row < startRow + height; row += 1) {
      for (let column = startCol; column < startCol + width; column += 1) {
        if (row !== startRow || column !== startCol) coveringCells.set(`${row},${column}`, [startRow, startCol])
      }
    }
  }
  return coveringCells
}

function* rowsOf(sheet: Sheet): Generator<SheetRow> {
  const coveredCells = mapCoveredCells(sheet)
  let cells = 0
  let count = 0
  for (const [index, values] of sheet.rows.entries()) {
    const width = Math.min(values.length, sheetLimits.columns)
    const row: SheetCell[] = []
    for (let column = 0; column < width; column += 1) {
      const key = `${index},${column}`
      const source = coveredCells.get(key)
      const cell = toCell(values[column], sheet.cells?.get(key))
      row.push(
        source && cell === null
          ? {
              merged: placeOf(...source),
              value: toCell(sheet.rows[source[0]]?.[source[1]], sheet.cells?.get(source.join(','))),
            }
          : cell,
      )
    }
    while (row.length > 0 && (row.at(-1) === null || row.at(-1) === '')) row.pop()
    const isFilledRow = row.some((cell) => cell !== null && (typeof cell !== 'string' || cell.trim() !== ''))
    if (!isFilledRow) continue
    cells += row.length
    count += 1
    if (count > sheetLimits.rows + sheetLimits.top) throw new Refusal('import.rows')
    if (cells > sheetLimits.cells) throw new Refusal('import.size')
    yield { row: index + 1, cells: row, isHidden: sheet.rowDefs?.get(index)?.hidden === true }
  }
}

const isFilled = ({ rows }: Sheet) => rows.some((row) => row.some((value) => !isBlankCellValue(value)))

function sheetDetailsOf(sheet: Sheet, sheets: readonly string[]): SheetDetails {
  const formulas = [...(sheet.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined).length
  const hiddenRows = [...(sheet.rowDefs ?? [])].filter(([, { hidden }]) => hidden === true).map(([row]) => row + 1)
  return {
    sheets,
    sheet: sheet.name,
    hiddenColumns: (sheet.columns ?? []).flatMap(({ hidden }, column) => (hidden === true ? [column] : [])),
    hiddenRows: hiddenRows.toSorted((a, b) => a - b),
    formulas,
    merged: (sheet.merges ?? []).map(
      ({ startRow, startCol, endRow, endCol }) => `${placeOf(startRow, startCol)}:${placeOf(endRow, endCol)}`,
    ),
    isProtected: sheet.protection?.sheet === true || sheet.protection?.password !== undefined,
  }
}

const sendMessage = (message: SheetMessage) => parentPort?.postMessage(message)

/**
 * Opens an imported file and its sheet. Sheets that a spreadsheet hides are internal to the file, and are
 * left out.
 */
async function openSheet({ path, sheet }: SheetRequest): Promise<{ sheet: Sheet; names: readonly string[] }> {
  const names: string[] = []
  const { sheets } = await readXlsx(readFileSync(path), {
    maxRows: sheetLimits.rows + sheetLimits.top + 2,
    sheets: ({ hidden, veryHidden }) => hidden !== true && veryHidden !== true,
  }).catch(() => {
    throw new Refusal('import.broken')
  })
  const filledSheets = sheets.filter(isFilled)
  names.push(...filledSheets.map(({ name }) => name))
  const firstSheet = filledSheets.find(({ name }) => name !== numbersSummary) ?? filledSheets[0]
  const chosenSheet = sheet === undefined ? firstSheet : filledSheets.find(({ name }) => name === sheet)
  if (!chosenSheet) throw new Refusal(sheet === undefined ? 'import.empty' : 'import.sheet')
  return { sheet: chosenSheet, names }
}

async function readRequestedSheet(): Promise<void> {
  try {
    const { sheet, names } = await openSheet(workerData as SheetRequest)
    sendMessage({ kind: 'details', details: sheetDetailsOf(sheet, names) })
    const rows = rowsOf(sheet)
    parentPort?.on('message', () => {
      try {
        const nextRows: SheetRow[] = []
        while (nextRows.length < batch) {
          const row = rows.next()
          if (row.done === true) break
          nextRows.push(row.value)
        }
        sendMessage(nextRows.length > 0 ? { kind: 'rows', rows: nextRows } : { kind: 'end' })
      } catch (error) {
        refuseSheet(error)
      }
    })
  } catch (error) {
    refuseSheet(error)
  }
}

function refuseSheet(error: unknown): void {
  sendMessage({ kind: 'refused', code: error instanceof Refusal ? error.code : 'import.broken' })
}

await readRequestedSheet()
