/** Writes consultations as generic records, and notifies the users whom these concern. */
import { notifyNewQuestion } from '../../domain/conversations/consultation-notices.ts'
import { onConsultationChange, notifyConsultation } from '../../domain/conversations/consultation-changes.ts'
import { routeConsultation } from '../../domain/conversations/routing.ts'
import { channelOf, consultants, type Sockets } from '../../domain/delivery/sockets.ts'
import { runInTransaction, isTrusted } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import type { Database } from '../../db/database.ts'
import type { FastifyBaseLogger } from 'fastify'

/** Functions that write the resource `consultations`, and emit an event for each write. */
export const consultationWriters: EntryWriters = {
  ...entryWriters,
  create: (context, resource, draft, locale) =>
    runInTransaction(context, resource, async (trx) => {
      const id = await entryWriters.create({ ...context, trx }, resource, draft, locale)
      notifyConsultation(trx, id)
      // A question that no rule gives to somebody waits in the queue; those who may take it are notified.
      if (!isTrusted(context) && !(await routeConsultation(trx, id)))
        await notifyNewQuestion(trx, id, context.author.caller.id)
      return id
    }),
}

/**
 * Emits changes of consultations to the sockets of the users they concern, and free consultations to all
 * consultants.
 *
 * @returns A function that stops it.
 */
export function emitChanges(database: Database, { io }: Sockets, log: FastifyBaseLogger): () => void {
  return onConsultationChange(database, ({ listeners, isFree, ...updateFields }) => {
    try {
      const channels = [...(listeners ?? []).map(channelOf), ...(isFree ? [consultants] : [])]
      if (channels.length > 0) io.to(channels).emit('consultation:changed', { ...updateFields, counts: null })
    } catch (error) {
      log.error({ err: error }, 'news of a consultation were not sent')
    }
  })
}
