/** Messages on their way and those that failed, kept in this browser until the server has them. */
import { useSyncExternalStore } from 'react'
import { keep, readKept } from '../../lib/kept/kept.ts'
import type { Attachment } from './chat-data.ts'
import { isAttachment } from './kept-texts.ts'

export interface Outgoing {
  /** Made once for each message that is written: however often it is sent, the server keeps one (product/chat.md §4). */
  clientId: string
  text: string
  attachments: Attachment[]
  /** When it was sent off, ISO. */
  at: string
  state: 'sending' | 'sent' | 'failed'
  /** Why it failed, in words. */
  reason?: string
}

function isOutgoing(value: unknown): value is Outgoing {
  if (typeof value !== 'object' || value === null) return false
  if (!('clientId' in value && 'text' in value && 'attachments' in value && 'at' in value && 'state' in value))
    return false
  const { clientId, text, attachments, at, state } = value
  const texts = [clientId, text, at, state].every((each) => typeof each === 'string')
  return texts && Array.isArray(attachments) && attachments.every(isAttachment)
}

/** The outbox of a writer in a room. */
export const outboxKey = (user: number, room: number): string => `outbox/chat/${user}/${room}`

const none: readonly Outgoing[] = []
const loaded = new Map<string, readonly Outgoing[]>()
const listeners = new Set<() => void>()

function load(key: string): readonly Outgoing[] {
  try {
    const value: unknown = JSON.parse(readKept(key) ?? 'null')
    if (!Array.isArray(value)) return none
    // Whether it arrived before the page was closed is not known: sent again it does no harm.
    return value.filter(isOutgoing).map((outgoing) => ({ ...outgoing, state: 'failed' }))
  } catch {
    return none
  }
}

function readOutbox(key: string): readonly Outgoing[] {
  const known = loaded.get(key)
  if (known) return known
  const found = load(key)
  loaded.set(key, found)
  return found
}

function write(key: string, next: readonly Outgoing[]): void {
  loaded.set(key, next)
  keep(key, next.length > 0 ? JSON.stringify(next) : null)
  for (const listener of listeners) listener()
}

/** Adds a message, or changes the one with its `clientId`. */
export function putOutgoing(key: string, outgoing: Outgoing): void {
  const before = readOutbox(key)
  const isKnown = before.some(({ clientId }) => clientId === outgoing.clientId)
  write(
    key,
    isKnown ? before.map((each) => (each.clientId === outgoing.clientId ? outgoing : each)) : [...before, outgoing],
  )
}

/** Forgets messages. */
export function dropOutgoing(key: string, clientIds: ReadonlySet<string>): void {
  const before = readOutbox(key)
  const next = before.filter(({ clientId }) => !clientIds.has(clientId))
  if (next.length < before.length) write(key, next)
}

/** Forgets what was read, as a reload does: for tests. */
export function reloadOutbox(): void {
  loaded.clear()
}

export function useOutbox(key: string): readonly Outgoing[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readOutbox(key),
  )
}
