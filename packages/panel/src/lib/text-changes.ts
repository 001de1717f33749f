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
function commonLengths(oldTokens: readonly string[], newTokens: readonly string[]): number[][] {
  const lengths = Array.from({ length: oldTokens.length + 1 }, () =>
    Array.from({ length: newTokens.length + 1 }, () => 0),
  )
  for (let row = oldTokens.length - 1; row >= 0; row -= 1) {
    for (let column = newTokens.length - 1; column >= 0; column -= 1) {
      const [lengthBelow = 0, lengthBeside = 0] = [lengths[row + 1]?.[column], lengths[row]?.[column + 1]]
      const diagonalLength = lengths[row + 1]?.[column + 1] ?? 0
      const line = lengths[row]
      if (line)
        line[column] = oldTokens[row] === newTokens[column] ? diagonalLength + 1 : Math.max(lengthBelow, lengthBeside)
    }
  }
  return lengths
}

const mergeAdjacent = (textPieces: readonly TextPiece[]): TextPiece[] =>
  textPieces.reduce<TextPiece[]>((mergedPieces, textPiece) => {
    const lastChange = mergedPieces.at(-1)
    return lastChange?.kind === textPiece.kind
      ? [...mergedPieces.slice(0, -1), { ...lastChange, text: lastChange.text + textPiece.text }]
      : [...mergedPieces, textPiece]
  }, [])

/**
 * Compares two texts word by word.
 *
 * @param oldText - The old text.
 * @param newText - The new text.
 * @returns The pieces in order; `removed` ones are only in the old text, `added` ones only in the new one.
 */
export function textChanges(oldText: string, newText: string): TextPiece[] {
  const [leftTokens, rightTokens] = [tokensOf(oldText), tokensOf(newText)]
  if (leftTokens.length > maxTokens || rightTokens.length > maxTokens)
    return [
      { text: oldText, kind: 'removed' },
      { text: newText, kind: 'added' },
    ]
  const lengths = commonLengths(leftTokens, rightTokens)
  const changePieces: TextPiece[] = []
  let [row, column] = [0, 0]
  while (row < leftTokens.length || column < rightTokens.length) {
    const [oldToken, newToken] = [leftTokens[row], rightTokens[column]]
    if (oldToken !== undefined && oldToken === newToken) {
      changePieces.push({ text: oldToken, kind: 'same' })
      row += 1
      column += 1
    } else if (
      newToken !== undefined &&
      (oldToken === undefined || (lengths[row]?.[column + 1] ?? 0) > (lengths[row + 1]?.[column] ?? 0))
    ) {
      changePieces.push({ text: newToken, kind: 'added' })
      column += 1
    } else {
      changePieces.push({ text: oldToken ?? '', kind: 'removed' })
      row += 1
    }
  }
  return mergeAdjacent(changePieces)
}

/** Splits a text at known pieces, the longest of them first. */
export function splitAtMarks(text: string, marks: readonly string[]): { text: string; isMark: boolean }[] {
  const [mark, ...otherMarks] = marks.toSorted((a, b) => b.length - a.length)
  if (mark === undefined || mark === '') return text === '' ? [] : [{ text, isMark: false }]
  return text
    .split(mark)
    .flatMap((textPart, index) => [
      ...(index > 0 ? [{ text: mark, isMark: true }] : []),
      ...splitAtMarks(textPart, otherMarks),
    ])
}
