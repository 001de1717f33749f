/** Excerpts of a changed text: the changes, each with a few words around it. */
import { type TextPiece, textChanges } from '../../../lib/text-changes.ts'

/** Number of words shown before and after a change in a text. */
const contextWords = 4

/** Shortens an unchanged piece between two changes, or at an end of the text. */
function shortenText(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const tokens = text.match(/\s+|\S+/g) ?? []
  const maxTokens = contextWords * 2
  if (tokens.length <= (isFirst || isLast ? maxTokens : maxTokens * 2)) return text
  const [start, end] = [tokens.slice(0, maxTokens).join(''), tokens.slice(-maxTokens).join('')]
  if (isFirst) return `… ${end}`
  return isLast ? `${start}…` : `${start}… ${end}`
}

/**
 * Compares two texts and returns their changes with the words around them.
 *
 * @param formerText - The published text.
 * @param newText - The text of the draft.
 * @returns Pieces in order; unchanged pieces are shortened.
 */
export function excerptOf(formerText: string, newText: string): TextPiece[] {
  const textPieces = textChanges(formerText, newText)
  return textPieces.map((textPiece, index) => {
    if (textPiece.kind !== 'same') return textPiece
    return {
      ...textPiece,
      text: shortenText(textPiece.text, { isFirst: index === 0, isLast: index === textPieces.length - 1 }),
    }
  })
}
