/** Plain text of a rich text, for finding terms; a block ends a word. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replaceAll('<', ' <'), 'text/html')
  return body.textContent
}
