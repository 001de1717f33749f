/** What is being written in a room, kept in this browser for the one who writes it: reloads and ended sessions lose nothing. */
import { useSyncExternalStore } from 'react'
import { keep, readKept } from '../../lib/kept/kept.ts'
import type { Attachment } from './chat-data.ts'

/** Characters of a message (content-model §2). */
export const maxText = 4_000

export interface KeptText {
  text: string
  /** Pictures that are on the server already. */
  attachments: readonly Attachment[]
}

const empty: KeptText = { text: '', attachments: [] }
const known = new Map<string, KeptText>()
const listeners = new Set<() => void>()
const keyOf = (user: number, room: number) => `draft/chat/${user}/${room}`

export function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null || !('url' in value) || !('name' in value)) return false
  return typeof value.url === 'string' && (typeof value.name === 'string' || value.name === null)
}

function isKeptText(value: unknown): value is KeptText {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('attachments' in value)) return false
  return typeof value.text === 'string' && Array.isArray(value.attachments) && value.attachments.every(isAttachment)
}

function load(key: string): KeptText {
  try {
    const value: unknown = JSON.parse(readKept(key) ?? 'null')
    return isKeptText(value) ? value : empty
  } catch {
    return empty
  }
}

export function readKeptText(user: number, room: number): KeptText {
  const key = keyOf(user, room)
  const found = known.get(key) ?? load(key)
  known.set(key, found)
  return found
}

export function keepText(user: number, room: number, change: Partial<KeptText>): void {
  const next = { ...readKeptText(user, room), ...change }
  const isEmpty = next.text === '' && next.attachments.length === 0
  known.set(keyOf(user, room), next)
  keep(keyOf(user, room), isEmpty ? null : JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Puts a message that could not be sent back to where it was written, before what is there by now. */
export function addToComposer(user: number, room: number, { text, attachments }: KeptText): void {
  const kept = readKeptText(user, room)
  keepText(user, room, {
    text: [text, kept.text].filter(Boolean).join('\n\n'),
    attachments: [...attachments, ...kept.attachments],
  })
}

/** Forgets what was read, as a reload does: for tests. */
export function reloadKeptTexts(): void {
  known.clear()
}

export function useKeptText(user: number, room: number): KeptText {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readKeptText(user, room),
  )
}
