/** Converts rich text to plain lines, for table cells. */
import { withoutMarkup } from './rich-text.ts'

/** HTML tags that end a line. */
const lineEnd = /<br\s*\/?>|<\/(?:p|h[1-6]|li|blockquote|pre|figcaption|tr|div)>/gi
const cellEnd = /<\/t[dh]>/gi
const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Returns the text of HTML: a line for each paragraph and item, without markup. */
export function plainText(html: string): string {
  const lines = html.replace(lineEnd, '$&\n').replace(cellEnd, '$&\t')
  return withoutMarkup(lines)
    .replace(/&(?:lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign)
    .replaceAll('\u00a0', ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}
