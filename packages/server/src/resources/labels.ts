/** The panel's catalogues of labels, for letters, files and the document of the API. */
import { createRequire } from 'node:module'
import type { Locale, MessageId } from '@dala/model'

const loadModule = createRequire(import.meta.url)

/**
 * Returns the labels of one language. They are read at first use, because most processes need few of them.
 *
 * @param language - The language of the labels.
 * @returns The texts by their ids, as ICU messages.
 */
export const labelsOf = (language: Locale): Readonly<Record<MessageId, string>> =>
  loadModule(`@dala/model/labels/${language}.json`) as Record<MessageId, string>
