/** Puts a suggestion into the text of a field. */

const toHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Returns the text of a field with a suggestion.
 *
 * @param present - The present text.
 * @param suggestion - The suggested translation.
 * @param text - The kind of the field, and whether the suggestion is for the whole source.
 * @returns The suggestion for a text of one segment, else the text with the suggestion at its end.
 */
export function withSuggestion(
  present: string,
  suggestion: string,
  { isRich, isWhole }: { isRich: boolean; isWhole: boolean },
): string {
  if (isRich) return `${isWhole ? '' : present}<p>${toHtml(suggestion)}</p>`
  return isWhole || present.trim() === '' ? suggestion : `${present.trimEnd()} ${suggestion}`
}
