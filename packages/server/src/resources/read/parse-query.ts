/**
 * Parses a query string's tree into a checked read: filters, sort, fields, populate, pages, languages
 * (contract §5–§8).
 */
import {
  type Caller,
  fault,
  isLocale,
  type Locale,
  maxOffset,
  maxPageSize,
  defaultPageSize,
  type Resource,
} from '@dala/model'
import { documentTable } from '../../db/schema.ts'
import type { View } from '../attributes.ts'
import { badParameter, isObject, QueryContext } from './context.ts'
import { parseFilters, parseSearch, readSelection, scopedSorts, scopeOf } from './parse-filters.ts'
import { collectLevels } from './parse-populate.ts'
import { readSorts } from './parse-sort.ts'
import { isReader } from './published.ts'
import type { Condition, EntryChoice, Pagination, ReadQuery, ReadShape } from './query.ts'
import { readText, readBoolean } from './query-values.ts'

export type QueryTree = Readonly<Record<string, unknown>>

/**
 * Parses the query of a list.
 *
 * @returns Shape, values and pagination of one statement. `pagination` replaces the query's own; `besides`
 *   adds the conditions of a route.
 * @throws 400 for unknown attributes, operators, directions and invalid pages.
 */
export function parseList(
  query: QueryTree,
  resource: Resource,
  caller: Caller,
  view: View,
  pagination: Pagination = readPagination(query.pagination),
  otherConditions: (context: QueryContext) => readonly Condition[] = () => [],
): ReadQuery {
  const context = new QueryContext(caller)
  context.dependsOn.add(documentTable(resource))
  const { locale, entries, missing, outdated } = readLanguage(query, resource)
  const levels = collectLevels(query, resource, view, caller)
  const sorts = readSorts(levels.all, context)

  const conditions: Condition[] = []
  if (query.filters !== undefined) conditions.push(parseFilters(query.filters, resource, view, context))
  if (query._q !== undefined && query._q !== '') {
    conditions.push(parseSearch(query._q, resource, view, context))
  }
  conditions.push(...otherConditions(context))
  const whereCondition = conditions.length > 1 ? { all: conditions } : conditions[0]
  const scope = scopeOf(context, resource, view.rows)
  const countedOptions = {
    resource: resource.name,
    locale,
    entries,
    ...(missing && { missing }),
    ...(outdated && { outdated }),
    ...(whereCondition && { where: whereCondition }),
    ...(scope && { scope }),
    ...(isReader(caller) && { published: 'copies' as const }),
  }
  const totalKey = JSON.stringify([countedOptions, context.differsByCaller ? context.values : context.values.slice(1)])

  const offset = pagination.form === 'page' ? (pagination.page - 1) * pagination.pageSize : pagination.start
  const shape: ReadShape = {
    ...countedOptions,
    kind: 'list',
    isFlat: resource.unwrapped === true,
    sort: scopedSorts(levels.firstLevel, sorts, context),
    selection: readSelection(levels.firstLevel, sorts, context),
    limit: pagination.form === 'page' ? pagination.pageSize : pagination.limit,
    ...(offset > 0 && { offset: context.slot(offset) }),
    count: pagination.withCount,
  }
  return { shape, values: context.values, dependsOn: context.dependsOn, pagination, totalKey }
}

/** Parses the query of one record: fields, populate and locale; the path has the id (contract §4). */
export function parseSingleQuery(
  query: QueryTree,
  resource: Resource,
  caller: Caller,
  view: View,
  id: number,
): ReadQuery {
  const context = new QueryContext(caller)
  const { locale } = readLanguage(query, resource)
  const { fields, populate } = query
  const levels = collectLevels({ fields, populate }, resource, view, caller)
  const sorts = readSorts(levels.all, context)
  const scope = scopeOf(context, resource, view.rows)
  const shape: ReadShape = {
    resource: resource.name,
    kind: 'one',
    isFlat: resource.unwrapped === true,
    locale,
    entries: 'all',
    ...(scope && { scope }),
    ...(isReader(caller) && { published: 'copies' }),
    sort: [],
    selection: readSelection(levels.firstLevel, sorts, context),
    id: context.slot(id),
    count: false,
  }
  return { shape, values: context.values, dependsOn: context.dependsOn, pagination: firstRows(1), totalKey: '' }
}

/** Pagination of a query without pages: one record, or a list of at most `limit` rows. */
export const firstRows = (limit: number): Pagination => ({
  form: 'offset',
  page: 1,
  pageSize: limit,
  start: 0,
  limit,
  withCount: false,
})

/** Parses the language of a query, and which entries of a localized type it lists (contract §8). */
function readLanguage(
  query: QueryTree,
  resource: Resource,
): { locale: Locale; entries: EntryChoice; missing?: Locale; outdated?: Locale } {
  const requestedLocale = query.locale === undefined ? 'en' : readText(query.locale, 'locale')
  const locale: Locale = isLocale(requestedLocale) ? requestedLocale : 'en'
  if (!resource.localized) return { locale, entries: 'all' }
  const readNamedLocale = (key: 'missing_locale' | 'outdated_locale') => {
    const value = query[key]
    if (value === undefined) return undefined
    if (!isLocale(value)) throw badParameter(key)
    return value
  }
  const missingLanguage = readNamedLocale('missing_locale')
  const outdatedLanguage = readNamedLocale('outdated_locale')
  const hasFallback = query.fallback !== undefined && readBoolean(query.fallback, 'fallback')
  const entries =
    requestedLocale === 'all' ? 'all' : !isLocale(requestedLocale) ? 'none' : hasFallback ? 'fallback' : 'locale'
  return {
    locale,
    entries,
    ...(missingLanguage && { missing: missingLanguage }),
    ...(outdatedLanguage && { outdated: outdatedLanguage }),
  }
}

/** Parses `page`/`pageSize` or `start`/`limit` of a query, clamped to their limits (contract §5). */
export function readPagination(value: unknown): Pagination {
  const pagination = value === undefined ? {} : value
  if (!isObject(pagination)) throw badParameter('pagination')
  const number = (key: string): number | undefined => {
    const item = pagination[key]
    if (item === undefined) return undefined
    const text = readText(item, `pagination[${key}]`)
    if (!/^-?\d{1,9}$/.test(text)) throw fault('query.pagination', { params: { key } })
    return Number(text)
  }
  const [page, pageSize, start, limit] = [number('page'), number('pageSize'), number('start'), number('limit')]
  const hasPage = page !== undefined || pageSize !== undefined
  const hasOffset = start !== undefined || limit !== undefined
  if (hasPage && hasOffset) throw fault('query.pagination-mixed')
  const withCount = pagination.withCount === undefined || readBoolean(pagination.withCount, 'withCount')

  const sizeWithin = (size: number) => Math.min(Math.max(size, 1), maxPageSize)
  const result: Pagination = {
    form: hasOffset ? 'offset' : 'page',
    page: Math.max(page ?? 1, 1),
    pageSize: sizeWithin(pageSize ?? defaultPageSize),
    start: Math.max(start ?? 0, 0),
    // A limit of -1 requests the maximum page size (contract §5).
    limit: limit === -1 ? maxPageSize : sizeWithin(limit ?? defaultPageSize),
    withCount,
  }
  const offset = hasOffset ? result.start : (result.page - 1) * result.pageSize
  if (offset > maxOffset) throw fault('query.pagination', { params: { key: hasOffset ? 'start' : 'page' } })
  return result
}
