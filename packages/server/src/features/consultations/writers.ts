/** Writes consultations as generic records, and notifies the users they concern. */
import { tellConsultations, noteConsultation } from '../../domain/conversations/consultation-changes.ts'
import { channelOf, consultants, type Sockets } from '../../domain/delivery/sockets.ts'
import { within } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import type { Database } from '../../db/database.ts'
import type { FastifyBaseLogger } from 'fastify'

/** The writes of `consultations`: creating one emits an event, as changing one does. */
export const consultationWriters: EntryWriters = {
  ...entryWriters,
  create: (context, resource, draft, locale) =>
    within(context, resource, async (trx) => {
      const id = await entryWriters.create({ ...context, trx }, resource, draft, locale)
      noteConsultation(trx, id)
      return id
    }),
}

/**
 * Emits changes to the sockets of the users they concern, and free consultations to all consultants.
 *
 * @returns A function that stops it.
 */
export function tellOver(database: Database, { io }: Sockets, log: FastifyBaseLogger): () => void {
  return tellConsultations(database, ({ listeners, isFree, ...news }) => {
    try {
      const channels = [...(listeners ?? []).map(channelOf), ...(isFree ? [consultants] : [])]
      if (channels.length > 0) io.to(channels).emit('consultation:changed', { ...news, counts: null })
    } catch (error) {
      log.error({ err: error }, 'news of a consultation were not sent')
    }
  })
}
