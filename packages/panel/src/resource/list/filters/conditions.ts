/** The conditions of a list: those of its address, and those of the screen itself. */
import type { Locale, Resource, Screen } from '@dala/model'
import type { Query, QueryValue } from '../../../api/query-string.ts'
import { type Condition, readCondition } from '../../../fields/filters/condition.ts'
import { operatorsOf } from '../../../fields/filters/condition-query.ts'
import { type Filter, filterOf } from '../../../fields/filters/filter.ts'
import { readWhere, whereQuery } from './where.ts'

/** What the address says; everything that has its usual value is left out of it. */
export interface ListSearch {
  page?: number
  size?: number
  /** `field` or `field:desc`. */
  sort?: string
  q?: string
  /** Content language. */
  lang?: Locale
  /** Conditions by field, as the address spells them: `fields/filters/condition.ts`. */
  filter?: Readonly<Record<string, string>>
  /** Conditions joined by "and" and "or", as the address spells them: `where.ts`. */
  where?: string | undefined
  /** The field by whose values the rows stand together. */
  group?: string | undefined
}

/** The rows of a screen that shows some of a resource's records. */
export function onlyRows(only: Screen['only']): Query {
  return Object.fromEntries(Object.entries(only ?? {}).map(([name, value]) => [name, { $eq: value }]))
}

type QueryList = readonly QueryValue[]
type Narrowed = Query & { readonly filters: Query }

/** What the filters of the address and the screen's own rows ask of the server; languages are asked beside `filters`. */
export function narrowedBy(resource: Resource, { q, filter = {}, where }: ListSearch, rows: Query = {}): Narrowed {
  const filters: Record<string, Query> = {}
  const beside: Record<string, string> = {}
  for (const [name, text] of Object.entries(filter)) {
    const wanted = filterOf(resource, name)
    const condition = wanted && readCondition(wanted, text)
    if (!condition) continue
    if (wanted.kind === 'language') beside[name] = text
    else filters[name] = operatorsOf(wanted, condition)
  }
  // What the reader put together stands beside conditions of the same fields, so it is joined to them by its own key.
  const joined = where === undefined ? undefined : readWhere(where, (_name, text) => text)
  const own: QueryList = Array.isArray(rows['$and']) ? rows['$and'] : []
  const both = joined && { $and: [...own, whereQuery(resource, joined)] }
  return { ...beside, ...(q && { _q: q }), filters: { ...filters, ...rows, ...both } }
}

/** The field whose values stand as segments; none where the screen shows one of them only. */
export function segmentsOf({ resource, only }: Screen): string | undefined {
  const { segments, filters } = resource.list ?? {}
  const name = segments ?? (filters?.includes('active') ? 'active' : undefined)
  return name === undefined || name in (only ?? {}) ? undefined : name
}

/** One condition of the address, as it is shown. */
export interface Chip {
  filter: Filter
  condition: Condition
}

/** The conditions of a list, without the one that its segments show. */
export function chipsOf({ screen, search }: { screen: Screen; search: ListSearch }): Chip[] {
  const segments = segmentsOf(screen)
  return Object.entries(search.filter ?? {}).flatMap(([name, text]) => {
    const filter = filterOf(screen.resource, name)
    const condition = filter && readCondition(filter, text)
    const isSegment = name === segments && condition?.is === 'anyOf' && condition.values.length === 1
    return filter && condition && !isSegment ? [{ filter, condition }] : []
  })
}
