/**
 * Finds records by a part of their name in any language, because the preview shows names in the language of
 * its user.
 */
import { type Caller, decideAccess, type ImportField } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { documentTable, textTable } from '../../../db/schema.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { plainName } from './near.ts'

/** Maximum number of ids that a search finds in one resource; further matches are left out. */
const maxNames = 5_000

/** Ids of found records as the rows of an import's preview store them, by the key of the link. */
export type FoundNames = ReadonlyMap<string, readonly number[]>

/** SQL of the ids of all languages of the records with a name that contains the text. */
function idsSql(target: string, text: string): Template<{ id: number }> {
  const resource = resourceNamed(target)
  const name = sql.ref(`t.${resource.title}`)
  if (!resource.localized) {
    const isTranslated = resource.fields[resource.title]?.kind === 'translations'
    const foundSql = isTranslated
      ? sql`exists (select from jsonb_each_text(${name}) as said where strpos(fold_case(said.value), ${text}) > 0)`
      : sql`strpos(fold_case(${name}::text), ${text}) > 0`
    return sql<{
      id: number
    }>`select t.id from ${sql.table(documentTable(resource))} t where ${foundSql} limit ${maxNames}::int`
  }
  const texts = sql.table(textTable(resource))
  return sql<{ id: number }>`
    select own.id from ${texts} own where own.document_id in (
      select t.document_id from ${texts} t where strpos(fold_case(${name}), ${text}) > 0) limit ${maxNames}::int`
}

/**
 * Finds records by a part of their name.
 *
 * @param queries - The database.
 * @param fields - The fields of the import.
 * @param caller - The caller; only records that they may list are found.
 * @param search - The part of a name.
 * @returns The matches for each field that links to a record.
 */
export async function findNames(
  queries: Pick<Queries, 'query'>,
  fields: readonly ImportField[],
  caller: Caller,
  search: string,
): Promise<FoundNames> {
  const text = plainName(search)
  const links = fields.flatMap(({ key, target }) =>
    target !== undefined && decideAccess(resourceNamed(target).access, 'list', caller) === true
      ? [{ key, target }]
      : [],
  )
  const foundIds = new Map<string, number[]>()
  if (text === '') return foundIds
  for (const target of new Set(links.map((link) => link.target))) {
    const ids = (await queries.query(idsSql(target, text))).map(({ id }) => id)
    if (ids.length > 0) for (const { key } of links.filter((link) => link.target === target)) foundIds.set(key, ids)
  }
  return foundIds
}
