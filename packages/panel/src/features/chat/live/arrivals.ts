/** Tells the server what has come to this screen: of each room the newest, and never so much at once that it cuts the connection. */

/** The server cuts who says more than twenty words in a second; this leaves the half of them to the rest of the page. */
const pause = 500
const atOnce = 5

export interface Arrivals {
  /** A message of somebody else is here. */
  note: (room: number, seq: number) => void
  stop: () => void
}

/** In: what says it. */
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
