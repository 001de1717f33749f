/** Words of a file in the reader's language, from the catalogues that the panel has. */
import { type Locale, type MessageCandidates } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'

/** The first of the keys that has words; the last key itself where none has. Labels have no placeholders. */
export function wordsOf(language: Locale, keys: MessageCandidates): string {
  const words: Readonly<Record<string, string>> = labelsOf(language)
  const key = keys.find((candidate) => Object.hasOwn(words, candidate))
  return (key === undefined ? undefined : words[key]) ?? keys.at(-1) ?? ''
}
