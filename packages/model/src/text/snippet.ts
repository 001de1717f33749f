/** Where a text has what a search found in it: folding is letter by letter, so a place in the key is a place in the text. */
import { searchKey, searchNeedles } from './fold.ts'

/** A piece of a text; `hit`: it is what was looked for, in whatever spelling. */
export interface SnippetPart {
  text: string
  hit: boolean
}

/** Letters before the first hit, and in all. */
const before = 60
const atMost = 200

/** The words of a search, each looked for by itself, in any order. */
export function searchWords(query: string): string[] {
  return query.split(/\s+/).filter((word) => searchKey(word) !== '')
}

/** Which letters of a text are part of a hit. */
function hitLetters(letters: readonly string[], words: readonly string[]): boolean[] {
  const keys = letters.map(searchKey)
  const key = keys.join('')
  // A letter may have several units in the key, or none.
  const letterAt = keys.flatMap((part, index) => Array.from({ length: part.length }, () => index))
  const hits = letters.map(() => false)
  for (const needle of words.flatMap(searchNeedles)) {
    if (needle === '') continue
    for (let at = key.indexOf(needle); at >= 0; at = key.indexOf(needle, at + 1)) {
      const [first = 0, last = 0] = [letterAt[at], letterAt[at + needle.length - 1]]
      hits.fill(true, first, last + 1)
      // The sign of oʻ belongs to it.
      for (let index = last + 1; keys[index] === ''; index += 1) hits[index] = true
    }
  }
  return hits
}

/** The beginning of the word that a place is in, not too far from it. */
function wordStart(letters: readonly string[], place: number): number {
  for (let at = place; at > Math.max(0, place - 20); at -= 1) if (/\s/u.test(letters[at - 1] ?? ' ')) return at
  return place
}

/**
 * A piece of a text around the first hit, cut into parts. In: the text, and the query as it was typed. Out: parts that
 * follow each other, `…` where the text goes on; without a hit the beginning of the text.
 */
export function snippetOf(text: string, query: string): SnippetPart[] {
  const letters = Array.from(text)
  const hits = hitLetters(letters, searchWords(query))
  const start = wordStart(letters, Math.max(0, hits.indexOf(true) - before))
  const end = Math.min(letters.length, start + atMost)
  const parts: SnippetPart[] = start > 0 ? [{ text: '…', hit: false }] : []
  for (let at = start; at < end; at += 1) {
    const [letter = '', hit = false] = [letters[at], hits[at]]
    const last = parts.at(-1)
    if (last?.hit === hit) last.text += letter
    else parts.push({ text: letter, hit })
  }
  if (end < letters.length) parts.push({ text: '…', hit: false })
  return parts
}
