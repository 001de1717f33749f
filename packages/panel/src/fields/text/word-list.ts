/** A list of short texts: reading what a form holds, and adding what was typed or pasted. */
import { foldSearch } from '@dala/model'

/** The texts of a value; what is no list of texts is none. */
export function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : []
}

/** The list with the words of a text: parted by lines, cells of a sheet, commas and semicolons; none stands in it twice. */
export function addWords(words: readonly string[], text: string): readonly string[] {
  const known = new Set(words.map(foldSearch))
  const next = [...words]
  for (const part of text.split(/[\n\r\t,;]+/)) {
    const word = part.trim().replace(/\s+/g, ' ')
    if (word === '' || known.has(foldSearch(word))) continue
    known.add(foldSearch(word))
    next.push(word)
  }
  return next
}
