/** The number of letters in which two texts differ. */

/**
 * Counts the letters that must change to turn one text into another.
 *
 * @param left - A text.
 * @param right - The text it is compared with.
 * @param limit - The count at which the comparison ends.
 * @returns The number of changed, added and left out letters; `limit` when there are as many or more.
 * @example
 * editDistance('paxta', 'paxtaǵa', 9) // 2
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit
  let previousRow = Uint16Array.from({ length: right.length + 1 }, (_, index) => index)
  let row = new Uint16Array(right.length + 1)
  for (let leftIndex = 1; leftIndex <= left.length; leftIndex += 1) {
    const letter = left.charCodeAt(leftIndex - 1)
    let smallestCount = leftIndex
    row[0] = leftIndex
    for (let rightIndex = 1; rightIndex <= right.length; rightIndex += 1) {
      const replaced = (previousRow[rightIndex - 1] ?? 0) + (letter === right.charCodeAt(rightIndex - 1) ? 0 : 1)
      const count = Math.min(replaced, (previousRow[rightIndex] ?? 0) + 1, (row[rightIndex - 1] ?? 0) + 1)
      row[rightIndex] = count
      if (count < smallestCount) smallestCount = count
    }
    if (smallestCount >= limit) return limit
    ;[previousRow, row] = [row, previousRow]
  }
  return Math.min(limit, previousRow[right.length] ?? limit)
}
