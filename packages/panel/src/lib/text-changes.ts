/** The changes between two texts, word by word. */

export interface TextPiece {
  text: string
  kind: 'same' | 'removed' | 'added'
}

/**
 * Maximum number of words in compared texts; longer texts are not compared, because that would block the
 * page.
 */
const maxTokens = 600

const tokensOf = (text: string) => text.match(/\s+|[^\s]+/g) ?? []

/** Lengths of the longest common subsequences of the ends of two lists. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0))
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const [lengthBelow = 0, lengthBeside = 0] = [lengths[row + 1]?.[column], lengths[row]?.[column + 1]]
      const diagonalLength = lengths[row + 1]?.[column + 1] ?? 0
      const line = lengths[row]
      if (line) line[column] = before[row] === after[column] ? diagonalLength + 1 : Math.max(lengthBelow, lengthBeside)
    }
  }
  return lengths
}

const mergeAdjacent = (pieces: readonly TextPiece[]): TextPiece[] =>
  pieces.reduce<TextPiece[]>((all, piece) => {
    const lastChange = all.at(-1)
    return lastChange?.kind === piece.kind
      ? [...all.slice(0, -1), { ...lastChange, text: lastChange.text + piece.text }]
      : [...all, piece]
  }, [])

/**
 * Compares two texts word by word.
 *
 * @param before - The old text.
 * @param after - The new text.
 * @returns The pieces in order; `removed` ones are only in the old text, `added` ones only in the new one.
 */
export function textChanges(before: string, after: string): TextPiece[] {
  const [leftTokens, rightTokens] = [tokensOf(before), tokensOf(after)]
  if (leftTokens.length > maxTokens || rightTokens.length > maxTokens)
    return [
      { text: before, kind: 'removed' },
      { text: after, kind: 'added' },
    ]
  const lengths = commonLengths(leftTokens, rightTokens)
  const pieces: TextPiece[] = []
  let [row, column] = [0, 0]
  while (row < leftTokens.length || column < rightTokens.length) {
    const [oldToken, newToken] = [leftTokens[row], rightTokens[column]]
    if (oldToken !== undefined && oldToken === newToken) {
      pieces.push({ text: oldToken, kind: 'same' })
      row += 1
      column += 1
    } else if (
      newToken !== undefined &&
      (oldToken === undefined || (lengths[row]?.[column + 1] ?? 0) > (lengths[row + 1]?.[column] ?? 0))
    ) {
      pieces.push({ text: newToken, kind: 'added' })
      column += 1
    } else {
      pieces.push({ text: oldToken ?? '', kind: 'removed' })
      row += 1
    }
  }
  return mergeAdjacent(pieces)
}

/** Splits a text at known pieces, the longest of them first. */
export function splitAtMarks(text: string, marks: readonly string[]): { text: string; isMark: boolean }[] {
  const [mark, ...otherMarks] = marks.toSorted((a, b) => b.length - a.length)
  if (mark === undefined || mark === '') return text === '' ? [] : [{ text, isMark: false }]
  return text
    .split(mark)
    .flatMap((part, index) => [...(index > 0 ? [{ text: mark, isMark: true }] : []), ...splitAtMarks(part, otherMarks)])
}
