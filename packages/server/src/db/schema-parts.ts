/** What tables are made of: columns, indexes, and those that searching and sorting ask for (decision 14). */
import { type Field, isScalar, kindOf, type Resource } from '@dala/model'

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
/** Letters of it that are kept: no name is longer, and an index takes no more than 2,700 bytes. */
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

/**
 * The column with what names a record: the title, for people before it their names in both orders. `indexed`: the
 * list may be long. A tree answers how a name begins, groups of three letters what is inside it.
 */
export function nameKeyOf(
  { title, named = [] }: Pick<Resource, 'title' | 'named'>,
  table: string,
  indexed: boolean,
): { columns: Column[]; indexes: Index[] } {
  const key = (name: string) => `coalesce(search_key(${quote(name)}), '')`
  const person = (names: readonly string[]) => `btrim(${names.map(key).join(` || ' ' || `)})`
  const spelled = named.length > 0 ? [person(named), person(named.toReversed())] : []
  const joined = [...spelled, key(title)].join(` || ${betweenTexts} || `)
  const as = `left(${named.length > 0 ? `ltrim(${joined}, ${betweenTexts})` : joined}, ${nameLength})`
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

/** The index of an order: texts by their folded form as sorts compare them, within a language where there are several. */
export function orderIndex(table: string, column: string, isText: boolean, localized: boolean): Index {
  const value = isText ? `(fold_search(${quote(column)}) collate "C")` : quote(column)
  return {
    name: `${table}_${column}_order_idx`,
    table,
    unique: false,
    parts: [...(localized ? ['"locale"'] : []), value, '"id"'],
  }
}
