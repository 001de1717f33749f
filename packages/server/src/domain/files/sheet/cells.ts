/** Converts values to cells of an export, in any format, and never to a formula (checklist §5). */

/** Cell with a text, a number with its decimal places and unit, a day, or a moment on the user's clock. */
export type Cell =
  | null
  | { text: string }
  | { number: number; digits: number; unit?: string }
  /** Share in per cent, 12.5 for 12.5 %. */
  | { percent: number }
  /** Milliseconds of the cell's day, or of its moment on the user's clock, as if that were UTC. */
  | { at: number; time: boolean }

/** Maximum number of characters of a spreadsheet's cell. */
const maxLength = 32_767
/** Pattern of characters at the start of a text that make spreadsheets read the text as a formula. */
const formulaStart = /^[=+\-@\t\r]/
const dayLength = 86_400_000
/** The first day that all spreadsheets count alike: some have a 29 February 1900. */
const firstDay = Date.UTC(1900, 2, 1)

/** Makes a text cell: an apostrophe precedes a text that looks like a formula, and a long text is cut. */
export function textCell(text: string): Cell {
  if (text === '') return null
  const safeText = formulaStart.test(text) ? `'${text}` : text
  return { text: safeText.length > maxLength ? `${safeText.slice(0, maxLength - 1).toWellFormed()}…` : safeText }
}

export const numberCell = (number: number, digits: number, unit?: string): Cell => ({
  number,
  digits,
  ...(unit && { unit }),
})

/** Makes a cell from a day of the wire, `2026-03-01`; a text where spreadsheets differ. */
export function dayCell(day: string): Cell {
  const timestamp = Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(timestamp) || timestamp < firstDay ? textCell(day) : { at: timestamp, time: false }
}

/**
 * Converts a moment of the wire to local time, in milliseconds as if it were UTC; `undefined` for an unknown
 * moment.
 */
export type Clock = (moment: string) => number | undefined

/** Makes a cell from a moment of the wire in local time, to the second. */
export function momentCell(moment: string, clock: Clock): Cell {
  const timestamp = clock(moment)
  return timestamp === undefined || timestamp < firstDay
    ? textCell(moment)
    : { at: Math.floor(timestamp / 1_000) * 1_000, time: true }
}

/** Computes the serial number of a day in spreadsheets, with the time as its fraction. */
export const serialOf = (timestamp: number): number => timestamp / dayLength + 25_569

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Formats a day or a moment as the country does: `01.03.2026`, `01.03.2026 14:30`. */
export function writtenDate({ at, time }: { at: number; time: boolean }): string {
  const date = new Date(at)
  const day = `${twoDigits(date.getUTCDate())}.${twoDigits(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`
  return time ? `${day} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}` : day
}
