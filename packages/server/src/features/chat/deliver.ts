/** Sends what happened in a room to its members (contract §11). */
import type { FastifyBaseLogger } from 'fastify'
import { channelOf, consultants, type Sockets } from '../../resources/sockets.ts'
import type { Deliver } from './deliveries.ts'

/** The sender of events: notes go to those who answer, everything else to both sides. */
export function deliverOver({ io }: Sockets, log: FastifyBaseLogger): Deliver {
  return ({ event, audience, asker, desk, prev }) => {
    try {
      const answering = desk.length > 0 ? desk.map(channelOf) : [consultants]
      io.to(answering)
        .except(channelOf(asker))
        .emit('update', { ...event, prev: prev.staff })
      if (audience === 'public') io.to(channelOf(asker)).emit('update', { ...event, prev: prev.public })
    } catch (error) {
      log.error({ err: error }, 'delivery failed')
    }
  }
}
