/**
 * Edits of public trading posts: the author's changes are stored separately from the approved text until a
 * moderator has seen them.
 */
import type { Locale } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { notifyPostChange } from './post-changes.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Changed values by field, links as documents: those that all languages share, and those of each language.
 */
export interface EditContent {
  shared: Values
  texts: Readonly<Partial<Record<Locale, Values>>>
}

/** A pending edit of a trading post, with the time of its first change. */
export interface StoredEdit {
  content: EditContent
  created_at: string
}

/**
 * Reads the edit of a trading post.
 *
 * @param queries - The transaction, or the database.
 * @param document - The document of the post.
 * @returns The edit; undefined when there is none.
 */
export async function readEdit(queries: Queries, document: number): Promise<StoredEdit | undefined> {
  const [edit] = await queries.query(sql<StoredEdit>`
    select content, created_at from post_edits where document_id = ${document}`)
  return edit
}

/**
 * Adds changes to the edit of a trading post, whose document is locked.
 *
 * @param trx - The transaction of the write.
 * @param document - The document of the post.
 * @param locale - The language that the write names.
 * @param changes - The changed values by language.
 */
export async function addChangesToEdit(
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

/** Stores the edit of a trading post and replaces a former one. */
export async function storeEdit(trx: Transaction, document: number, content: EditContent): Promise<void> {
  await trx.query(sql`
    insert into post_edits (document_id, content) values (${document}, ${JSON.stringify(content)}::jsonb)
    on conflict (document_id) do update set content = excluded.content`)
}

/** SQL of the number of pending edits that show a file: a picture under moderation keeps its bytes. */
export const editsWithFileSql = (file: number): Template<number> => sql<number>`
  select count(*) from post_edits e
   where e.content -> 'shared' -> 'images' @> to_jsonb(${file}::int) or e.content -> 'shared' -> 'mainPhoto' = to_jsonb(${file}::int)`

/**
 * Removes a deleted file from the edits that show it. The edits differ from what a moderator has seen, so the
 * versions of the trading posts increase.
 *
 * @param trx - The transaction that removes the file.
 * @param file - The document of the file.
 */
export async function takeFileFromEdits(trx: Transaction, file: number): Promise<void> {
  const shownSql = sql`to_jsonb(${file}::int)`
  const changedEdits = await trx.query(sql<{ id: number }>`
    with held as (
      select d.id from post_edits e join tradinposts d on d.id = e.document_id
       where e.content -> 'shared' -> 'images' @> ${shownSql} or e.content -> 'shared' -> 'mainPhoto' = ${shownSql}
       order by d.id for update of d),
    edits as (
      update post_edits e set content = jsonb_set(content, '{shared}', content -> 'shared'
          || case when content -> 'shared' -> 'images' @> ${shownSql} then jsonb_build_object('images',
               (select coalesce(jsonb_agg(i.picture order by i.place), '[]')
                  from jsonb_array_elements(content -> 'shared' -> 'images') with ordinality as i(picture, place)
                 where i.picture <> ${shownSql})) else '{}' end
          || case when content -> 'shared' -> 'mainPhoto' = ${shownSql} then '{"mainPhoto":null}' else '{}'::jsonb end)
        from held where e.document_id = held.id),
    posts as (
      update tradinposts d set edit_at = greatest(now(), d.edit_at + interval '1 millisecond') from held where d.id = held.id)
    update tradinposts_texts t set version = t.version + 1, updated_at = now() from held where t.document_id = held.id
    returning t.document_id as id`)
  if (changedEdits.length > 0) trx.changed('tradinposts', 'values')
  for (const document of new Set(changedEdits.map(({ id }) => id))) notifyPostChange(trx, document)
}

/** Deletes the edit of a trading post. */
export async function discardEdit(trx: Transaction, document: number): Promise<void> {
  await trx.query(sql`delete from post_edits where document_id = ${document}`)
}
