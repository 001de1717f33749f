/** Writes of trading posts; moderators are notified of new posts and of changed ones. */
import { sql } from '../../db/sql.ts'
import { notifyPostChange } from '../../domain/market/post-changes.ts'
import { runInTransaction } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'

/** Functions that write the resource `tradinposts`. */
export const postWriters: EntryWriters = {
  ...entryWriters,
  create: (context, resource, draft, locale) =>
    runInTransaction(context, resource, async (trx) => {
      const id = await entryWriters.create({ ...context, trx }, resource, draft, locale)
      const [post] = await trx.query(sql<{ document: number }>`
        select document_id as document from tradinposts_texts where id = ${id}`)
      if (post) notifyPostChange(trx, post.document)
      return id
    }),
}
