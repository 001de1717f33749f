/** The text of a rich text without its tags. */

/** Returns the plain text of a rich text; a block ends a word. */
export function plainTextOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replaceAll('<', ' <'), 'text/html')
  return body.textContent
}
