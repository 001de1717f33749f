/** Typing indicators of a room: receives those of others and emits the user's own. */
import { useEffect, useState } from 'react'
import { isConnected } from '../../../api/connection.ts'
import { onChat, emitChat } from '../../../api/live.ts'

/** Minimum interval between two typing events that the server forwards, in milliseconds (chat §4). */
const least = 3_000
const said = new Map<number, number>()

/** Emits that the user is typing or has stopped; throttled to the rate the server accepts. */
function emitTyping(room: number, on: boolean): void {
  // Without a connection nobody receives the event; the next letter emits it again.
  if (on && !isConnected()) return
  const now = Date.now()
  if (on && now - (said.get(room) ?? 0) < least) return
  if (!on && !said.has(room)) return
  if (on) said.set(room, now)
  else said.delete(room)
  void emitChat('typing', { room, on })
}

export interface Typing {
  /** Ids of the people who are typing, without the user. */
  typists: readonly number[]
  say: (on: boolean) => void
}

/** How long a typing indicator is shown, in milliseconds. */
const shownFor = 6_000

export function useTyping(room: number): Typing {
  const [typists, setTypists] = useState<readonly number[]>([])
  useEffect(() => {
    const ends = new Map<number, string>()
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const hide = (user: number) => setTypists((before) => before.filter((one) => one !== user))
    const stop = onChat('typing', ({ room: where, user, until }) => {
      if (where !== room) return
      clearTimeout(timers.get(user))
      // The local clock may be wrong, so compare ends with each other: an earlier end means that they have
      // stopped.
      const hasStopped = until < (ends.get(user) ?? '')
      ends.set(user, until)
      if (hasStopped) return hide(user)
      setTypists((before) => [...before.filter((one) => one !== user), user])
      timers.set(
        user,
        setTimeout(() => hide(user), shownFor),
      )
    })
    return () => {
      stop()
      for (const timer of timers.values()) clearTimeout(timer)
      setTypists([])
    }
  }, [room])
  return { typists, say: (on) => emitTyping(room, on) }
}
