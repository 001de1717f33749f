import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestAscending } from './longest-ascending.ts'

/** Length of the longest ascending part, by trying every end in turn. */
function plainLength(numbers: readonly number[]): number {
  const lengths: number[] = []
  for (const [index, number] of numbers.entries()) {
    const earlierLengths = lengths.filter((_length, position) => position < index && (numbers[position] ?? 0) < number)
    lengths.push(1 + Math.max(0, ...earlierLengths))
  }
  return Math.max(0, ...lengths)
}

describe('longestAscending', () => {
  it('finds an ascending part of the greatest length in any list of different numbers', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { maxLength: 30 }), (numbers) => {
        const ascendingSet = longestAscending(numbers)
        const ascendingNumbers = numbers.filter((number) => ascendingSet.has(number))
        expect(ascendingNumbers).toEqual(ascendingNumbers.toSorted((one, other) => one - other))
        expect(ascendingNumbers).toHaveLength(plainLength(numbers))
      }),
    )
  })
})
