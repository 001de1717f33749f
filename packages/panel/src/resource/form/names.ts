/**
 * The names of linked records in the visible language: a link has the language of the entry that contains it.
 */
import { type Entry, type Field, isLink, type Locale, type Resource } from '@dala/model'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { type LanguageFamily, isEntry } from './values.ts'

const listOf = (value: unknown): Entry[] => (Array.isArray(value) ? value : [value]).filter(isEntry)

/** Returns the entry of a record in a language, among its loaded entries. */
function entryOf(entry: Entry, language: Locale): Entry | undefined {
  const translations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...translations].filter(isEntry).find(({ locale }) => locale === language)
}

/**
 * Links of one entry mapped to those of another language, by target and id. Both lists have the same order.
 */
function namesBetween(resource: Resource, fromEntry: Entry, toEntry: Entry): Map<string, Entry> {
  const names = new Map<string, Entry>()
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!isLink(field)) continue
    const [fromLinks, toLinks] = [listOf(fromEntry[name]), listOf(toEntry[name])]
    // A list of links with a changed length has the former names until the form has loaded the colleague's
    // change.
    if (fromLinks.length !== toLinks.length) continue
    for (const [index, entry] of fromLinks.entries()) {
      const target = toLinks[index]
      if (target) names.set(`${field.target}/${entry.id}`, target)
    }
  }
  return names
}

/** Returns a linked record with its name in the visible language; unchanged while the name is not known. */
export function useNames(
  resource: Resource,
  record: Entry | null,
  languageFamily: LanguageFamily,
  language: Locale,
): (target: Resource, entry: Entry) => Entry {
  const queries = resourceQueries(resource)
  const isElsewhere = record !== null && record.locale !== language
  const member = resource.localized ? languageFamily.get(language)?.id : record?.id
  const ownNames = useQuery({
    ...queries.one(member ?? 0, language),
    enabled: isElsewhere && member !== undefined && !resource.single,
    placeholderData: keepPreviousData,
  })
  const singleQuery = useQuery({
    ...queries.single(language),
    enabled: isElsewhere && member !== undefined && resource.single === true,
    placeholderData: keepPreviousData,
  })
  const otherEntry = isElsewhere ? (resource.single ? singleQuery.data : ownNames.data) : undefined
  const names = record && otherEntry ? namesBetween(resource, record, otherEntry) : undefined
  return (target, entry) => {
    if (!target.localized) return entry
    return entryOf(entry, language) ?? names?.get(`${target.name}/${entry.id}`) ?? entry
  }
}
