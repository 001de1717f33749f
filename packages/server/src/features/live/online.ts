/**
 * Announces which consultants and staff come online and go offline; `last_seen_at` of the account stores the
 * last presence.
 */
import type { FastifyBaseLogger } from 'fastify'
import { channelOf, desk, belongsToDesk, type Sockets } from '../../domain/delivery/sockets.ts'

/** Delay in milliseconds before a user counts as offline; a reload of the page takes less. */
const partingPause = 10_000

/**
 * Starts to announce presence: when the first socket of a consultant or staff member opens on this instance,
 * and a delay after their last one on any instance has closed.
 *
 * @returns A function that stops it.
 */
export function emitPresence(sockets: Sockets, log: FastifyBaseLogger): () => void {
  const openCounts = new Map<number, number>()
  const leavingTimers = new Map<number, NodeJS.Timeout>()
  const emitState = (user: number, state: 'online' | 'offline') => sockets.to([desk]).emit('presence', { user, state })
  const leaveDesk = async (user: number) => {
    leavingTimers.delete(user)
    const otherSockets = await sockets.io.in(channelOf(user)).fetchSockets()
    if (otherSockets.length === 0) emitState(user, 'offline')
  }

  sockets.onArrival(({ data: { caller } }) => {
    if (!belongsToDesk(caller)) return
    const count = openCounts.get(caller.id) ?? 0
    openCounts.set(caller.id, count + 1)
    clearTimeout(leavingTimers.get(caller.id))
    if (!leavingTimers.delete(caller.id) && count === 0) emitState(caller.id, 'online')
  })
  sockets.onParting(({ data: { caller } }) => {
    const count = (openCounts.get(caller.id) ?? 0) - 1
    if (count > 0) return void openCounts.set(caller.id, count)
    if (!openCounts.delete(caller.id)) return
    const warnOfPresence = (error: unknown) => log.warn({ err: error }, 'presence was not sent')
    leavingTimers.set(
      caller.id,
      setTimeout(() => void leaveDesk(caller.id).catch(warnOfPresence), partingPause).unref(),
    )
  })
  return () => {
    for (const timer of leavingTimers.values()) clearTimeout(timer)
  }
}
