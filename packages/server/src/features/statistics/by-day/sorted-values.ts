/** Puts the values of cases and of counted days together, for medians and percentiles of whole numbers. */
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
  /** Returns the value with a share of the others below it, between two values where none has it. */
  percentile: (share: number) => number
}

const comma = 44
const zero = 48
const nine = 57
const minusCode = 45

/** Reads a list of whole numbers, `{1,2}`; faster than a general reader for a year of values. */
function readNumbers(text: string, count: number): Int32Array {
  const numbers = new Int32Array(count)
  let [valueIndex, number, sign] = [0, 0, 1]
  for (let textIndex = 1; textIndex < text.length; textIndex += 1) {
    const code = text.charCodeAt(textIndex)
    if (code >= zero && code <= nine) number = number * 10 + code - zero
    else if (code === minusCode) sign = -1
    else if (valueIndex < count) {
      numbers[valueIndex] = sign * number
      valueIndex += 1
      number = 0
      sign = 1
      if (code !== comma) break
    }
  }
  return numbers
}

/** Returns the value at a share of sorted ones, as `percentile_cont` of the database does. */
function percentileOf(sortedValues: Int32Array, share: number): number {
  const position = share * (sortedValues.length - 1)
  const [low, high] = [sortedValues[Math.floor(position)] ?? 0, sortedValues[Math.ceil(position)] ?? 0]
  return low + (position - Math.floor(position)) * (high - low)
}

function sortedTogether(parts: readonly Int32Array[]): Int32Array {
  const allValues = new Int32Array(parts.reduce((sum, sortedPart) => sum + sortedPart.length, 0))
  let offset = 0
  for (const sortedPart of parts) {
    allValues.set(sortedPart, offset)
    offset += sortedPart.length
  }
  return allValues.sort()
}

/** The values behind the medians of a report, collected by row. */
export class SortedValues {
  readonly #byRow = new Map<string, { row: Omit<ValueRow, 'percentile'>; parts: Int32Array[] }>()

  /**
   * Adds the values of one bucket or one counted day.
   *
   * @param place - The measure, the span and the bucket.
   * @param list - The slice, the ids, their numbers of values, and the values, those of the first id first; separated
   *   by `|`.
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
      const sortedPart = numbers.subarray(start, (start += sizes[index] ?? 0))
      if (slice !== everyCase) this.#push({ measure, span, slice, id }, sortedPart)
      if (slice !== (main ?? everyCase)) continue
      this.#push({ measure, span, slice: everyCase, id: null }, sortedPart)
      if (bucket !== null) this.#push({ measure, span, slice: 'bucket', id: bucket }, sortedPart)
    }
  }

  /** Returns the rows with their values. */
  rows(): ValueRow[] {
    return [...this.#byRow.values()].map(({ row, parts }) => {
      const sortedValues = sortedTogether(parts)
      return { ...row, percentile: (share) => percentileOf(sortedValues, share) }
    })
  }

  #push(row: Omit<ValueRow, 'percentile'>, sortedPart: Int32Array): void {
    const key = JSON.stringify([row.measure, row.span, row.slice, row.id])
    const rowParts = this.#byRow.get(key) ?? { row, parts: [] }
    rowParts.parts.push(sortedPart)
    this.#byRow.set(key, rowParts)
  }
}
