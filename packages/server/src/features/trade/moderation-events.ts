/** Sends moderators the changes of their queue, with one query for changes at the same time. */
import type { FastifyBaseLogger } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { onPostChange } from '../../domain/market/post-changes.ts'
import { moderators, type Sockets } from '../../domain/delivery/sockets.ts'
import { countPosts } from './counts.ts'

interface ChangedPost {
  id: number
  state: string
  by: number | null
}

/**
 * Sends `moderation:changed` after every change of a trading post, its claim and its reports.
 *
 * @param database - The database whose changes are observed.
 * @param sockets - The sockets of moderators.
 * @param log - Receives errors.
 * @returns A function that stops it.
 */
export function notifyModerators(database: Database, sockets: Sockets, log: FastifyBaseLogger): () => void {
  const waitingPosts = new Set<number>()
  let isSending = false
  const sendPosts = async (documents: readonly number[]) => {
    const changedPosts = await database.query(sql<ChangedPost>`
      select (select min(t.id) from tradinposts_texts t where t.document_id = d.id) as id,
             case when d.edit_state = 'waiting' and d.status <> 'on_hold' then 'edit' else d.status end as state, d.moderated_by_id as by
        from tradinposts d where d.id = any(${[...documents]}::int[]) order by d.id`)
    const counts = await countPosts(database)
    for (const changedPost of changedPosts)
      sockets.to([moderators]).emit('moderation:changed', { ...changedPost, counts })
  }
  const sendWaitingPosts = async () => {
    if (isSending) return
    isSending = true
    while (waitingPosts.size > 0) {
      const documents = [...waitingPosts]
      waitingPosts.clear()
      await sendPosts(documents).catch((error: unknown) =>
        log.error({ err: error }, 'moderators were not notified of a post'),
      )
    }
    isSending = false
  }
  return onPostChange(database, (document) => {
    waitingPosts.add(document)
    void sendWaitingPosts()
  })
}
