/** The rows of a list that kept their order: moves in an outline are counted without them. */

/**
 * Finds the longest part of a list of different numbers that is in ascending order.
 *
 * @param numbers - The numbers, e.g. the former places of rows in their present order.
 * @returns The numbers of that part.
 * @example longestAscending([4, 1, 2, 3]) // Set { 3, 2, 1 }
 */
export function longestAscending(numbers: readonly number[]): ReadonlySet<number> {
  // The best end of an ascending part for each length, and the element before each element in its part.
  const endNumbers: number[] = []
  const previousNumbers = new Map<number, number | undefined>()
  for (const number of numbers) {
    const index = endNumbers.findIndex((end) => end > number)
    const length = index < 0 ? endNumbers.length : index
    previousNumbers.set(number, endNumbers[length - 1])
    endNumbers[length] = number
  }
  const longestIds = new Set<number>()
  for (let number = endNumbers.at(-1); number !== undefined; number = previousNumbers.get(number))
    longestIds.add(number)
  return longestIds
}
