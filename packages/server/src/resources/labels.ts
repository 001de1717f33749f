/** The panel's catalogues of labels, for letters, files and the document of the API. */
import { createRequire } from 'node:module'
import {
  formatMessage,
  isScriptLocale,
  localeOf,
  type MessageCandidates,
  type MessageId,
  messageInScript,
  scriptOf,
  type Translate,
  type WrittenLocale,
} from '@dala/model'

const loadModule = createRequire(import.meta.url)

type Labels = Readonly<Record<MessageId, string>>

const convertedLabels = new Map<WrittenLocale, Labels>()

/** Converts the labels of a language to its other script, each at its first use: all of them take tenths of a second. */
function convertLabels(written: WrittenLocale, latinLabels: Labels): Labels {
  const locale = localeOf(written)
  if (!isScriptLocale(locale)) return latinLabels
  const script = scriptOf(written)
  const messages = new Map<string, string>()
  return new Proxy(latinLabels, {
    get: (labels, id) => {
      const message: unknown = Reflect.get(labels, id)
      if (typeof id !== 'string' || typeof message !== 'string') return message
      const convertedMessage = messages.get(id) ?? messageInScript(message, locale, script)
      messages.set(id, convertedMessage)
      return convertedMessage
    },
  })
}

/**
 * Returns the labels of one language in its script. They are read at first use, because most processes need few of
 * them.
 *
 * @param written - The language of the labels, with its script.
 * @returns The texts by their ids, as ICU messages.
 */
export function labelsOf(written: WrittenLocale): Labels {
  const latinLabels = loadModule(`@dala/model/labels/${localeOf(written)}.json`) as Labels
  if (scriptOf(written) === 'latin') return latinLabels
  const labels = convertedLabels.get(written) ?? convertLabels(written, latinLabels)
  convertedLabels.set(written, labels)
  return labels
}

/**
 * Makes the translate function of one language, for texts with placeholders and plurals.
 *
 * @param language - The language of the labels, with its script.
 */
export const translatorOf =
  (language: WrittenLocale): Translate =>
  (id, values) =>
    formatMessage(labelsOf(language)[id], language, values)

/** Tells whether the catalogues have a message for a key that was built by convention. */
export const hasLabel = (id: string): id is MessageId => Object.hasOwn(labelsOf('en'), id)

/**
 * Returns the message of the first key that exists, as the panel does: the last part of the last key if none
 * exists.
 */
export function firstLabel(language: WrittenLocale, candidates: MessageCandidates): string {
  const id = candidates.find(hasLabel)
  return id ? labelsOf(language)[id] : (candidates.at(-1)?.split('.').at(-1) ?? '')
}
