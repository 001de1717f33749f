/** Texts of notices outside the panel, in the language of the reader. */
import { isLocale, localeNames, type MessageId, type Resource, resources, type WrittenLocale } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'

const isMessage = (texts: Readonly<Record<string, string>>, id: string): id is MessageId => Object.hasOwn(texts, id)

/** Returns a value of a notice as text: a resource by its label, languages by their names, a day as written. */
function paramText(locale: WrittenLocale, key: string, value: unknown): string {
  const labels = labelsOf(locale)
  if (key === 'resource') {
    const resource = Object.values<Resource>(resources).find(({ wire }) => wire === value)
    const label = `${resource?.name}.many`
    if (isMessage(labels, label)) return labels[label]
  }
  if (Array.isArray(value))
    return value.map((listItem) => (isLocale(listItem) ? localeNames[listItem] : String(listItem))).join(', ')
  if (key === 'date' && typeof value === 'string') return value.split('-').toReversed().join('.')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * Returns the text of a notice. Messages of notices replace `{word}` only, so that letters need no reader of
 * plural forms; `shown` is the number that `count` has in the panel.
 */
export function noticeText(locale: WrittenLocale, kind: string, params: Readonly<Record<string, unknown>>): string {
  const labels = labelsOf(locale)
  const id = `inbox.${kind}`
  const message = isMessage(labels, id) ? labels[id] : labels['inbox.other']
  return message.replace(/\{(\w+)\}/g, (_whole, key: string) => {
    const value = key === 'shown' ? params.count : params[key]
    return paramText(locale, key, value).replace(/\s+/g, ' ').trim()
  })
}
