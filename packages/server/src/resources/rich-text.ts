/** Sanitises rich text for storing, and removes its markup. */
import { createRequire } from 'node:module'
import type { IOptions } from 'sanitize-html'

const loadModule = createRequire(import.meta.url)
let loadedSanitizer: typeof import('sanitize-html') | undefined
/** The sanitiser is loaded with the first rich text, because no start needs its hundred modules. */
const sanitizer = () => (loadedSanitizer ??= loadModule('sanitize-html') as typeof import('sanitize-html'))

/** Allowed rich text (checklist §7): no style, no handlers, no foreign schemes. */
const allowedMarkup: IOptions = {
  allowedTags: [
    'p',
    'br',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'h2',
    'h3',
    'h4',
    'ul',
    'ol',
    'li',
    'blockquote',
    'hr',
    'code',
    'pre',
    'a',
    'img',
    'figure',
    'figcaption',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: { a: (tagName, attributes) => ({ tagName, attribs: { ...attributes, rel: 'noopener noreferrer' } }) },
}

/** Returns HTML reduced to the allow list. */
export function sanitizeRich(html: string): string {
  return sanitizer()(html, allowedMarkup)
}

/** Returns HTML without any markup. */
export function withoutMarkup(html: string): string {
  return sanitizer()(html, { allowedTags: [], allowedAttributes: {} })
}
