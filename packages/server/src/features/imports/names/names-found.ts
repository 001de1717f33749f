/** Records by a part of their name in any language: the preview shows names in the language of its reader. */
import { type Caller, decide, type ImportField } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { documentTable, textTable } from '../../../db/schema.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { plainName } from './near.ts'

/** Names that one search may mean; more than these narrow nothing. */
const most = 5_000

/** Ids as the rows of a preview have them, by the key of the field that leads to the records. */
export type FoundNames = ReadonlyMap<string, readonly number[]>

/** The ids of all languages of a record one of whose names contains the text. */
function idsSql(target: string, text: string): Template<{ id: number }> {
  const resource = resourceNamed(target)
  const name = sql.ref(`t.${resource.title}`)
  if (!resource.localized) {
    const isTranslated = resource.fields[resource.title]?.kind === 'translations'
    const found = isTranslated
      ? sql`exists (select from jsonb_each_text(${name}) as said where strpos(fold_case(said.value), ${text}) > 0)`
      : sql`strpos(fold_case(${name}::text), ${text}) > 0`
    return sql<{
      id: number
    }>`select t.id from ${sql.table(documentTable(resource))} t where ${found} limit ${most}::int`
  }
  const texts = sql.table(textTable(resource))
  return sql<{ id: number }>`
    select own.id from ${texts} own where own.document_id in (
      select t.document_id from ${texts} t where strpos(fold_case(${name}), ${text}) > 0) limit ${most}::int`
}

/**
 * Looks for records by a part of their name.
 *
 * @param queries - The database.
 * @param fields - The fields of the import.
 * @param caller - The reader: records that they may not list are not looked for.
 * @param search - The part of a name.
 * @returns What was found for each field that leads to a record.
 */
export async function namesFound(
  queries: Pick<Queries, 'query'>,
  fields: readonly ImportField[],
  caller: Caller,
  search: string,
): Promise<FoundNames> {
  const text = plainName(search)
  const links = fields.flatMap(({ key, target }) =>
    target !== undefined && decide(resourceNamed(target).access, 'list', caller) === true ? [{ key, target }] : [],
  )
  const found = new Map<string, number[]>()
  if (text === '') return found
  for (const target of new Set(links.map((link) => link.target))) {
    const ids = (await queries.query(idsSql(target, text))).map(({ id }) => id)
    if (ids.length > 0) for (const { key } of links.filter((link) => link.target === target)) found.set(key, ids)
  }
  return found
}
