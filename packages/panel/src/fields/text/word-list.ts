/** Reads a list of short texts from the value of a form, and adds typed or pasted text. */
import { searchKeyOf } from '@dala/model'

/** Texts of a field's value; empty for anything but a list of texts. */
export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : []
}

/**
 * Adds the parts of a text to a list, separated by lines, sheet cells, commas and semicolons. Repeated texts
 * are skipped.
 */
export function addWords(words: readonly string[], text: string): readonly string[] {
  const knownKeys = new Set(words.map(searchKeyOf))
  const extendedList = [...words]
  for (const typedPart of text.split(/[\n\r\t,;]+/)) {
    const word = typedPart.trim().replace(/\s+/g, ' ')
    if (word === '' || knownKeys.has(searchKeyOf(word))) continue
    knownKeys.add(searchKeyOf(word))
    extendedList.push(word)
  }
  return extendedList
}
