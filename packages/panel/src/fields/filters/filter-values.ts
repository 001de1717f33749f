/** The values of filters as text: labels of choices, names of linked records. */
import { choiceLabel, type Entry, isLocale, localeNames, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { firstTranslation, useLocale } from '../../lib/i18n.ts'
import { namingFields } from '../field-display.tsx'
import type { Filter } from './filter.ts'

/** Records by id, for the names of linked records chosen in a filter. */
export function useLinked(target: Resource, ids: readonly string[], isEnabled = true) {
  const locale = useLocale()
  const idFilter = { id: { $in: ids } }
  const query = {
    ...languageOf(target, locale),
    fields: namingFields(target),
    // The address of a filter may have the id of any of a record's languages (contract §8).
    ...(target.localized && { populate: { localizations: { fields: ['locale'] } } }),
    filters: target.localized ? { $or: [idFilter, { localizations: idFilter }] } : idFilter,
    pagination: { pageSize: 100, withCount: false },
  }
  const { data } = useQuery({ ...resourceQueries(target).list(query), enabled: isEnabled && ids.length > 0 })
  return data?.entries
}

/** Returns whether a record has an id, in any of its languages. */
export function isRecord(entry: Entry, id: string): boolean {
  const otherLocalizations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  return [entry, ...otherLocalizations].some(
    (member) => typeof member === 'object' && member !== null && 'id' in member && String(member.id) === id,
  )
}

/** Label of one value in a filter: of a choice, a yes/no field or a language. */
export function valueLabel(resource: Resource, { name, kind }: Filter, value: string): string {
  if (kind === 'language') return isLocale(value) ? localeNames[value] : value
  if (name === 'active' && kind === 'truth')
    return firstTranslation([value === 'true' ? 'status.active' : 'status.inactive'])
  return firstTranslation(
    kind === 'truth' ? [value === 'true' ? 'action.yes' : 'action.no'] : choiceLabel(resource, name, value),
  )
}
