/**
 * Drafts of messages, stored in this browser for their author: they survive reloads and the end of a session.
 */
import type { ChatAttachment } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { createDraft, type StoredDraft } from '../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../lib/is-object.ts'

/**
 * A message for the other side, or a note for the desk. Each kind has its own draft, and neither turns into
 * the other.
 */
export type WrittenKind = 'message' | 'note'

export interface Draft {
  text: string
  /** Pictures that are already uploaded. */
  attachments: readonly ChatAttachment[]
}

export interface Drafts extends Draft {
  set: (change: Partial<Draft>) => void
}

const empty: Draft = { text: '', attachments: [] }
const known = new Map<string, Draft>()
const listeners = new Set<() => void>()
const keyOf = (user: number, room: number, kind: WrittenKind) =>
  `draft/chat/${user}/${room}${kind === 'note' ? '/note' : ''}`

function isAttachment(value: unknown): value is ChatAttachment {
  if (typeof value !== 'object' || value === null || !('url' in value) || !('name' in value)) return false
  const sized = 'width' in value && 'height' in value && 'size' in value
  return typeof value.url === 'string' && typeof value.name === 'string' && sized
}

function parseDraft(stored: unknown): Draft | undefined {
  if (!isObject(stored)) return undefined
  const { text, attachments } = stored
  if (typeof text !== 'string' || !Array.isArray(attachments) || !attachments.every(isAttachment)) return undefined
  return { text, attachments }
}

const storedDraft = (key: string): StoredDraft<Draft> => createDraft(key, parseDraft)

export function readDraft(user: number, room: number, kind: WrittenKind): Draft {
  const key = keyOf(user, room, kind)
  const found = known.get(key) ?? storedDraft(key).read() ?? empty
  known.set(key, found)
  return found
}

export function keepDraft(user: number, room: number, kind: WrittenKind, change: Partial<Draft>): void {
  const key = keyOf(user, room, kind)
  const next = { ...readDraft(user, room, kind), ...change }
  const isEmpty = next.text === '' && next.attachments.length === 0
  known.set(key, next)
  if (isEmpty) storedDraft(key).clear()
  else storedDraft(key).write(next)
  for (const listener of listeners) listener()
}

/** Returns an unsent message to its draft, before the text that is there now. */
export function addToDraft(user: number, room: number, kind: WrittenKind, { text, attachments }: Draft): void {
  const kept = readDraft(user, room, kind)
  keepDraft(user, room, kind, {
    text: [text, kept.text].filter(Boolean).join('\n\n'),
    attachments: [...attachments, ...kept.attachments],
  })
}

/** Whether a room has a draft; the list marks such rooms. */
export function useHasDraft(user: number, room: number): boolean {
  return useSyncExternalStore(subscribe, () =>
    (['message', 'note'] as const).some(
      (kind) => readDraft(user, room, kind) !== empty && !isEmptyDraft(user, room, kind),
    ),
  )
}

const isEmptyDraft = (user: number, room: number, kind: WrittenKind): boolean => {
  const { text, attachments } = readDraft(user, room, kind)
  return text.trim() === '' && attachments.length === 0
}

/** Clears the drafts in memory, as a reload does; for tests. */
export function reloadDrafts(): void {
  known.clear()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDrafts(user: number, room: number, kind: WrittenKind): Drafts {
  const draft = useSyncExternalStore(subscribe, () => readDraft(user, room, kind))
  return { ...draft, set: (change) => keepDraft(user, room, kind, change) }
}
