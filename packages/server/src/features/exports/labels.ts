/** Finds labels of an exported file in the user's language, in the catalogues of the panel. */
import type { MessageCandidates, WrittenLocale } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'

/**
 * Returns the label of the first key that has one; the last key itself if none has. Labels have no
 * placeholders.
 */
export function labelOf(language: WrittenLocale, keys: MessageCandidates): string {
  const catalogue: Readonly<Record<string, string>> = labelsOf(language)
  const key = keys.find((candidate) => Object.hasOwn(catalogue, candidate))
  return (key === undefined ? undefined : catalogue[key]) ?? keys.at(-1) ?? ''
}
