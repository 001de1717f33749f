/** What tables are made of: columns, indexes, and those that searching and sorting ask for (decision 14). */
import { type Field, isScalar, kindOf, type Resource, type ScalarField } from '@dala/model'

export interface Column {
  name: string
  type: string
  notNull: boolean
  /** SQL text of the default. */
  preset?: string
  /** SQL text of a condition. */
  check?: string
  references?: { table: string; onDelete: 'set null' | 'restrict' | 'cascade' }
  identity?: true
  /** The collation when it is not the database's own. */
  collation?: 'C'
  /** Worked out by the database from columns of its row whenever one of them is written: SQL text. */
  generated?: { as: string; from: readonly string[] }
}
export interface Index {
  name: string
  table: string
  unique: boolean
  /** SQL texts: quoted columns or expressions. */
  parts: string[]
  /** Kind of the index; a tree when absent. */
  using?: 'gin'
}
export interface Table {
  name: string
  columns: Column[]
  primaryKey: string[]
  indexes: Index[]
}

/** Quotes an identifier that comes from the model. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
/** The column that `_q` looks at (decision 14). */
export const searchColumn = 'search'
// `search_key` passes over it, so no text has it and nobody can look for it: nothing is found across two texts.
export const betweenTexts = String.raw`E'\x1f'`

/** Whether a field is in the search text of its table, itself or by the field it repeats; texts in several languages and exact ones are not. */
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

/** The column with all that `_q` looks through in one table, and its index; nothing for a table without texts. */
export function searchTextOf(from: readonly string[], table: string): { columns: Column[]; indexes: Index[] } {
  if (from.length === 0) return { columns: [], indexes: [] }
  const as = from.map((name) => `coalesce(search_key(${quote(name)}), '')`).join(` || ${betweenTexts} || `)
  return {
    columns: [{ name: searchColumn, type: 'text', notNull: false, generated: { as, from } }],
    indexes: [
      {
        name: `${table}_search_idx`,
        table,
        unique: false,
        parts: [`${quote(searchColumn)} gin_trgm_ops`],
        using: 'gin',
      },
    ],
  }
}

/** The column that the search over all resources looks at: what names a record, as a search sees it. */
export const nameColumn = 'name_key'
/** Letters that are kept of what names a person: no name is longer, and an index takes no more than 2,700 bytes. */
const nameLength = 400

/** The fields that name a record of some screen, as texts of their table: the names of a person, and the title. */
export function nameTexts({ title, named = [], fields, screens = [], appended }: Resource): string[] {
  const names = [...named, title]
  const isText = (name: string) => {
    const field = fields[name]
    return field !== undefined && isInSearchText(field) && !('from' in field && field.from)
  }
  return screens.length > 0 && !appended && names.every(isText) ? names : []
}

/** Whether the whole key of a title fits into an index. */
export const isShortTitle = ({ title, named = [], fields }: Pick<Resource, 'title' | 'named' | 'fields'>): boolean => {
  const field = fields[title]
  return named.length === 0 && field !== undefined && isScalar(field) && isSortedWhole(field)
}

/**
 * The column with what names a record: the title, for people before it their names in both orders. `indexed`: the
 * list may be long. A tree answers how a name begins, groups of three letters what is inside it.
 */
export function nameKeyOf(
  resource: Pick<Resource, 'title' | 'named' | 'fields'>,
  table: string,
  indexed: boolean,
): { columns: Column[]; indexes: Index[] } {
  const { title, named = [] } = resource
  const key = (name: string) => `coalesce(search_key(${quote(name)}), '')`
  const person = (names: readonly string[]) => `btrim(${names.map(key).join(` || ' ' || `)})`
  const spelled = named.length > 0 ? [person(named), person(named.toReversed())] : []
  const joined = [...spelled, key(title)].join(` || ${betweenTexts} || `)
  const cut = (text: string) => `left(${text}, ${nameLength})`
  const as =
    indexed && isShortTitle(resource) ? joined : cut(named.length > 0 ? `ltrim(${joined}, ${betweenTexts})` : joined)
  const index = { table, unique: false }
  return {
    columns: [{ name: nameColumn, type: 'text', notNull: false, generated: { as, from: [...named, title] } }],
    indexes: indexed
      ? [
          { ...index, name: `${table}_${nameColumn}_idx`, parts: [`${quote(nameColumn)} gin_trgm_ops`], using: 'gin' },
          { ...index, name: `${table}_${nameColumn}_order_idx`, parts: [`${quote(nameColumn)} collate "C"`] },
        ]
      : [],
  }
}

/** Letters of a text that its sort column keeps: an index takes no more than 2,700 bytes. */
const sortedLength = 255

/** The column that a text is sorted by, folded as sorts compare it. */
export const sortColumn = (name: string): string => `${name}_sort`

/** Whether the sort column of a text holds all of it. */
export const isSortedWhole = (field: ScalarField): boolean => textLimit(field) <= sortedLength

/** The most characters that the column of a text takes. */
function textLimit(field: ScalarField): number {
  return Number(/^varchar\((\d+)\)$/.exec(kindOf(field).column(field))?.[1] ?? Infinity)
}

/**
 * The stored folded form of a text, which its sort reads instead of folding each row anew.
 *
 * @param name The text's own column.
 * @param field Its declaration.
 * @returns The generated column, in the order of code points.
 */
export function sortColumnOf(name: string, field: ScalarField): Column {
  const folded = `fold_search(${quote(name)})`
  const as = isSortedWhole(field) ? folded : `left(${folded}, ${sortedLength})`
  return { name: sortColumn(name), type: 'text', notNull: false, collation: 'C', generated: { as, from: [name] } }
}

/**
 * The indexes of an order. Values fall, because lists show the newest and largest first; texts rise. Either is walked
 * in both directions: equal values are put in the order of their ids on the way. Where rows belong to languages, one
 * index serves lists of one language, and one serves lists of one entry a document.
 *
 * @param table The table that has the column.
 * @param column The column; of a text its sort column.
 * @param falling Whether the largest value comes first in the index.
 * @param localized Whether the rows of the table belong to languages.
 * @returns One index, or two.
 */
export function sortIndexes(table: string, column: string, falling: boolean, localized: boolean): Index[] {
  const title = column.endsWith('_sort') ? column : `${column}_sort`
  return indexesOf(table, title, falling ? `${quote(column)} desc` : quote(column), localized)
}

/**
 * The index of a text's order without a column of its own: lines that are only added are never worked out anew.
 *
 * @param table The table that has the text.
 * @param column The text's column.
 * @returns The index.
 */
export const sortedTextIndex = (table: string, column: string): Index[] =>
  indexesOf(table, sortColumn(column), `(fold_search(${quote(column)}) collate "C")`, false)

function indexesOf(table: string, title: string, value: string, localized: boolean): Index[] {
  const parts = [value, '"id"']
  const own: Index = { name: `${table}_${title}_idx`, table, unique: false, parts }
  return localized ? [{ ...own, name: `${table}_locale_${title}_idx`, parts: ['"locale"', ...parts] }, own] : [own]
}
