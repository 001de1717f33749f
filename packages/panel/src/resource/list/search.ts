/** Reads the state of a list from the address bar, and makes the query for it. */
import {
  type CallerRole,
  defaultPageSize,
  type Field,
  isLink,
  isLocale,
  type Locale,
  pageSizes,
  type Resource,
} from '@dala/model'
import type { Query } from '../../api/query-string.ts'
import { languageOf } from '../../api/resource-queries.ts'
import { isMoney, namingFields } from '../../fields/field-display.tsx'
import { readCondition, writeCondition } from '../../fields/filters/condition.ts'
import { filterOf, isFieldVisible, isLanguageFilter } from '../../fields/filters/filter.ts'
import { type ListSearch, queryOfSearch } from './filters/conditions.ts'
import { readWhere, writeWhere } from './filters/where.ts'

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const toNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/**
 * Reads the state of a list from its address. Parts that are invalid for this resource and user are dropped,
 * never an error.
 */
export function readListSearch(
  resource: Resource,
  search: Readonly<Record<string, unknown>>,
  callerRole?: CallerRole,
): ListSearch {
  const { page, size, sort, q, lang, group } = search
  const pageNumber = toNumber(page)
  const pageSize = toNumber(size)
  const filter: Record<string, string> = {}
  const parseCondition = (name: string, text: string) => conditionText(resource, name, text, callerRole)
  for (const [key, value] of Object.entries(search)) {
    const text = key.startsWith('f.') ? parseCondition(key.slice(2), toText(value)) : undefined
    if (text !== undefined) filter[key.slice(2)] = text
  }
  // Language filters are separate query parameters, so they cannot be joined (contract §8).
  const conditionTree = readWhere(toText(search['where']), (name, text) =>
    isLanguageFilter(name) ? undefined : parseCondition(name, text),
  )
  return {
    ...(pageNumber !== undefined && pageNumber > 1 && { page: pageNumber }),
    ...(pageSize !== undefined && pageSizes.some((allowedSize) => allowedSize === pageSize) && { size: pageSize }),
    ...(typeof sort === 'string' && isSortable(resource, sort.replace(/:desc$/, '')) && { sort }),
    ...(toText(q) !== '' && { q: toText(q) }),
    ...(isLocale(lang) && { lang }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(conditionTree && { where: writeWhere(conditionTree) }),
    ...(typeof group === 'string' && isGroupable(resource, group, callerRole) && { group }),
  }
}

/** Spelling of a list's condition; undefined for a condition that is invalid here, or for this user. */
function conditionText(resource: Resource, name: string, text: string, callerRole?: CallerRole): string | undefined {
  const filter = filterOf(resource, name)
  if (!filter || (callerRole && !isFieldVisible(resource, filter, callerRole))) return undefined
  const condition = readCondition(filter, text)
  return condition && writeCondition(condition)
}

/** Whether rows can be grouped by a field: a choice, a yes/no field, or a link to one record. */
export function isGroupable(resource: Resource, name: string, callerRole?: CallerRole): boolean {
  const filter = filterOf(resource, name)
  if (!filter || (callerRole && !isFieldVisible(resource, filter, callerRole))) return false
  return filter.kind === 'choice' || filter.kind === 'truth' || resource.fields[name]?.kind === 'relation'
}

/** Address for the state of a list. */
export function writeListSearch({ filter, ...search }: ListSearch): Record<string, string | number> {
  const params: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(search)) if (value !== undefined && value !== '') params[key] = value
  for (const [name, value] of Object.entries(filter ?? {})) params[`f.${name}`] = value
  return params
}

/** Columns that a list can be sorted by: values, and to-one links by their title. */
export function isSortable(resource: Resource, name: string): boolean {
  if (name === 'id' || name === 'createdAt' || name === 'updatedAt') return true
  const field = resource.fields[name]
  return (
    field !== undefined &&
    field.kind !== 'json' &&
    field.kind !== 'relations' &&
    field.kind !== 'pictures' &&
    field.kind !== 'picture'
  )
}

/** Sort order of a list: that of the address, else the declared one. */
export function sortOf(resource: Resource, search: ListSearch): { field: string; descending: boolean } | undefined {
  const sort = search.sort ?? resource.list?.sort
  if (sort === undefined) return undefined
  return { field: sort.replace(/:desc$/, ''), descending: sort.endsWith(':desc') }
}

/** Whether any condition of the list is active, so that "nothing found" differs from "nothing there". */
export function hasConditions(search: ListSearch): boolean {
  return Boolean(search.q ?? search.where) || Object.keys(search.filter ?? {}).length > 0
}

type Targets = (name: string) => Resource | undefined

/**
 * Returns the API query for the state of a list: one page of the shown columns, links by their titles, and
 * the languages of each row.
 *
 * @param resource - The resource.
 * @param search - The state.
 * @param reader - The user's language.
 * @param targetOf - Finds the resource that a link points at.
 * @param rows - Conditions of the screen.
 * @param selectedColumns - The columns, if they differ from the declared ones.
 * @returns The query.
 */
export function listQuery(
  resource: Resource,
  search: ListSearch,
  reader: Locale,
  targetOf: Targets,
  rows: Query = {},
  selectedColumns: readonly string[] = resource.list?.columns ?? [],
): Query {
  const columns = shownFields(resource, search.group ? [...selectedColumns, search.group] : selectedColumns)
  return {
    ...languageOf(resource, search.lang ?? reader),
    fields: columns.filter(([, field]) => !field || !isLink(field)).map(([name]) => name),
    populate: populateOf(resource, columns, targetOf),
    ...sortQueryOf(resource, search, targetOf),
    ...queryOfSearch(resource, search, rows),
    pagination: { page: search.page ?? 1, pageSize: search.size ?? defaultPageSize },
  }
}

/** Order of a list's rows: by their group first, links by their titles. */
export function sortQueryOf(resource: Resource, search: ListSearch, targetOf: Targets): { sort?: string } {
  const pathOf = (name: string) => {
    const field = resource.fields[name]
    const target = field && isLink(field) ? targetOf(field.target) : undefined
    return target ? `${name}.${target.title}` : name
  }
  const sort = sortOf(resource, search)
  const ownSort = sort && `${pathOf(sort.field)}:${sort.descending ? 'desc' : 'asc'}`
  const group = search.group !== undefined && search.group !== sort?.field && `${pathOf(search.group)}:asc`
  const sortOrder = [group, ownSort].filter(Boolean).join(',')
  return sortOrder ? { sort: sortOrder } : {}
}

/** Name of the field with the picture of a record. */
export function pictureFieldOf({ fields, list }: Resource): string | undefined {
  return list?.leadPicture ?? Object.keys(fields).find((name) => fields[name]?.kind === 'picture')
}

/**
 * Fields that a list reads: its columns, its title, the line below it, and the picture where one is shown.
 */
function shownFields(resource: Resource, columns: readonly string[]): [string, Field | undefined][] {
  const { extraFields = [], subtitle, leadPicture, modes } = resource.list ?? {}
  const picture = modes ? pictureFieldOf(resource) : leadPicture
  const names = new Set([
    ...namingFields(resource),
    ...columns,
    ...extraFields,
    ...(picture ? [picture] : []),
    ...(subtitle ? [subtitle] : []),
  ])
  names.delete('id')
  // A price in a list is shown with its currency, so the currency is read too.
  if ('currency' in resource.fields && columns.some((name) => isMoney(resource, name))) names.add('currency')
  if (resource.localized) names.add('locale').add('outdated')
  // A column that is not a field is not read: it is made from other fields.
  return [...names]
    .filter((name) => name in resource.fields || isSystem(name))
    .map((name) => [name, resource.fields[name]])
}

const systemNames: readonly string[] = ['createdAt', 'updatedAt', 'version', 'locale', 'outdated']
const isSystem = (name: string) => systemNames.includes(name)

/**
 * Fields that name a linked record in a row; a unit also has its abbreviation, and fields that it is shown
 * with.
 */
const namesOf = (target: Resource): string[] => [
  ...namingFields(target),
  ...('short' in target.fields ? ['short'] : []),
  ...(target.drawingField === undefined ? [] : [target.drawingField]),
]

function populateOf(resource: Resource, columns: [string, Field | undefined][], targetOf: Targets): Query {
  const populate: Record<string, Query | true> = {}
  for (const [name, field] of columns) {
    if (!field || !isLink(field)) continue
    const target = targetOf(field.target)
    const fields =
      target?.filesPath !== undefined
        ? ['url', 'formats', 'focal', 'alternativeText', 'private']
        : target
          ? namesOf(target)
          : ['id']
    populate[name] = { fields }
  }
  if (resource.localized) populate.localizations = { fields: ['locale', 'outdated'] }
  return populate
}
