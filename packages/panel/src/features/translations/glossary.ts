/** Words of the product's own glossary that occur in a text, with their word in another language. */
import { foldSearch } from '@dala/model'

export interface Term {
  source: string
  target: string
}

type Words = Readonly<Record<string, string>>

/** What things are called: records, their fields and values. Sentences, buttons and messages are no terms. */
const naming = /(\.(one|many)$|\.fields\.|\.values\.|^(field|value|section|nav|unit|status)\.)/
const longest = 3

const partsOf = (text: string) => foldSearch(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The terms of two catalogues; of several with the same source the first one. */
export function termsOf(source: Words, target: Words): Term[] {
  const terms = new Map<string, Term>()
  for (const [key, word] of Object.entries(source)) {
    const other = target[key]
    const parts = partsOf(word)
    if (!naming.test(key) || other === undefined || /[{}]/.test(word + other)) continue
    if (parts.length === 0 || parts.length > longest || parts.join('').length < 3) continue
    const folded = parts.join(' ')
    if (folded !== partsOf(other).join(' ') && !terms.has(folded)) terms.set(folded, { source: word, target: other })
  }
  return [...terms.values()]
}

/** What a word keeps in all its cases: longer words lose their last letters to the endings. */
function stemOf(word: string): string {
  if (word.length < 5) return word
  return word.slice(0, Math.max(4, word.length - 2))
}

/** An ending is short; a longer rest makes another word. */
const endingAtMost = 5

function isForm(word: string, of: string): boolean {
  if (word === of) return true
  const stem = stemOf(of)
  // Short words have too many neighbours: only themselves.
  return stem.length >= 4 && word.startsWith(stem) && word.length - stem.length <= endingAtMost
}

/** In: a text without markup. Out: its terms, longer ones first, those within a longer one left out; at most `most`. */
export function termsIn(text: string, terms: readonly Term[], most = 8): Term[] {
  const words = partsOf(text)
  const taken = new Set<number>()
  const found: Term[] = []
  const wanted = terms
    .map((term) => ({ term, parts: partsOf(term.source) }))
    .toSorted((a, b) => b.parts.length - a.parts.length || b.term.source.length - a.term.source.length)
  for (const { term, parts } of wanted) {
    const at = words.findIndex((_, start) =>
      parts.every((part, index) => !taken.has(start + index) && isForm(words[start + index] ?? '', part)),
    )
    if (at === -1) continue
    found.push(term)
    // The same words elsewhere in the text are the same term.
    for (const [start] of words.entries()) {
      if (parts.every((part, index) => isForm(words[start + index] ?? '', part)))
        for (const [index] of parts.entries()) taken.add(start + index)
    }
    if (found.length === most) break
  }
  return found
}
