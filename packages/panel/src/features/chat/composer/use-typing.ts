/** Who is writing in a room now, and saying so oneself. */
import { useEffect, useState } from 'react'
import { isConnected } from '../../../api/connection.ts'
import { hearChat, sayChat } from '../../../api/live.ts'

/** The server passes it on so often at most (chat §4). */
const least = 3_000
const said = new Map<number, number>()

/** Says that the reader writes, or has stopped; more often than the server takes it, nothing is said. */
function sayTyping(room: number, on: boolean): void {
  // What nobody hears is not said: the next letter says it.
  if (on && !isConnected()) return
  const now = Date.now()
  if (on && now - (said.get(room) ?? 0) < least) return
  if (!on && !said.has(room)) return
  if (on) said.set(room, now)
  else said.delete(room)
  void sayChat('typing', { room, on })
}

export interface Typing {
  /** Ids of the people who write, without the reader. */
  typists: readonly number[]
  say: (on: boolean) => void
}

/** How long somebody is shown as writing. */
const shownFor = 6_000

export function useTyping(room: number): Typing {
  const [typists, setTypists] = useState<readonly number[]>([])
  useEffect(() => {
    const ends = new Map<number, string>()
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const hide = (user: number) => setTypists((before) => before.filter((one) => one !== user))
    const stop = hearChat('typing', ({ room: where, user, until }) => {
      if (where !== room) return
      clearTimeout(timers.get(user))
      // The clock here may be wrong by a day: an end before the last one that was told means that he has stopped.
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
  return { typists, say: (on) => sayTyping(room, on) }
}
