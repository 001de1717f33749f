/** Puts the values of cases and of counted days together, for medians and percentiles of whole numbers. */
import quickselect from 'quickselect'
import { everyCase } from './slices.ts'

/** Returns the slices whose values are read: all cases are those of the first dimension together. */
export const valueSlices = (dims: readonly string[]): readonly string[] => (dims.length > 0 ? dims : [everyCase])

/** The figure, period and interval of a report that values belong to. */
interface Place {
  measure: string
  span: string
  bucket: string | null
}

/** The values of a row of a report. */
interface ValueRow {
  measure: string
  span: string
  slice: string
  id: string | null
  /** Returns the values with ascending shares of the others below them, between two values where none has it. */
  percentiles: (shares: readonly number[]) => number[]
}

const comma = 44
const zero = 48
const nine = 57
const minusCode = 45

/**
 * Reads a list of whole numbers, `{1,2}`; faster than a general reader for a year of values. Its bytes are read
 * faster than the letters of a text that was cut out of another one.
 */
function readNumbers(text: string, count: number): Int32Array {
  const numbers = new Int32Array(count)
  const bytes = Buffer.from(text, 'latin1')
  let valueIndex = 0
  let number = 0
  let sign = 1
  for (let byteIndex = 1; byteIndex < bytes.length && valueIndex < count; byteIndex += 1) {
    const code = bytes[byteIndex] ?? comma
    if (code >= zero && code <= nine) number = number * 10 + code - zero
    else if (code === minusCode) sign = -1
    else {
      numbers[valueIndex] = sign * number
      valueIndex += 1
      number = 0
      sign = 1
    }
  }
  return numbers
}

/**
 * Returns the values at ascending shares of the values, as `percentile_cont` of the database does. Selecting
 * them takes a fifth of the time of sorting; the values before a selected place are not searched again.
 */
function percentilesOf(values: Int32Array, shares: readonly number[]): number[] {
  // The types of the library name arrays only; it reads and swaps items of any list.
  const items = values as ArrayLike<number> as number[]
  let firstPlace = 0
  return shares.map((share) => {
    const position = share * (values.length - 1)
    const lowPlace = Math.floor(position)
    quickselect(items, lowPlace, firstPlace)
    firstPlace = lowPlace
    const low = values[lowPlace] ?? 0
    return position === lowPlace ? low : low + (position - lowPlace) * (leastAfter(values, lowPlace) - low)
  })
}

/** Returns the least value after a place. */
function leastAfter(values: Int32Array, place: number): number {
  let least = values[place + 1] ?? 0
  for (let index = place + 2; index < values.length; index += 1) least = Math.min(least, values[index] ?? least)
  return least
}

function putTogether(parts: readonly Int32Array[]): Int32Array {
  const allValues = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    allValues.set(part, offset)
    offset += part.length
  }
  return allValues
}

/** The values behind the medians of a report, collected by row. */
export class RowValues {
  readonly #byRow = new Map<string, { row: Omit<ValueRow, 'percentiles'>; parts: Int32Array[] }>()

  /**
   * Adds the values of one bucket or one counted day.
   *
   * @param place - The measure, the span and the bucket.
   * @param list - The slice, the ids, their numbers of values, and the values, those of the first id first;
   *   separated by `|`.
   * @param main - The dimension whose rows are all cases together.
   */
  add({ measure, span, bucket }: Place, list: string, main: string | undefined): void {
    const [slice = '', ids = '[]', counts = '[]', values = '{}'] = list.split('|')
    const sizes = JSON.parse(counts) as number[]
    const numbers = readNumbers(
      values,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    let start = 0
    for (const [index, id] of (JSON.parse(ids) as (string | null)[]).entries()) {
      const part = numbers.subarray(start, (start += sizes[index] ?? 0))
      if (slice !== everyCase) this.#push({ measure, span, slice, id }, part)
      if (slice !== (main ?? everyCase)) continue
      this.#push({ measure, span, slice: everyCase, id: null }, part)
      if (bucket !== null) this.#push({ measure, span, slice: 'bucket', id: bucket }, part)
    }
  }

  /** Returns the rows with their values. */
  rows(): ValueRow[] {
    return [...this.#byRow.values()].map(({ row, parts }) => {
      const values = putTogether(parts)
      return { ...row, percentiles: (shares) => percentilesOf(values, shares) }
    })
  }

  #push(row: Omit<ValueRow, 'percentiles'>, part: Int32Array): void {
    if (part.length === 0) return
    const key = JSON.stringify([row.measure, row.span, row.slice, row.id])
    const rowParts = this.#byRow.get(key) ?? { row, parts: [] }
    rowParts.parts.push(part)
    this.#byRow.set(key, rowParts)
  }
}
