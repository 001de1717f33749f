/** The message that the next one of a room answers, until it is sent or cancelled. */
import type { ChatMessage } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../../lib/session-end.ts'

const targets = new Map<number, ChatMessage>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Chooses the message to answer in its room, or none. */
export function setReplyTarget(room: number, target: ChatMessage | null): void {
  if (target) targets.set(room, target)
  else targets.delete(room)
  for (const listener of listeners) listener()
}

onSessionEnd(() => targets.clear())

export interface ReplyTarget {
  target: ChatMessage | null
  set: (target: ChatMessage | null) => void
}

export function useReplyTarget(room: number): ReplyTarget {
  const target = useSyncExternalStore(subscribe, () => targets.get(room) ?? null)
  return { target, set: (newTarget) => setReplyTarget(room, newTarget) }
}
