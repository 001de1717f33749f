/** The tables of the model: migrations are written from them and compared with them. */
import {
  type CountField,
  type Field,
  isScalar,
  isToMany,
  isToOne,
  kindOf,
  locales,
  type Resource,
  type ScalarField,
  type Storage,
  type ToManyField,
  type ToOneField,
} from '@dala/model'
import { publishedTablesOf } from './published-tables.ts'
import {
  type Column,
  type Index,
  isInSearchText,
  isShortTitle,
  isSortedWhole,
  nameColumn,
  nameKeyOf,
  nameTexts,
  quoteName,
  searchTextOf,
  sortColumn,
  sortColumnOf,
  sortedTextIndex,
  sortIndexes,
  type Table,
} from './schema-parts.ts'

/** The way in which a link is stored. */
export type LinkStorage =
  | { in: 'column'; target: string; column: string; onDelete: 'set null' | 'restrict' | 'cascade' | 'keep' }
  | { in: 'mirror'; target: string; column: string }
  | { in: 'table'; target: string; table: string; ownColumn: string; otherColumn: string; position: string }

/**
 * Returns the name of a resource's document table; a resource that is a subset of another's records uses that
 * one's tables.
 */
export const documentTable = (resource: Resource): string => resource.storedAs ?? resource.name
/** Name of the table with a localized resource's language rows (decision 6). */
export const textTable = (resource: Resource): string => `${documentTable(resource)}_texts`

/** Returns the fields of a resource that have a column, in one of its tables. */
export function columnFields(resource: Resource, localized: boolean): [string, ScalarField][] {
  return Object.entries<Field>(resource.fields).filter(
    (entry): entry is [string, ScalarField] =>
      isScalar(entry[1]) &&
      !entry[1].computed &&
      !('from' in entry[1] && entry[1].from) &&
      (entry[1].localized === true) === localized,
  )
}

/**
 * The storage of a link field; many-to-many tables belong to the side whose name comes first in the alphabet.
 */
export function linkStorage(
  resource: Resource,
  name: string,
  field: ToOneField | ToManyField,
  allResources: Record<string, Resource>,
): LinkStorage {
  if (isToOne(field)) {
    const onDelete = field.onDelete ?? (field.required ? 'restrict' : 'clear')
    return {
      in: 'column',
      target: field.target,
      column: `${name}_id`,
      onDelete: onDelete === 'clear' ? 'set null' : onDelete,
    }
  }
  const inverseField = field.inverse === undefined ? undefined : allResources[field.target]?.fields[field.inverse]
  if (inverseField && isToOne(inverseField))
    return { in: 'mirror', target: field.target, column: `${field.inverse}_id` }
  const holder = documentTable(resource)
  const isOwnSide = inverseField === undefined || field.inverse === undefined || holder < field.target
  const table = isOwnSide ? `${holder}_${name}` : `${field.target}_${field.inverse}`
  return isOwnSide
    ? {
        in: 'table',
        target: field.target,
        table,
        ownColumn: 'holder_id',
        otherColumn: 'target_id',
        position: 'position',
      }
    : {
        in: 'table',
        target: field.target,
        table,
        ownColumn: 'target_id',
        otherColumn: 'holder_id',
        position: 'inverse_position',
      }
}

/** Quotes a text of the model for SQL. */
function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function defaultSqlOf(field: ScalarField): string | undefined {
  if (!('default' in field) || field.default === undefined) return undefined
  return typeof field.default === 'string' ? quoteLiteral(field.default) : String(field.default)
}

function checkConstraintOf(name: string, field: ScalarField): string | undefined {
  if (field.kind === 'choice') return `${quoteName(name)} in (${field.values.map(quoteLiteral).join(', ')})`
  if (field.kind !== 'int' && field.kind !== 'decimal') return undefined
  const bounds = []
  if (field.min !== undefined) bounds.push(`${quoteName(name)} ${field.exclusiveMin ? '>' : '>='} ${field.min}`)
  if (field.max !== undefined) bounds.push(`${quoteName(name)} <= ${field.max}`)
  return bounds.length > 0 ? bounds.join(' and ') : undefined
}

function scalarColumn(name: string, field: ScalarField): Column {
  const defaultSql = defaultSqlOf(field)
  const checkSql = checkConstraintOf(name, field)
  return {
    name,
    type: kindOf(field).column(field),
    isRequired: field.required === true || defaultSql !== undefined,
    ...(defaultSql !== undefined && { defaultSql }),
    ...(checkSql !== undefined && { checkSql }),
  }
}

/** Names of the columns in one table whose texts `_q` searches. */
export function searchedColumns(resource: Resource, localized: boolean): string[] {
  return columnFields(resource, localized)
    .filter(([, field]) => isInSearchText(field))
    .map(([name]) => name)
}

const idColumn: Column = { name: 'id', type: 'integer', isRequired: true, identity: true }
const now = 'now()'
const stamps: Column[] = [
  { name: 'version', type: 'integer', isRequired: true, defaultSql: '1' },
  { name: 'created_at', type: 'timestamptz(3)', isRequired: true, defaultSql: now },
  { name: 'updated_at', type: 'timestamptz(3)', isRequired: true, defaultSql: now },
]
const localeCheck = (column: string) => `${column} in (${locales.map(quoteLiteral).join(', ')})`
const localeColumn = (name: string): Column => ({
  name,
  type: 'varchar(3)',
  isRequired: true,
  checkSql: localeCheck(quoteName(name)),
})

function uniqueIndexes(resource: Resource, localized: boolean, table: string): Index[] {
  return columnFields(resource, localized)
    .filter(([, field]) => field.unique)
    .map(([name, field]) => ({
      name: `${table}_${name}_key`,
      table,
      isUnique: true,
      parts: [
        ...(localized ? ['"locale"'] : []),
        field.caseInsensitive ? `fold_case(${quoteName(name)})` : quoteName(name),
      ],
    }))
}

/** The indexes of fields that are looked up by their whole value. */
function exactValueIndexes(resource: Resource, localized: boolean, table: string): Index[] {
  return columnFields(resource, localized)
    .filter(([, field]) => field.exact)
    .map(([name]) => ({ name: `${table}_${name}_idx`, table, isUnique: false, parts: [quoteName(name)] }))
}

/** Name of the column of a stored field; that of a link ends with `_id`. */
export function columnOf(resource: Resource, name: string): string {
  const field = resource.fields[name]
  return field && isToOne(field) ? `${name}_id` : name
}

/** PostgreSQL type of a stored field's column. */
export function columnType(resource: Resource, name: string): string {
  const field = resource.fields[name]
  if (!field) throw new Error(`${resource.name} has no field ${name}`)
  return isScalar(field) ? kindOf(field).column(field) : 'integer'
}

function tablesOfResource(resource: Resource, allResources: Record<string, Resource>): Table[] {
  const document: Table = {
    name: documentTable(resource),
    primaryKey: ['id'],
    columns: [idColumn],
    indexes: uniqueIndexes(resource, false, documentTable(resource)),
  }
  // A single resource has one record, even with two concurrent first saves.
  if (resource.single)
    document.indexes.push({
      name: `${document.name}_single_key`,
      table: document.name,
      isUnique: true,
      parts: ['(true)'],
    })
  for (const names of resource.uniqueTogether ?? [])
    document.indexes.push({
      name: `${document.name}_${names.join('_')}_key`,
      table: document.name,
      isUnique: true,
      parts: names.map((name) => quoteName(columnOf(resource, name))),
    })
  if (resource.localized) {
    document.columns.push(localeColumn('source_locale'), {
      name: 'source_changes',
      type: 'integer',
      isRequired: true,
      defaultSql: '0',
    })
  } else document.columns.push(...stamps)
  const search = searchTextOf(searchedColumns(resource, false), document.name)
  const name = nameKeyIn(resource, false, document.name)
  const sorts = isSortedInDatabase(resource, false, allResources)
  document.columns.push(
    ...columnFields(resource, false).map(([field, declaredField]) => scalarColumn(field, declaredField)),
    ...search.columns,
    ...name.columns,
    ...sorts.columns,
  )
  document.indexes.push(
    ...search.indexes,
    ...name.indexes,
    ...sorts.indexes,
    ...exactValueIndexes(resource, false, document.name),
  )

  const tables = [document]
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!isToOne(field) && !isToMany(field)) continue
    const storage = linkStorage(resource, name, field, allResources)
    if (storage.in === 'column') {
      document.columns.push({
        name: storage.column,
        type: 'integer',
        isRequired: field.required === true,
        ...(storage.onDelete !== 'keep' && { references: { table: storage.target, onDelete: storage.onDelete } }),
      })
      document.indexes.push({
        name: `${document.name}_${storage.column}_idx`,
        table: document.name,
        isUnique: false,
        parts: [quoteName(storage.column)],
      })
    } else if (storage.in === 'table' && storage.ownColumn === 'holder_id')
      tables.push(linkTable(storage, document.name))
  }
  if (resource.localized) tables.push(textsOf(resource, allResources))
  return tables
}

/** The column and indexes of the record name, in the table that has its title. */
function nameKeyIn(resource: Resource, localized: boolean, table: string): { columns: Column[]; indexes: Index[] } {
  const isNameHere =
    nameTexts(resource).length > 0 && (resource.fields[resource.title]?.localized === true) === localized
  return isNameHere ? nameKeyOf(resource, table, isLongList(resource)) : { columns: [], indexes: [] }
}

/** Tells whether an index serves the search for the names of a resource. */
export const hasNameIndex = (resource: Resource): boolean => nameTexts(resource).length > 0 && isLongList(resource)

/**
 * Makes the column with the whole search key of one text, with an index of its groups of three letters.
 *
 * @param resource - The resource.
 * @param name - One of its texts.
 * @returns The column's name; undefined when the key is stored together with others, truncated, or not at
 *   all.
 */
export const keyColumnOf = (resource: Resource, name: string): string | undefined =>
  name === resource.title && hasNameIndex(resource) && isShortTitle(resource) ? nameColumn : undefined

/**
 * Whether a list may be long: one that is ordered by hand is not, and neither is a resource without a list.
 */
function isLongList({ list, fields }: Resource): boolean {
  const [name = ''] = list?.sort?.split(':') ?? []
  return name !== '' && fields[name]?.kind !== 'int'
}

/**
 * Whether a list needs indexes for sorting. A list that
 * is ordered by hand and a single record are never long.
 */
function canBeLong({ list, fields, single }: Resource): boolean {
  const [name = ''] = list?.sort?.split(':') ?? []
  return !single && fields[name]?.kind !== 'int'
}

/**
 * Returns the sort fields of a resource: the columns on all screens, its own order, and the record name. Rows
 * without a screen (messages, prices) are written often and are sorted only by their own order.
 */
function listedFields({ list, screens, title, titleFields = [] }: Resource): string[] {
  const shownColumns = screens
    ? [list, ...screens.map((screen) => screen.list)].flatMap((listConfig) => listConfig?.columns ?? [])
    : []
  const lists = [list, ...(screens ?? []).map((screen) => screen.list)]
  const orders = lists.flatMap((listConfig) => [
    ...(listConfig?.sort?.split(':').slice(0, 1) ?? []),
    ...(listConfig?.sortable ?? []),
  ])
  return [...shownColumns, ...orders, title, ...titleFields]
}

const sortedKinds: ReadonlySet<Storage> = new Set(['text', 'integer', 'decimal', 'boolean', 'date', 'timestamp'])
/** Choices are compared by the ranks of their values, so the index contains the value itself. */
const isSortedText = (field: ScalarField): boolean => kindOf(field).storage === 'text' && field.kind !== 'choice'

/**
 * Returns the fields of one table that have a sort index (decision 31).
 *
 * @param resource - The resource that has the table.
 * @param localized - Whether the table is that of its language entries.
 * @param allResources - All resources: those stored in the same table have their own lists.
 * @returns Names and declarations; none for a resource whose lists are short.
 */
export function sortedFields(
  resource: Resource,
  localized: boolean,
  allResources: Readonly<Record<string, Resource>>,
): [string, ScalarField][] {
  const table = documentTable(resource)
  const sharingResources = Object.values(allResources).filter(
    (sharingResource) => documentTable(sharingResource) === table && canBeLong(sharingResource),
  )
  const names = new Set(sharingResources.flatMap(listedFields))
  const isShort = (field: ScalarField) => !isSortedText(field) || isSortedWhole(field) || resource.screens !== undefined
  return columnFields(resource, localized).filter(
    ([name, field]) =>
      names.has(name) && field.kind !== 'translations' && sortedKinds.has(kindOf(field).storage) && isShort(field),
  )
}

/**
 * Tells whether the sort key of a field is stored in its own column. Append-only rows have none: a trigger
 * compares them with their former content, and cannot see generated columns.
 *
 * @param resource - The resource that has the table.
 * @param field - One of its sorted fields.
 * @returns Whether the table has the column.
 */
export const hasSortColumn = ({ appendOnly }: Resource, field: ScalarField): boolean =>
  isSortedText(field) && !appendOnly

/**
 * Columns and indexes of the orders in one table: times
 * of creation and change, and the fields that lists show.
 */
function isSortedInDatabase(
  resource: Resource,
  localized: boolean,
  allResources: Readonly<Record<string, Resource>>,
): { columns: Column[]; indexes: Index[] } {
  if (!canBeLong(resource)) return { columns: [], indexes: [] }
  const table = localized ? textTable(resource) : documentTable(resource)
  const fields = sortedFields(resource, localized, allResources)
  const changes =
    !resource.appendOnly && (resource.screens !== undefined || listedFields(resource).includes('updatedAt'))
  const stampColumns = localized === resource.localized ? ['created_at', ...(changes ? ['updated_at'] : [])] : []
  const storedFields = fields.filter(([, field]) => hasSortColumn(resource, field))
  return {
    columns: storedFields.map(([name, field]) => sortColumnOf(name, field)),
    indexes: [
      ...stampColumns.flatMap((name) => sortIndexes(table, name, true, localized)),
      ...fields.flatMap(([name, field]) =>
        hasSortColumn(resource, field)
          ? sortIndexes(table, sortColumn(name), false, localized)
          : isSortedText(field)
            ? sortedTextIndex(table, name)
            : sortIndexes(table, name, true, localized),
      ),
    ],
  }
}

function linkTable(storage: LinkStorage & { in: 'table' }, holder: string): Table {
  const reference = (table: string) => ({ table, onDelete: 'cascade' as const })
  return {
    name: storage.table,
    primaryKey: ['holder_id', 'target_id'],
    columns: [
      { name: 'holder_id', type: 'integer', isRequired: true, references: reference(holder) },
      { name: 'target_id', type: 'integer', isRequired: true, references: reference(storage.target) },
      { name: 'position', type: 'integer', isRequired: true, defaultSql: '0' },
      { name: 'inverse_position', type: 'integer', isRequired: true, defaultSql: '0' },
    ],
    indexes: [
      { name: `${storage.table}_target_id_idx`, table: storage.table, isUnique: false, parts: ['"target_id"'] },
    ],
  }
}

function textsOf(resource: Resource, allResources: Record<string, Resource>): Table {
  const name = textTable(resource)
  const search = searchTextOf(searchedColumns(resource, true), name)
  const nameIndexKey = nameKeyIn(resource, true, name)
  const sorts = isSortedInDatabase(resource, true, allResources)
  return {
    name,
    primaryKey: ['id'],
    columns: [
      idColumn,
      {
        name: 'document_id',
        type: 'integer',
        isRequired: true,
        references: { table: documentTable(resource), onDelete: 'cascade' },
      },
      localeColumn('locale'),
      { name: 'seen_changes', type: 'integer', isRequired: true, defaultSql: '0' },
      ...stamps,
      ...columnFields(resource, true).map(([field, declaredField]) => scalarColumn(field, declaredField)),
      ...search.columns,
      ...nameIndexKey.columns,
      ...sorts.columns,
    ],
    indexes: [
      { name: `${name}_document_id_locale_key`, table: name, isUnique: true, parts: ['"document_id"', '"locale"'] },
      { name: `${name}_locale_id_idx`, table: name, isUnique: false, parts: ['"locale"', '"id"'] },
      ...uniqueIndexes(resource, true, name),
      ...search.indexes,
      ...nameIndexKey.indexes,
      ...sorts.indexes,
      ...exactValueIndexes(resource, true, name),
    ],
  }
}

/** The tables of the resources whose records have published copies. */
export function publishedResourceTables(allResources: Readonly<Record<string, Resource>>): Table[] {
  return Object.values(allResources)
    .filter(({ publishedCopies }) => publishedCopies)
    .flatMap((resource) => tablesOfResource(resource, { ...allResources }))
}

/** All tables of the registry, ordered by name. */
export function tablesOf(registry: Readonly<Record<string, Resource>>): Table[] {
  const allResources: Record<string, Resource> = { ...registry }
  const storedResources = Object.values(allResources).filter((resource) => resource.storedAs === undefined)
  return [
    ...storedResources.flatMap((resource) => tablesOfResource(resource, allResources)),
    ...publishedTablesOf(publishedResourceTables(allResources)),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A link seen from its target: the linking record loses the link when the target is deleted. */
export interface InboundLink {
  resource: Resource
  field: string
  storage: HolderStorage
}
type HolderStorage =
  | (LinkStorage & { in: 'column'; onDelete: 'set null' | 'restrict' | 'cascade' })
  | (LinkStorage & { in: 'table' })

/** Whether the link is stored with its holder and does not outlive its target. */
const isStoredWithHolder = (storage: LinkStorage): storage is HolderStorage =>
  storage.in === 'table' || (storage.in === 'column' && storage.onDelete !== 'keep')

/** The links of all resources that point at `target` and are stored with their holder. */
export function inboundLinks(target: Resource, allResources: Readonly<Record<string, Resource>>): InboundLink[] {
  return Object.values(allResources).flatMap((resource) =>
    Object.entries<Field>(resource.storedAs === undefined ? resource.fields : {}).flatMap(
      ([field, declaredField]): InboundLink[] => {
        if ((!isToOne(declaredField) && !isToMany(declaredField)) || declaredField.target !== documentTable(target))
          return []
        const storage = linkStorage(resource, field, declaredField, { ...allResources })
        return isStoredWithHolder(storage) ? [{ resource, field, storage }] : []
      },
    ),
  )
}

/** Name of the column in the counted table that links to the counting record. */
export const countColumn = (field: CountField): string => `${field.by}_id`
