/**
 * Finds the matches of a search in a text. Keys are made letter by letter, so a position in the key is a
 * position in the text.
 */
import { searchKey, searchNeedles } from './fold.ts'

/** A part of a text; `hit` marks a match, in any spelling. */
export interface SnippetPart {
  text: string
  hit: boolean
}

/** Maximum number of letters in a snippet before the first match, and in total. */
const lettersBeforeHit = 60
const maxSnippetLength = 200

/**
 * The words of a search; each is searched for separately, in any order.
 *
 * @example
 * searchWords(' paxta  shira') // ['paxta', 'shira']
 */
export function searchWords(query: string): string[] {
  return query.split(/\s+/).filter((searchWord) => searchKey(searchWord) !== '')
}

/** Marks the letters of a text that belong to a match. */
function hitLetters(letters: readonly string[], queryWords: readonly string[]): boolean[] {
  const keys = letters.map(searchKey)
  const key = keys.join('')
  // A letter may have several characters in the search key, or none.
  const letterAt = keys.flatMap((letterKey, index) => Array.from({ length: letterKey.length }, () => index))
  const letterHits = letters.map(() => false)
  for (const needle of queryWords.flatMap(searchNeedles)) {
    if (needle === '') continue
    for (let hitIndex = key.indexOf(needle); hitIndex >= 0; hitIndex = key.indexOf(needle, hitIndex + 1)) {
      const [firstLetter = 0, lastLetter = 0] = [letterAt[hitIndex], letterAt[hitIndex + needle.length - 1]]
      letterHits.fill(true, firstLetter, lastLetter + 1)
      // The apostrophe of oʻ belongs to the letter before it.
      for (let index = lastLetter + 1; keys[index] === ''; index += 1) letterHits[index] = true
    }
  }
  return letterHits
}

/** Returns the start of the word at a position, at most 20 letters before it. */
function wordStart(letters: readonly string[], letterIndex: number): number {
  for (let scanIndex = letterIndex; scanIndex > Math.max(0, letterIndex - 20); scanIndex -= 1)
    if (/\s/u.test(letters[scanIndex - 1] ?? ' ')) return scanIndex
  return letterIndex
}

/**
 * Cuts a snippet around the first match into parts.
 *
 * @param text - The whole text.
 * @param query - The query as the user typed it.
 * @returns Consecutive parts, with `…` where text is omitted; the beginning of the text when nothing matches.
 * @example
 * snippetOf('Paxta bor', 'paxta') // [{ text: 'Paxta', hit: true }, { text: ' bor', hit: false }]
 */
export function snippetOf(text: string, query: string): SnippetPart[] {
  const letters = Array.from(text)
  const letterHits = hitLetters(letters, searchWords(query))
  const start = wordStart(letters, Math.max(0, letterHits.indexOf(true) - lettersBeforeHit))
  const end = Math.min(letters.length, start + maxSnippetLength)
  const parts: SnippetPart[] = start > 0 ? [{ text: '…', hit: false }] : []
  for (let scanIndex = start; scanIndex < end; scanIndex += 1) {
    const [letter = '', hit = false] = [letters[scanIndex], letterHits[scanIndex]]
    const lastPart = parts.at(-1)
    if (lastPart?.hit === hit) lastPart.text += letter
    else parts.push({ text: letter, hit })
  }
  if (end < letters.length) parts.push({ text: '…', hit: false })
  return parts
}
