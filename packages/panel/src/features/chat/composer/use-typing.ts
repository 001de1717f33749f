/** Typing indicators of a room: receives those of others and emits the user's own. */
import { useEffect, useState } from 'react'
import { isConnected } from '../../../api/connection.ts'
import { onChat, emitChat } from '../../../api/live.ts'

/** Minimum interval between two typing events that the server forwards, in milliseconds (chat §4). */
const minInterval = 3_000
const lastEmittedAt = new Map<number, number>()

/** Emits that the user is typing or has stopped; throttled to the rate the server accepts. */
function emitTyping(room: number, isTyping: boolean): void {
  // Without a connection nobody receives the typing event; the next typed letter emits it again.
  if (isTyping && !isConnected()) return
  const now = Date.now()
  if (isTyping && now - (lastEmittedAt.get(room) ?? 0) < minInterval) return
  if (!isTyping && !lastEmittedAt.has(room)) return
  if (isTyping) lastEmittedAt.set(room, now)
  else lastEmittedAt.delete(room)
  void emitChat('typing', { room, on: isTyping })
}

export interface TypingState {
  /** Ids of the people who are typing in a room, without the user. */
  typists: readonly number[]
  setTyping: (isTyping: boolean) => void
}

/** Milliseconds for which a typing indicator is shown. */
const indicatorLifetime = 6_000

export function useTyping(room: number): TypingState {
  const [typists, setTypists] = useState<readonly number[]>([])
  useEffect(() => {
    const endsByUser = new Map<number, string>()
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const hideTypist = (user: number) => setTypists((typistIds) => typistIds.filter((id) => id !== user))
    const unsubscribe = onChat('typing', ({ room: typingRoom, user, until }) => {
      if (typingRoom !== room) return
      clearTimeout(timers.get(user))
      // The local clock may be wrong, so the ends of two events are compared: an earlier end means that
      // typing has stopped.
      const hasStopped = until < (endsByUser.get(user) ?? '')
      endsByUser.set(user, until)
      if (hasStopped) return hideTypist(user)
      setTypists((typistIds) => [...typistIds.filter((id) => id !== user), user])
      timers.set(
        user,
        setTimeout(() => hideTypist(user), indicatorLifetime),
      )
    })
    return () => {
      unsubscribe()
      for (const timer of timers.values()) clearTimeout(timer)
      setTypists([])
    }
  }, [room])
  return { typists, setTyping: (isTyping) => emitTyping(room, isTyping) }
}
