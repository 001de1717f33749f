/** Excerpts of a changed text: the changes, each with a few words around it. */
import { type TextPiece, textChanges } from '../../../lib/text-changes.ts'

/** Number of words shown before and after a change in a text. */
const contextWords = 4

/** Shortens an unchanged piece between two changes, or at an end of the text. */
function shortenText(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const tokens = text.match(/\s+|\S+/g) ?? []
  const most = contextWords * 2
  if (tokens.length <= (isFirst || isLast ? most : most * 2)) return text
  const [start, end] = [tokens.slice(0, most).join(''), tokens.slice(-most).join('')]
  if (isFirst) return `… ${end}`
  return isLast ? `${start}…` : `${start}… ${end}`
}

/**
 * Compares two texts and returns their changes with the words around them.
 *
 * @param before - The published text.
 * @param after - The text of the draft.
 * @returns Pieces in order; unchanged pieces are shortened.
 */
export function excerptOf(before: string, after: string): TextPiece[] {
  const pieces = textChanges(before, after)
  return pieces.map((piece, index) => {
    if (piece.kind !== 'same') return piece
    return { ...piece, text: shortenText(piece.text, { isFirst: index === 0, isLast: index === pieces.length - 1 }) }
  })
}
