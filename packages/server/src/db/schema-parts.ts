/** The parts of tables: columns, indexes, and those for searching and sorting (decision 14). */
import { type Field, isScalar, kindOf, type Resource, type ScalarField } from '@dala/model'

export interface Column {
  name: string
  type: string
  isRequired: boolean
  /** SQL text of the column's default value. */
  defaultSql?: string
  /** SQL text of the column's check. */
  checkSql?: string
  references?: { table: string; onDelete: 'set null' | 'restrict' | 'cascade' }
  identity?: true
  /** Collation of the column when it is not the database's own. */
  collation?: 'C'
  /**
   * SQL text of a generated column: the database computes it from columns of its row whenever one of them is
   * written.
   */
  generatedFrom?: { as: string; from: readonly string[] }
}
export interface Index {
  name: string
  table: string
  isUnique: boolean
  /** SQL texts of the indexed parts: quoted columns or expressions. */
  parts: string[]
  /** Kind of the index; a B-tree when absent. */
  indexKind?: 'gin'
}
export interface Table {
  name: string
  columns: Column[]
  primaryKey: string[]
  indexes: Index[]
}

/** Quotes an identifier that comes from the model. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
/** Name of the column that `_q` searches (decision 14). */
export const searchColumn = 'search'
// Character between texts that `search_key` skips, so that no match spans two texts.
export const textSeparatorSql = String.raw`E'\x1f'`

/**
 * Whether a field is in the search text of its table, itself or through the field it repeats. Texts in
 * several languages and exact ones are not.
 */
export function isInSearchText(field: Field): boolean {
  return (
    isScalar(field) &&
    kindOf(field).storage === 'text' &&
    field.kind !== 'translations' &&
    !field.private &&
    !field.exact &&
    !field.unsearched &&
    !field.computed
  )
}

/** Returns the column that `_q` searches in a table, and the index; nothing without texts. */
export function searchTextOf(
  searchedColumns: readonly string[],
  table: string,
): { columns: Column[]; indexes: Index[] } {
  if (searchedColumns.length === 0) return { columns: [], indexes: [] }
  const as = searchedColumns
    .map((name) => `coalesce(search_key(${quoteName(name)}), '')`)
    .join(` || ${textSeparatorSql} || `)
  return {
    columns: [{ name: searchColumn, type: 'text', isRequired: false, generatedFrom: { as, from: searchedColumns } }],
    indexes: [
      {
        name: `${table}_search_idx`,
        table,
        isUnique: false,
        parts: [`${quoteName(searchColumn)} gin_trgm_ops`],
        indexKind: 'gin',
      },
    ],
  }
}

/** The column that the search over all resources uses: the normalised name of a record. */
export const nameColumn = 'name_key'
/**
 * The maximum stored length of a person's name: no name is longer, and an index accepts at most 2,700 bytes.
 */
const nameLength = 400

/**
 * The fields that name a record on a screen, as texts of their table: the names of a person, and the title.
 */
export function nameTexts({ title, titleFields = [], fields, screens = [], appendOnly }: Resource): string[] {
  const names = [...titleFields, title]
  const isText = (name: string) => {
    const field = fields[name]
    return field !== undefined && isInSearchText(field) && !('from' in field && field.from)
  }
  return screens.length > 0 && !appendOnly && names.every(isText) ? names : []
}

/** Tells whether the whole search key of a title fits into an index. */
export const isShortTitle = ({
  title,
  titleFields = [],
  fields,
}: Pick<Resource, 'title' | 'titleFields' | 'fields'>): boolean => {
  const field = fields[title]
  return titleFields.length === 0 && field !== undefined && isScalar(field) && isSortedWhole(field)
}

/**
 * Makes the column with the searchable name of a record: the title, for people preceded by their names in
 * both orders. `indexed`: the list may be long. A tree finds beginnings of names, groups of three letters
 * find parts inside them.
 */
export function nameKeyOf(
  resource: Pick<Resource, 'title' | 'titleFields' | 'fields'>,
  table: string,
  isIndexed: boolean,
): { columns: Column[]; indexes: Index[] } {
  const { title, titleFields = [] } = resource
  const key = (name: string) => `coalesce(search_key(${quoteName(name)}), '')`
  const person = (names: readonly string[]) => `btrim(${names.map(key).join(` || ' ' || `)})`
  const spelledKeys = titleFields.length > 0 ? [person(titleFields), person(titleFields.toReversed())] : []
  const joinedKeys = [...spelledKeys, key(title)].join(` || ${textSeparatorSql} || `)
  const shortenSql = (text: string) => `left(${text}, ${nameLength})`
  const as =
    isIndexed && isShortTitle(resource)
      ? joinedKeys
      : shortenSql(titleFields.length > 0 ? `ltrim(${joinedKeys}, ${textSeparatorSql})` : joinedKeys)
  const index = { table, isUnique: false }
  return {
    columns: [
      { name: nameColumn, type: 'text', isRequired: false, generatedFrom: { as, from: [...titleFields, title] } },
    ],
    indexes: isIndexed
      ? [
          {
            ...index,
            name: `${table}_${nameColumn}_idx`,
            parts: [`${quoteName(nameColumn)} gin_trgm_ops`],
            indexKind: 'gin',
          },
          { ...index, name: `${table}_${nameColumn}_order_idx`, parts: [`${quoteName(nameColumn)} collate "C"`] },
        ]
      : [],
  }
}

/** The stored length of a text in its sort column: an index accepts at most 2,700 bytes. */
const sortedLength = 255

/** Name of the column that a text is sorted by, in normalised form. */
export const sortColumn = (name: string): string => `${name}_sort`

/** Tells whether the sort column of a text contains the whole text. */
export const isSortedWhole = (field: ScalarField): boolean => textLimit(field) <= sortedLength

/** Maximum number of characters in the column of a text field. */
function textLimit(field: ScalarField): number {
  return Number(/^varchar\((\d+)\)$/.exec(kindOf(field).column(field))?.[1] ?? Infinity)
}

/**
 * Makes the column with the normalised form of a text, so that a sort need not normalise each row.
 *
 * @param name - The text's own column.
 * @param field - Its declaration.
 * @returns The generated column, in the order of code points.
 */
export function sortColumnOf(name: string, field: ScalarField): Column {
  const foldedSql = `fold_search(${quoteName(name)})`
  const as = isSortedWhole(field) ? foldedSql : `left(${foldedSql}, ${sortedLength})`
  return {
    name: sortColumn(name),
    type: 'text',
    isRequired: false,
    collation: 'C',
    generatedFrom: { as, from: [name] },
  }
}

/**
 * Makes the indexes for sorting by a column. Values descend, because lists show the newest and largest first;
 * texts ascend. Each index is read in both directions, and equal values are ordered by id meanwhile. Where
 * rows belong to languages, one index serves lists of one language and another serves lists of one entry per
 * document.
 *
 * @param table - The table that has the column.
 * @param column - The column; of a text its sort column.
 * @param isDescending - Whether the largest value comes first in the index.
 * @param localized - Whether the rows of the table belong to languages.
 * @returns One index, or two.
 */
export function sortIndexes(table: string, column: string, isDescending: boolean, localized: boolean): Index[] {
  const title = column.endsWith('_sort') ? column : `${column}_sort`
  return indexesOf(table, title, isDescending ? `${quoteName(column)} desc` : quoteName(column), localized)
}

/**
 * Makes the index that sorts by a text without a sort column: append-only rows are never computed again.
 *
 * @param table - The table that has the text.
 * @param column - The text's column.
 * @returns The index.
 */
export const sortedTextIndex = (table: string, column: string): Index[] =>
  indexesOf(table, sortColumn(column), `(fold_search(${quoteName(column)}) collate "C")`, false)

function indexesOf(table: string, title: string, value: string, localized: boolean): Index[] {
  const parts = [value, '"id"']
  const titleIndex: Index = { name: `${table}_${title}_idx`, table, isUnique: false, parts }
  return localized
    ? [{ ...titleIndex, name: `${table}_locale_${title}_idx`, parts: ['"locale"', ...parts] }, titleIndex]
    : [titleIndex]
}
