/** Terms of the product's own glossary that occur in a text, with their translation. */
import { searchKey, searchKeyOf } from '@dala/model'

export interface GlossaryTerm {
  source: string
  target: string
}

type Messages = Readonly<Record<string, string>>

/**
 * Message keys of terms: names of records, fields and values. Sentences, buttons and messages are no terms.
 */
const nameKey = /(\.(one|many)$|\.fields\.|\.values\.|^(field|value|section|nav|unit|status)\.)/
const maxTermWords = 3

const partsOf = (text: string) => searchKeyOf(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The terms of two catalogues; of several terms with one source text the first is used. */
export function termsOf(source: Messages, target: Messages): GlossaryTerm[] {
  const terms = new Map<string, GlossaryTerm>()
  for (const [key, sourceText] of Object.entries(source)) {
    const translation = target[key]
    const parts = partsOf(sourceText)
    if (!nameKey.test(key) || translation === undefined || /[{}]/.test(sourceText + translation)) continue
    if (parts.length === 0 || parts.length > maxTermWords || parts.join('').length < 3) continue
    const normalized = parts.join(' ')
    if (normalized !== partsOf(translation).join(' ') && !terms.has(normalized))
      terms.set(normalized, { source: sourceText, target: translation })
  }
  return [...terms.values()]
}

/** Stem of a word: longer words lose their last letters, because endings change them. */
function stemOf(word: string): string {
  if (word.length < 5) return word
  return word.slice(0, Math.max(4, word.length - 2))
}

/** Maximum length of a word's ending; a longer rest makes another word. */
const maxEndingLength = 5
/** The same in a translation: endings of Uzbek and Karakalpak follow one another. */
const maxEndingsLength = 14

function isInflectedForm(word: string, baseForm: string, longestEnding = maxEndingLength): boolean {
  if (word === baseForm) return true
  const stem = stemOf(baseForm)
  // Short words of a term are similar to too many other words, so they match exactly only.
  return stem.length >= 4 && word.startsWith(stem) && word.length - stem.length <= longestEnding
}

/**
 * Finds glossary terms in a text.
 *
 * @param text - A text without markup.
 * @param limit - Maximum number of terms.
 * @returns Its terms, longer ones first; terms within a longer one are left out.
 */
export function findTerms(text: string, terms: readonly GlossaryTerm[], limit = 8): GlossaryTerm[] {
  const textParts = partsOf(text)
  const takenIndexes = new Set<number>()
  const foundTerms: GlossaryTerm[] = []
  const candidates = terms
    .map((term) => ({ term, parts: partsOf(term.source) }))
    .toSorted((a, b) => b.parts.length - a.parts.length || b.term.source.length - a.term.source.length)
  for (const { term, parts } of candidates) {
    const position = textParts.findIndex((_, start) =>
      parts.every(
        (termPart, index) =>
          !takenIndexes.has(start + index) && isInflectedForm(textParts[start + index] ?? '', termPart),
      ),
    )
    if (position === -1) continue
    foundTerms.push(term)
    // Further occurrences of a term in the text are the same term.
    for (const [start] of textParts.entries()) {
      if (parts.every((termPart, index) => isInflectedForm(textParts[start + index] ?? '', termPart)))
        for (const [index] of parts.entries()) takenIndexes.add(start + index)
    }
    if (foundTerms.length === limit) break
  }
  return foundTerms
}

/** Returns a term of Uzbek or Karakalpak without its plural ending, because a translation may use the singular. */
const singularOf = (word: string) => word.replace(/^(.{4,})l[ae]r[iı]?$/u, '$1')

const keysOf = (text: string) => searchKey(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A short word of a translation is looked for with any ending: the term is known to belong there. */
function isTranslatedWord(word: string, termWord: string): boolean {
  const singular = singularOf(termWord)
  return singular.length < 5 ? word.startsWith(singular) : isInflectedForm(word, singular, maxEndingsLength)
}

/**
 * Finds the terms that a translation does not use.
 *
 * @param terms - Terms of the source, with their translations.
 * @param translation - The translation, without markup.
 * @returns The terms of which a word is missing, in either alphabet and with any ending; none for an empty text.
 */
export function missedTerms(terms: readonly GlossaryTerm[], translation: string): GlossaryTerm[] {
  const words = keysOf(translation)
  if (words.length === 0) return []
  return terms.filter(({ target }) =>
    keysOf(target).some((termWord) => !words.some((word) => isTranslatedWord(word, termWord))),
  )
}

/** A part of a text: a term, or what is between two. */
export interface TermPart {
  text: string
  isTerm: boolean
}

/**
 * Divides a text at terms.
 *
 * @param text - A text without markup.
 * @param terms - The terms in the language of the text.
 * @returns Consecutive parts, which are the text together.
 */
export function termParts(text: string, terms: readonly string[]): TermPart[] {
  const words = Array.from(text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'‘’`ʻʼ]*/gu), ({ 0: word, index }) => ({
    word: searchKeyOf(word),
    start: index,
    end: index + word.length,
  }))
  const spans: { start: number; end: number }[] = []
  for (const parts of terms.map(partsOf).toSorted((one, other) => other.length - one.length)) {
    for (const [first, { start }] of words.entries()) {
      const last = words[first + parts.length - 1]
      const isFound = parts.every((part, index) =>
        isInflectedForm(words[first + index]?.word ?? '', singularOf(part), maxEndingsLength),
      )
      if (isFound && last && !spans.some((span) => start < span.end && span.start < last.end))
        spans.push({ start, end: last.end })
    }
  }
  const found: TermPart[] = []
  let position = 0
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start > position) found.push({ text: text.slice(position, start), isTerm: false })
    found.push({ text: text.slice(start, end), isTerm: true })
    position = end
  }
  if (position < text.length) found.push({ text: text.slice(position), isTerm: false })
  return found
}
