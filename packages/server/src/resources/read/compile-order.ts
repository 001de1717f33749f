/** Compiles sorts: through to-one links down to a column; texts by their normalised form. */
import { searchKeyOf, isScalar, type Locale, locales, type Resource, type ScalarField } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { documentTable, hasSortColumn, sortedFields } from '../../db/schema.ts'
import { isSortedWhole, sortColumn } from '../../db/schema-parts.ts'
import { resourceNamed, resources } from '../attributes.ts'
import { conditionSql } from './compile-condition.ts'
import type { ReadShape, Sort } from './query.ts'
import {
  type Aliases,
  columnAttribute,
  columnSql,
  comparedSql,
  type EntryAlias,
  linkAttribute,
  relatedSql,
} from './sql-entry.ts'

type Sql = Template<unknown>

export const directionSql = ({ isDescending }: Pick<Sort, 'isDescending'>): Sql =>
  sql.raw(isDescending ? 'desc' : 'asc')

/** Returns the named field of a resource if a column of its own stores the field. */
function storedField({ fields }: Resource, name: string): ScalarField | undefined {
  const field = fields[name]
  return field && isScalar(field) && !field.computed && !('from' in field && field.from) ? field : undefined
}

const sortedNames = new Map<Resource, ReadonlySet<string>>()

/** Tells whether the normalised form of a text is stored for sorting. */
function isStoredFolded(resource: Resource, name: string, field: ScalarField): boolean {
  if (!hasSortColumn(resource, field)) return false
  let names = sortedNames.get(resource)
  if (!names) {
    names = new Set(
      [false, true].flatMap((localized) => sortedFields(resource, localized, resources)).map(([sortName]) => sortName),
    )
    sortedNames.set(resource, names)
  }
  return names.has(name)
}

const sortColumnSql = (entry: EntryAlias, name: string, { localized }: ScalarField): Sql =>
  sql.ref(`${localized ? entry.text : entry.document}.${sortColumn(name)}`)

/** SQL of a text as sorts compare it: ё next to е and Á next to A. */
const foldedSql = (column: Sql): Sql => sql`fold_search(${column}) collate "C"`

/**
 * SQL of a choice as the rank of its value in the order of texts; undefined where two values have one rank.
 */
function placeSql(entry: EntryAlias, name: string, field: ScalarField): Sql | undefined {
  if (field.kind !== 'choice') return undefined
  const valuesByKey = new Map(field.values.map((value) => [searchKeyOf(value), value]))
  if (valuesByKey.size < field.values.length) return undefined
  const orderedValues = [...valuesByKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => sql.lit(value))
  return sql`array_position(array[${sql.join(orderedValues)}]::text[], ${columnSql(entry, name)}::text)`
}

/** SQL of the value that a sort orders by. */
export function sortSql(
  { path, isDescending, scopes = [] }: Sort,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
): Sql {
  const [name = 'id', ...innerPath] = path
  if (innerPath.length === 0) {
    const field = storedField(entry.resource, name)
    if (field && isSortedWhole(field) && isStoredFolded(entry.resource, name, field))
      return sortColumnSql(entry, name, field)
    const positionSql = field && placeSql(entry, name, field)
    if (positionSql) return positionSql
    const column = comparedSql(entry, name, locale)
    return columnAttribute(entry.resource, name).storage === 'text' ? foldedSql(column) : column
  }
  const { target, place, isMany } = linkAttribute(entry.resource, name)
  const relatedSource = relatedSql(entry, target, place, locale, aliases)
  const value = sortSql(
    { path: innerPath, isDescending, scopes: scopes.slice(1) },
    relatedSource.entry,
    locale,
    aliases,
  )
  const [limit] = scopes
  const scope = limit ? sql` and ${conditionSql(limit, relatedSource.entry, locale, aliases)}` : sql``
  // A list of relations sorts by its first record in the direction of the requested sort.
  const firstSql = isMany ? sql` order by ${value} ${sql.raw(isDescending ? 'desc nulls last' : 'asc')}` : sql``
  return sql`(select ${value} from ${relatedSource.fromSql} where ${relatedSource.tieSql}${scope}${firstSql} limit 1)`
}

/** A value that a list is ordered by, with its direction. */
export interface SortKey {
  value: Sql
  isDescending: boolean
}

/**
 * The values that a list is ordered by: one for each sort, two
 * for a long text, of which only the beginning is indexed.
 *
 * @param sorts - The sorts of the query.
 * @param entry - The entry that the list shows.
 * @param locale - The language of the query.
 * @param aliases - Aliases of the statement.
 * @returns The values in their order.
 */
export function sortKeys(sorts: readonly Sort[], entry: EntryAlias, locale: Locale, aliases: Aliases): SortKey[] {
  return sorts.flatMap((sort) => {
    const { path, isDescending } = sort
    const value = sortSql(sort, entry, locale, aliases)
    const [name = 'id'] = path
    const field = path.length === 1 ? storedField(entry.resource, name) : undefined
    const isCut = field !== undefined && isStoredFolded(entry.resource, name, field) && !isSortedWhole(field)
    return [...(isCut ? [{ value: sortColumnSql(entry, name, field), isDescending }] : []), { value, isDescending }]
  })
}

/** Rows of a list with the same value of its first sort, or with none of the values that many rows share. */
export interface TieGroup {
  condition: Sql
  /**
   * Whether all rows of the group have one value of the list's first sort, so that the remaining sorts decide
   * the order.
   */
  isSingle: boolean
}

/** The targets of the link that a list is sorted through, each with the sort value of its records. */
export interface LinkedOrder {
  /**
   * SQL of the rows of a link's targets: `target`, `locale` where records of several languages are listed,
   * and `k0`.
   */
  targets: Sql
  /** Column of the document that stores the link which the list is sorted through. */
  column: string
  /** Whether the sort value of the link's target differs by the language of the record. */
  isByLanguage: boolean
  /**
   * Whether the sort value is a column of the target, which the planner knows; otherwise the rows are ordered
   * by `k0`.
   */
  isColumn: boolean
  /** SQL of whether a record has no target, by the column with the link: a target may not be published. */
  hasNoTargetSql: (link: Sql) => Sql
}

/**
 * The order of a list that is sorted through a to-one link. The value belongs to the target, so it is looked
 * up once per target, not once per record, and the list is read target by target.
 *
 * @param sort - The first sort of the list.
 * @param shape - What the list shows: its resource, its language, and which entries of it.
 * @param aliases - Aliases of the statement.
 * @returns The targets; undefined when the sort does not pass such a link, or when a target may be deleted.
 */
export function linkedOrder(
  sort: Sort | undefined,
  { resource: name, locale, entries, published }: Pick<ReadShape, 'resource' | 'locale' | 'entries' | 'published'>,
  aliases: Aliases,
): LinkedOrder | undefined {
  const [link = 'id', ...innerPath] = sort?.path ?? []
  if (!sort || innerPath.length === 0) return undefined
  const resource = resourceNamed(name)
  const { target, place } = linkAttribute(resource, link)
  if (place.in !== 'column' || place.onDelete === 'keep') return undefined
  const isByLanguage = resource.localized && entries !== 'locale'
  const { column } = place
  const hasNoTargetSql = (key: Sql) =>
    published === 'copies' && target.publishedCopies
      ? sql`(${key} is null or not exists (select 1 from ${sql.table(documentTable(target))} as f where f.id = ${key}))`
      : sql`${key} is null`
  if (!target.localized && !sort.scopes) {
    // Whether all languages and readers have the same sort value, so that an index may provide the order.
    const entry = aliases.entry(target)
    const value = sortSql({ ...sort, path: innerPath }, entry, locale, aliases)
    const targets = sql`select ${entry.documentId} as target, ${value} as k0 from ${entry.neededFrom}`
    return { targets, column, isByLanguage: false, isColumn: true, hasNoTargetSql }
  }
  const [parentAlias, language] = [aliases.next('g'), aliases.next('g')]
  const parent: EntryAlias = {
    resource,
    document: parentAlias,
    text: parentAlias,
    documentId: sql`null`,
    language: !resource.localized ? undefined : isByLanguage ? sql.ref(`${language}.locale`) : sql.lit(locale),
    computedSql: aliases.computedSql,
  }
  const value = sortSql(sort, parent, locale, aliases)
  const ids = sql`(select id as ${sql.ref(column)} from ${sql.table(documentTable(target))}) as ${sql.ref(parentAlias)}`
  const languages = sql.join(locales.map((listedLocale) => sql`(${sql.lit(listedLocale)})`))
  const [localeColumn, localeJoin] = isByLanguage
    ? [sql`, ${sql.ref(`${language}.locale`)}`, sql` cross join (values ${languages}) as ${sql.ref(language)}(locale)`]
    : [sql``, sql``]
  const targets = sql`select ${sql.ref(`${parentAlias}.${column}`)} as target${localeColumn}, ${value} as k0 from ${ids}${localeJoin} order by k0 ${directionSql(sort)}`
  return { targets, column, isByLanguage, isColumn: false, hasNoTargetSql }
}

/**
 * Splits a list by the values of its first sort that many rows may share: those of a choice
 * or a boolean, the default of a field, and null. Rows with one value are ordered by id. No
 * index on the value provides that order where the ids are in the other table of a localized
 * type, or run in the other direction. A list reads the head of each part: through the index
 * of the value where few rows have it, by id where many have it (decision 31).
 *
 * @param sort - The first sort of the list.
 * @param entry - The entry that the list shows.
 * @returns The parts, which do not overlap; undefined when values of the sort are rarely equal.
 */
export function tieGroups(sort: Sort | undefined, entry: EntryAlias): TieGroup[] | undefined {
  const [name = 'id', ...innerPath] = sort?.path ?? []
  const field = innerPath.length === 0 ? storedField(entry.resource, name) : undefined
  if (!field || field.kind === 'translations') return undefined
  const column = columnSql(entry, name)
  const defaultValue = 'default' in field ? field.default : undefined
  const emptyConditions =
    field.required || defaultValue !== undefined ? [] : [{ condition: sql`${column} is null`, isSingle: true }]
  const exactTie = (value: string | number | boolean): TieGroup => ({
    condition: sql`${column} = ${sql.lit(value)}`,
    isSingle: true,
  })
  if (field.kind === 'choice') return [...field.values.map(exactTie), ...emptyConditions]
  if (field.kind === 'bool') return [...[true, false].map(exactTie), ...emptyConditions]
  const isNumber = typeof defaultValue === 'number'
  if (!isNumber && emptyConditions.length === 0) return undefined
  const otherConditions = isNumber
    ? [sql`${column} < ${sql.lit(defaultValue)}`, sql`${column} > ${sql.lit(defaultValue)}`]
    : [sql`${column} is not null`]
  return [
    ...otherConditions.map((condition) => ({ condition, isSingle: false })),
    ...(isNumber ? [exactTie(defaultValue)] : emptyConditions),
  ]
}
