/**
 * Emits delivery receipts for this client: the newest message of each room, within the rate limit of the
 * server.
 */

/**
 * The server disconnects a client that emits more than twenty events a second; half of them stay free for the
 * page.
 */
const pause = 500
const atOnce = 5

export interface Arrivals {
  /** Records that a message of another user has arrived. */
  note: (room: number, seq: number) => void
  stop: () => void
}

/**
 * Starts to collect delivery receipts.
 *
 * @param say - Emits one receipt.
 */
export function buildArrivals(say: (room: number, seq: number) => void): Arrivals {
  const waiting = new Map<number, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    for (const [room, seq] of [...waiting].slice(0, atOnce)) {
      waiting.delete(room)
      say(room, seq)
    }
    plan()
  }
  const plan = () => {
    if (waiting.size > 0) timer ??= setTimeout(tell, pause)
  }
  return {
    note: (room, seq) => {
      waiting.set(room, Math.max(seq, waiting.get(room) ?? 0))
      plan()
    },
    stop: () => clearTimeout(timer),
  }
}
