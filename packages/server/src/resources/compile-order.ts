/** Compiles sorts: through to-one links down to a column, texts by their folded form. */
import type { Locale } from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import { conditionSql } from './compile-condition.ts'
import type { Sort } from './query.ts'
import { type Aliases, columnAttribute, comparedSql, type EntryAlias, linkAttribute, relatedSql } from './sql-entry.ts'

type Sql = RawBuilder<unknown>

export const directionSql = ({ descending }: Sort): Sql => sql.raw(descending ? 'desc' : 'asc')

/** The value that a sort orders by. Texts are compared by their folded form, so that ё stands by е and Á by A. */
export function sortSql(
  { path, descending, scopes = [] }: Sort,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
): Sql {
  const [name = 'id', ...rest] = path
  if (rest.length === 0) {
    const column = comparedSql(entry, name, locale)
    return columnAttribute(entry.resource, name).storage === 'text' ? sql`fold_search(${column}) collate "C"` : column
  }
  const { target, place, many } = linkAttribute(entry.resource, name)
  const related = relatedSql(entry, target, place, locale, aliases)
  const value = sortSql({ path: rest, descending, scopes: scopes.slice(1) }, related.entry, locale, aliases)
  const [limit] = scopes
  const scope = limit ? sql` and ${conditionSql(limit, related.entry, locale, aliases)}` : sql``
  // A list sorts by the one of its entries that would come first.
  const first = many ? sql` order by ${value} ${sql.raw(descending ? 'desc nulls last' : 'asc')}` : sql``
  return sql`(select ${value} from ${related.from} where ${related.tied}${scope}${first} limit 1)`
}
