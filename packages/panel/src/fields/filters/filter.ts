/** What a list can be filtered by: the fields of a declaration that its reader may see, by the kind of their condition. */
import { type Asker, decide, type Field, isScalar, kindOf, locales, rankOf, type Resource } from '@dala/model'
import { findResource } from '../relation/targets.ts'

type FilterKind = 'text' | 'number' | 'day' | 'moment' | 'choice' | 'truth' | 'link' | 'presence' | 'language'

export interface Filter {
  /** The field, or one of the two questions about languages. */
  name: string
  kind: FilterKind
  /** A record may be without a value, so it can be asked for. */
  optional: boolean
  /** Choices: the codes. */
  values?: readonly string[]
  /** Numbers without a fraction. */
  whole?: true
  /** Links: the resource they point at. */
  target?: string
}

/** Filters beside the fields of a localized resource (contract §8). */
const languageFilters = ['missing_locale', 'outdated_locale'] as const
export const isLanguageFilter = (name: string): boolean => languageFilters.some((known) => known === name)
const moments: readonly string[] = ['createdAt', 'updatedAt']

const kindOfStorage = {
  integer: 'number',
  decimal: 'number',
  boolean: 'truth',
  date: 'day',
  timestamp: 'moment',
} as const

/** What a condition on a field can say; undefined: nobody filters by it. */
function filterOfField(name: string, field: Field): Filter | undefined {
  const optional = !(field.required || ('default' in field && field.default !== undefined) || field.computed)
  if (field.private || field.kind === 'password' || ('from' in field && field.from !== undefined)) return undefined
  if (field.kind === 'count') return { name, kind: 'number', whole: true, optional: false }
  if (field.kind === 'picture' || field.kind === 'pictures') return { name, kind: 'presence', optional: true }
  if (!isScalar(field))
    return { name, kind: 'link', target: field.target, optional: optional || field.kind === 'relations' }
  if ('values' in field) return { name, kind: 'choice', values: field.values, optional }
  const { storage } = kindOf(field)
  if (storage === 'json') return undefined
  if (storage === 'text') return { name, kind: 'text', optional }
  return { name, kind: kindOfStorage[storage], optional, ...(storage === 'integer' && { whole: true }) }
}

/** The filter of a name in an address; undefined for what the resource has not, or cannot be asked for. */
export function filterOf(resource: Resource, name: string): Filter | undefined {
  if (moments.includes(name)) return { name, kind: 'moment', optional: false }
  if (isLanguageFilter(name)) {
    return resource.localized ? { name, kind: 'language', values: locales, optional: false } : undefined
  }
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
  return field && !field.unused ? filterOfField(name, field) : undefined
}

/** Whether the server lets the reader ask for it: it refuses fields that he does not see (contract §14). */
export function isInSight(
  resource: Resource,
  { name, target }: Pick<Filter, 'name' | 'target'>,
  asker: Asker,
): boolean {
  const grant = decide(resource.access, 'list', asker)
  if (grant === false) return false
  if (grant !== true && grant.card && !isLanguageFilter(name)) {
    if (!resource.card?.includes(name)) return false
  }
  const least = resource.fields[name]?.readableBy
  if (least !== undefined && rankOf(asker.role) < rankOf(least)) return false
  const linked = target === undefined ? undefined : findResource(target)
  return target === undefined || (linked !== undefined && decide(linked.access, 'list', asker) !== false)
}

/** Every filter of a list for its reader: the declared ones first, then the columns, then everything else. */
export function filtersFor(resource: Resource, asker: Asker): Filter[] {
  const { filters = [], columns = [] } = resource.list ?? {}
  const names = new Set([...filters, ...columns, ...Object.keys(resource.fields), ...moments, ...languageFilters])
  return [...names].flatMap((name) => {
    const filter = filterOf(resource, name)
    return filter && isInSight(resource, filter, asker) ? [filter] : []
  })
}
