/** Puts suggestions into the text of a field, and finds them there. */
import { segmentsOf } from '@dala/model'

const toHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Returns the text of a field with a suggestion.
 *
 * @param present - The present text.
 * @param suggestion - The suggested translation.
 * @param text - The kind of the field, and whether the suggestion is for the whole source.
 * @returns The suggestion for a plain text of one segment, else the text with the suggestion at its end: a rich
 *   text may have images, tables and links, so it is never replaced.
 */
export function withSuggestion(
  present: string,
  suggestion: string,
  { isRich, isWhole }: { isRich: boolean; isWhole: boolean },
): string {
  if (isRich) return `${present}<p>${toHtml(suggestion)}</p>`
  return isWhole || present.trim() === '' ? suggestion : `${present.trimEnd()} ${suggestion}`
}

/** Returns whether all segments of a suggestion are among the segments of a text. */
export function hasSuggestion(segments: readonly string[], suggestion: string): boolean {
  const wanted = segmentsOf(suggestion, false).flat()
  return wanted.length > 0 && wanted.every((segment) => segments.includes(segment))
}
