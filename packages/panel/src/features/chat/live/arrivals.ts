/**
 * Emits delivery receipts for this client: the newest message of each room, within the rate limit of the
 * server.
 */

/**
 * The server disconnects a client that emits more than twenty events a second; half of them stay free for the
 * page.
 */
const receiptPause = 500
const maxReceiptsPerBatch = 5

export interface ArrivalQueue {
  /** Records that a chat message of another user has arrived. */
  add: (room: number, seq: number) => void
  stop: () => void
}

/**
 * Starts to collect delivery receipts.
 *
 * @param emitDelivered - Emits one receipt.
 */
export function buildArrivals(emitDelivered: (room: number, seq: number) => void): ArrivalQueue {
  const pendingSeqs = new Map<number, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const emitPendingArrivals = () => {
    timer = undefined
    for (const [room, seq] of [...pendingSeqs].slice(0, maxReceiptsPerBatch)) {
      pendingSeqs.delete(room)
      emitDelivered(room, seq)
    }
    scheduleEmit()
  }
  const scheduleEmit = () => {
    if (pendingSeqs.size > 0) timer ??= setTimeout(emitPendingArrivals, receiptPause)
  }
  return {
    add: (room, seq) => {
      pendingSeqs.set(room, Math.max(seq, pendingSeqs.get(room) ?? 0))
      scheduleEmit()
    },
    stop: () => clearTimeout(timer),
  }
}
