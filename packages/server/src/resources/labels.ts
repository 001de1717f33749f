/** The panel's catalogues of labels, for letters, files and the document of the API. */
import { createRequire } from 'node:module'
import { formatMessage, type Locale, type MessageCandidates, type MessageId, type Translate } from '@dala/model'

const loadModule = createRequire(import.meta.url)

/**
 * Returns the labels of one language. They are read at first use, because most processes need few of them.
 *
 * @param language - The language of the labels.
 * @returns The texts by their ids, as ICU messages.
 */
export const labelsOf = (language: Locale): Readonly<Record<MessageId, string>> =>
  loadModule(`@dala/model/labels/${language}.json`) as Record<MessageId, string>

/**
 * Makes the translate function of one language, for texts with placeholders and plurals.
 *
 * @param language - The language of the labels.
 */
export const translatorOf =
  (language: Locale): Translate =>
  (id, values) =>
    formatMessage(labelsOf(language)[id], language, values)

/** Tells whether the catalogues have a message for a key that was built by convention. */
export const hasLabel = (id: string): id is MessageId => Object.hasOwn(labelsOf('en'), id)

/**
 * Returns the message of the first key that exists, as the panel does: the last part of the last key if none
 * exists.
 */
export function firstLabel(language: Locale, candidates: MessageCandidates): string {
  const id = candidates.find(hasLabel)
  return id ? labelsOf(language)[id] : (candidates.at(-1)?.split('.').at(-1) ?? '')
}
