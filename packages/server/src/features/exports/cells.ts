/** What stands in a cell of an export, whatever the file; texts can never be taken for formulas (checklist §5). */

/** A text, a number with its digits after the point and what it is in, a day, or a moment as the clock of the reader shows it. */
export type Cell =
  | null
  | { text: string }
  | { number: number; digits: number; unit?: string }
  /** Milliseconds of the day, or of the moment on the reader's clock, as if that were UTC. */
  | { at: number; time: boolean }

/** Letters a cell may have in a spreadsheet. */
const maxLength = 32_767
/** What makes a spreadsheet take a text for something to be worked out. */
const opening = /^[=+\-@\t\r]/
const dayLength = 86_400_000
/** The first day that all spreadsheets count alike: they have a 29 February 1900. */
const firstDay = Date.UTC(1900, 2, 1)

/** A text that stays a text: a leading apostrophe before what would be a formula, no longer than a cell. */
export function textCell(text: string): Cell {
  if (text === '') return null
  const safe = opening.test(text) ? `'${text}` : text
  return { text: safe.length > maxLength ? `${safe.slice(0, maxLength - 1).toWellFormed()}…` : safe }
}

export const numberCell = (number: number, digits: number, unit?: string): Cell => ({
  number,
  digits,
  ...(unit && { unit }),
})

/** A day of the wire, `2026-03-01`; as text where spreadsheets do not agree on it. */
export function dayCell(day: string): Cell {
  const at = Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(at) || at < firstDay ? textCell(day) : { at, time: false }
}

/** What a clock shows at a moment of the wire, in milliseconds as if that were UTC; undefined for one it was not asked for. */
export type Clock = (moment: string) => number | undefined

/** A moment of the wire on a clock, to the second. */
export function momentCell(moment: string, clock: Clock): Cell {
  const at = clock(moment)
  return at === undefined || at < firstDay ? textCell(moment) : { at: Math.floor(at / 1_000) * 1_000, time: true }
}

/** A day as spreadsheets count it, the time as its fraction. */
export const serialOf = (at: number): number => at / dayLength + 25_569

const two = (number: number) => String(number).padStart(2, '0')

/** `01.03.2026`, `01.03.2026 14:30`: as people in the country write it. */
export function writtenDate({ at, time }: { at: number; time: boolean }): string {
  const date = new Date(at)
  const day = `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`
  return time ? `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}` : day
}
