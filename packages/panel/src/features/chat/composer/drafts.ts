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
  /** Uploaded pictures and documents of the draft. */
  attachments: readonly ChatAttachment[]
}

export interface DraftTexts extends Draft {
  set: (change: Partial<Draft>) => void
}

const emptyDraft: Draft = { text: '', attachments: [] }
const loadedDrafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
const keyOf = (user: number, room: number, kind: WrittenKind) =>
  `draft/chat/${user}/${room}${kind === 'note' ? '/note' : ''}`

function isAttachment(value: unknown): value is ChatAttachment {
  if (typeof value !== 'object' || value === null || !('url' in value) || !('name' in value)) return false
  const hasSize = 'width' in value && 'height' in value && 'size' in value
  return typeof value.url === 'string' && typeof value.name === 'string' && hasSize
}

function parseDraft(storedContent: unknown): Draft | undefined {
  if (!isObject(storedContent)) return undefined
  const { text, attachments } = storedContent
  if (typeof text !== 'string' || !Array.isArray(attachments) || !attachments.every(isAttachment)) return undefined
  return { text, attachments }
}

const storedDraft = (key: string): StoredDraft<Draft> => createDraft(key, parseDraft)

export function readDraft(user: number, room: number, kind: WrittenKind): Draft {
  const key = keyOf(user, room, kind)
  const draft = loadedDrafts.get(key) ?? storedDraft(key).read() ?? emptyDraft
  loadedDrafts.set(key, draft)
  return draft
}

export function saveDraft(user: number, room: number, kind: WrittenKind, change: Partial<Draft>): void {
  const key = keyOf(user, room, kind)
  const changedDraft = { ...readDraft(user, room, kind), ...change }
  const isEmpty = changedDraft.text === '' && changedDraft.attachments.length === 0
  loadedDrafts.set(key, changedDraft)
  if (isEmpty) storedDraft(key).clear()
  else storedDraft(key).write(changedDraft)
  for (const listener of listeners) listener()
}

/** Returns an unsent message to its draft, before the text that the draft has now. */
export function addToDraft(user: number, room: number, kind: WrittenKind, { text, attachments }: Draft): void {
  const currentDraft = readDraft(user, room, kind)
  saveDraft(user, room, kind, {
    text: [text, currentDraft.text].filter(Boolean).join('\n\n'),
    attachments: [...attachments, ...currentDraft.attachments],
  })
}

/** Returns whether a room has a draft of a message; the list marks such rooms. */
export function useHasDraft(user: number, room: number): boolean {
  return useSyncExternalStore(subscribe, () =>
    (['message', 'note'] as const).some(
      (kind) => readDraft(user, room, kind) !== emptyDraft && !isEmptyDraft(user, room, kind),
    ),
  )
}

const isEmptyDraft = (user: number, room: number, kind: WrittenKind): boolean => {
  const { text, attachments } = readDraft(user, room, kind)
  return text.trim() === '' && attachments.length === 0
}

/** Clears the drafts of messages in memory, as a reload does; for tests. */
export function reloadDrafts(): void {
  loadedDrafts.clear()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDrafts(user: number, room: number, kind: WrittenKind): DraftTexts {
  const draft = useSyncExternalStore(subscribe, () => readDraft(user, room, kind))
  return { ...draft, set: (change) => saveDraft(user, room, kind, change) }
}
