/** The filters of a list: the declared fields that its user may read, by the kind of their condition. */
import {
  type CallerRole,
  decideAccess,
  type Field,
  isScalar,
  kindOf,
  locales,
  rankOfRole,
  type Resource,
} from '@dala/model'
import { findResource } from '../relation/targets.ts'

type FilterKind = 'text' | 'number' | 'day' | 'moment' | 'choice' | 'truth' | 'link' | 'presence' | 'language'

export interface Filter {
  /** Field that the filter is about, or one of the two filters about languages. */
  name: string
  kind: FilterKind
  /** Whether a record may be without a value, so that the filter can match an empty one. */
  isOptional: boolean
  /** Codes of the choice that the filter is about. */
  values?: readonly string[]
  /** Whether the filter takes only numbers without a fraction. */
  isInteger?: true
  /** Resource that the filtered link leads to. */
  target?: string
}

/** Filters of a localized resource that are not fields (contract §8). */
const languageFilters = ['missing_locale', 'outdated_locale'] as const
export const isLanguageFilter = (name: string): boolean => languageFilters.some((filterName) => filterName === name)
const momentFields: readonly string[] = ['createdAt', 'updatedAt']

const kindOfStorage = {
  integer: 'number',
  decimal: 'number',
  boolean: 'truth',
  date: 'day',
  timestamp: 'moment',
} as const

/** Kind of condition that filters a field; undefined when the field cannot be filtered. */
function filterOfField(name: string, field: Field): Filter | undefined {
  const isOptional = !(field.required || ('default' in field && field.default !== undefined) || field.computed)
  if (field.private || field.kind === 'password' || ('from' in field && field.from !== undefined)) return undefined
  if (field.kind === 'count') return { name, kind: 'number', isInteger: true, isOptional: false }
  if (field.kind === 'picture' || field.kind === 'pictures') return { name, kind: 'presence', isOptional: true }
  if (!isScalar(field))
    return { name, kind: 'link', target: field.target, isOptional: isOptional || field.kind === 'relations' }
  if ('values' in field) return { name, kind: 'choice', values: field.values, isOptional }
  const { storage } = kindOf(field)
  if (storage === 'json') return undefined
  if (storage === 'text') return { name, kind: 'text', isOptional }
  return {
    name,
    kind: kindOfStorage[storage],
    isOptional,
    ...(storage === 'integer' && { isInteger: true }),
  }
}

/**
 * Filter of a list by its name in the address; undefined for a field that the resource does not have or that
 * cannot be filtered.
 */
export function filterOf(resource: Resource, name: string): Filter | undefined {
  if (momentFields.includes(name)) return { name, kind: 'moment', isOptional: false }
  if (isLanguageFilter(name)) {
    return resource.localized ? { name, kind: 'language', values: locales, isOptional: false } : undefined
  }
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
  return field ? filterOfField(name, field) : undefined
}

/**
 * Whether the server lets the user filter by a field: the server refuses fields that the user may not read
 * (contract §14).
 */
export function isFieldVisible(
  resource: Resource,
  { name, target }: Pick<Filter, 'name' | 'target'>,
  callerRole: CallerRole,
): boolean {
  const grant = decideAccess(resource.access, 'list', callerRole)
  if (grant === false) return false
  if (grant !== true && grant.card && !isLanguageFilter(name)) {
    if (!resource.card?.includes(name)) return false
  }
  const minRole = resource.fields[name]?.readableBy
  if (minRole !== undefined && rankOfRole(callerRole.role) < rankOfRole(minRole)) return false
  const targetResource = target === undefined ? undefined : findResource(target)
  return (
    target === undefined ||
    (targetResource !== undefined && decideAccess(targetResource.access, 'list', callerRole) !== false)
  )
}

/** Every filter of a list for its user: the declared ones first, then the columns, then all others. */
export function filtersOfCaller(resource: Resource, callerRole: CallerRole): Filter[] {
  const { filters = [], columns = [] } = resource.list ?? {}
  const names = new Set([...filters, ...columns, ...Object.keys(resource.fields), ...momentFields, ...languageFilters])
  return [...names].flatMap((name) => {
    const filter = filterOf(resource, name)
    return filter && isFieldVisible(resource, filter, callerRole) ? [filter] : []
  })
}
