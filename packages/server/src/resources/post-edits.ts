/** Edits of public trading posts: what the author changed stands beside the approved text until a moderator has seen it. */
import type { Locale } from '@dala/model'
import { sql, type Template } from '../db/sql.ts'
import type { Queries, Transaction } from '../db/database.ts'

type Values = Readonly<Record<string, unknown>>

/** Changed values by field, links as documents: those that all languages share, and those of each language. */
export interface EditContent {
  shared: Values
  texts: Readonly<Partial<Record<Locale, Values>>>
}

/** An edit with the time of its first change. */
export interface StoredEdit {
  content: EditContent
  created_at: string
}

/**
 * Reads the edit that stands beside a post.
 *
 * @param queries The transaction, or the database.
 * @param document The document of the post.
 * @returns The edit; undefined when there is none.
 */
export async function readEdit(queries: Queries, document: number): Promise<StoredEdit | undefined> {
  const [edit] = await queries.query(sql<StoredEdit>`
    select content, created_at from post_edits where document_id = ${document}`)
  return edit
}

/**
 * Adds changes to the edit beside a post, whose document is locked.
 *
 * @param trx The transaction of the write.
 * @param document The document of the post.
 * @param locale The language that the write names.
 * @param changes The changed values by language.
 */
export async function addToEdit(
  trx: Transaction,
  document: number,
  locale: Locale | undefined,
  changes: { shared: Values; localized: Values },
): Promise<void> {
  const { content } = (await readEdit(trx, document)) ?? { content: { shared: {}, texts: {} } }
  const texts = { ...content.texts }
  if (locale && Object.keys(changes.localized).length > 0) texts[locale] = { ...texts[locale], ...changes.localized }
  await storeEdit(trx, document, { shared: { ...content.shared, ...changes.shared }, texts })
}

/** Stores the edit beside a post in place of what was there. */
export async function storeEdit(trx: Transaction, document: number, content: EditContent): Promise<void> {
  await trx.query(sql`
    insert into post_edits (document_id, content) values (${document}, ${JSON.stringify(content)}::jsonb)
    on conflict (document_id) do update set content = excluded.content`)
}

/** SQL of how many waiting edits show a file: a picture that moderators look at keeps its bytes. */
export const editsWithFileSql = (file: number): Template<number> => sql<number>`
  select count(*) from post_edits e
   where e.content -> 'shared' -> 'images' @> to_jsonb(${file}::int) or e.content -> 'shared' -> 'mainPhoto' = to_jsonb(${file}::int)`

/** Takes the edit away from a post. */
export async function dropEdit(trx: Transaction, document: number): Promise<void> {
  await trx.query(sql`delete from post_edits where document_id = ${document}`)
}
