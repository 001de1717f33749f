/** The part of a long text that shows what its conversion changes. */

const maxLength = 600
const lettersBefore = 60

/** Position of the first letter that differs in two texts. */
function firstDifference(before: string, after: string): number {
  let index = 0
  while (index < before.length && before[index] === after[index]) index += 1
  return index
}

/** Cuts a text between two positions, at spaces where there are any near; `…` stands for what is left out. */
function cut(text: string, start: number): string {
  const end = start + maxLength
  const head = start === 0 ? '' : '…'
  if (text.length <= end) return head + text.slice(start)
  const lastSpace = text.lastIndexOf(' ', end)
  return `${head}${text.slice(start, lastSpace > start ? lastSpace : end)}…`
}

/**
 * Cuts two texts around the first difference between them.
 *
 * @returns The excerpts of both texts, which begin at the same place.
 */
export function excerptsOf(before: string, after: string): { before: string; after: string } {
  const place = firstDifference(before, after)
  const spaceBefore = before.lastIndexOf(' ', Math.max(0, place - lettersBefore))
  const start = place <= lettersBefore ? 0 : spaceBefore + 1
  return { before: cut(before, start), after: cut(after, start) }
}
