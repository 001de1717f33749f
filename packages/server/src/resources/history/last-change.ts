/** The author and time of a record's last change, shown to a user who saves an older version. */
import type { ChatPerson, Locale, Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'

interface LastChange {
  changedBy: ChatPerson | null
  changedAt: string | null
}

/** SQL of the condition that a revision belongs to the part all languages share, or to one language. */
export const entryColumnSql = (locale: Template<unknown>): Template<unknown> =>
  sql`(r.locale is null or r.locale = ${locale})`

/**
 * The latest revision of an entry, including its shared part. Null when there is none or the program made it.
 */
export async function lastChangeOf(
  queries: Pick<Queries, 'query' | 'parts'>,
  resource: Resource,
  { document, locale }: { document: number; locale: Locale | undefined },
): Promise<LastChange> {
  const [row] = await queries.query(sql<LastChange>`
    select r.created_at as "changedAt", ${queries.parts.personSql(sql`r.user_id`)} as "changedBy" from revisions r
     where r.resource = ${documentTable(resource)} and r.document_id = ${document}
       and ${entryColumnSql(sql`${locale ?? null}::text`)}
     order by r.id desc limit 1`)
  return { changedBy: row?.changedBy ?? null, changedAt: row?.changedAt ?? null }
}
