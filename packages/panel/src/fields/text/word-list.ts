/** Reads a list of short texts from the value of a form, and adds typed or pasted text. */
import { searchKeyOf } from '@dala/model'

/** Texts of a field's value; empty for anything but a list of texts. */
export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

/**
 * Adds the parts of a text to a list, separated by lines, sheet cells, commas and semicolons. Repeated texts
 * are skipped.
 */
export function addWords(formerList: readonly string[], text: string): readonly string[] {
  const knownKeys = new Set(formerList.map(searchKeyOf))
  const extendedList = [...formerList]
  for (const typedPart of text.split(/[\n\r\t,;]+/)) {
    const phrase = typedPart.trim().replace(/\s+/g, ' ')
    if (phrase === '' || knownKeys.has(searchKeyOf(phrase))) continue
    knownKeys.add(searchKeyOf(phrase))
    extendedList.push(phrase)
  }
  return extendedList
}
