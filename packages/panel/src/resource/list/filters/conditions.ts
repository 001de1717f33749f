/** The conditions of a list: those of its address, and those of the screen itself. */
import type { Locale, Resource, Screen } from '@dala/model'
import type { Query, QueryValue } from '../../../api/query-string.ts'
import { type Condition, readCondition } from '../../../fields/filters/condition.ts'
import { operatorsOf } from '../../../fields/filters/condition-query.ts'
import { type Filter, filterOf } from '../../../fields/filters/filter.ts'
import { readWhere, whereQuery } from './where.ts'

/** State of a list in the address; default values are left out. */
export interface ListSearch {
  page?: number
  size?: number
  /** Sorted field of a list and its direction: `field` or `field:desc`. */
  sort?: string
  q?: string
  /** Content language of the list. */
  lang?: Locale
  /** Conditions of a list by field, in the spelling of `fields/filters/condition.ts`. */
  filter?: Readonly<Record<string, string>>
  /** Conditions of a list joined with "and" and "or", in the spelling of `where.ts`. */
  where?: string | undefined
  /** Field by whose values the rows of a list are grouped. */
  group?: string | undefined
}

/** Filter of a screen that shows some of a resource's records. */
export function fixedValuesFilter(screenValues: Screen['fixedValues']): Query {
  return Object.fromEntries(Object.entries(screenValues ?? {}).map(([name, value]) => [name, { $eq: value }]))
}

type QueryList = readonly QueryValue[]
type FilteredQuery = Query & { readonly filters: Query }

/**
 * Query filters of a list, from its address and its screen; language parameters are separate from `filters`.
 */
export function queryOfSearch(
  resource: Resource,
  { q, filter = {}, where }: ListSearch,
  rows: Query = {},
): FilteredQuery {
  const filters: Record<string, Query> = {}
  const extraParams: Record<string, string> = {}
  for (const [name, text] of Object.entries(filter)) {
    const namedFilter = filterOf(resource, name)
    const condition = namedFilter && readCondition(namedFilter, text)
    if (!condition) continue
    if (namedFilter.kind === 'language') extraParams[name] = text
    else filters[name] = operatorsOf(namedFilter, condition)
  }
  // Joined conditions may name the same fields as the others, so they are under a separate key.
  const combinedWhere = where === undefined ? undefined : readWhere(where, (_name, text) => text)
  const ownConditions: QueryList = Array.isArray(rows['$and']) ? rows['$and'] : []
  const allConditions = combinedWhere && { $and: [...ownConditions, whereQuery(resource, combinedWhere)] }
  return { ...extraParams, ...(q && { _q: q }), filters: { ...filters, ...rows, ...allConditions } }
}

/** Field whose values are the segments of a list; undefined where the screen fixes one of the values. */
export function segmentsOf({ resource, fixedValues }: Screen): string | undefined {
  const { segments, filters } = resource.list ?? {}
  const name = segments ?? (filters?.includes('active') ? 'active' : undefined)
  return name === undefined || name in (fixedValues ?? {}) ? undefined : name
}

/** Condition in the address of a list, as a chip shows it. */
export interface FilterChipData {
  filter: Filter
  condition: Condition
}

/** Conditions of a list, without the condition that its segments show. */
export function chipsOf({ screen, search }: { screen: Screen; search: ListSearch }): FilterChipData[] {
  const segments = segmentsOf(screen)
  return Object.entries(search.filter ?? {}).flatMap(([name, text]) => {
    const filter = filterOf(screen.resource, name)
    const condition = filter && readCondition(filter, text)
    const isSegment = name === segments && condition?.is === 'anyOf' && condition.values.length === 1
    return filter && condition && !isSegment ? [{ filter, condition }] : []
  })
}
