/** Presents records of a room's log to clients: a message as it is now, or a change of the room (chat §4). */
import type { ChatMessage, RoomState, StoredRoomChange } from '@dala/model'
import type { LoggedChange } from '../../domain/conversations/room-changes.ts'

type OmittedRevision<T> = T extends unknown ? Omit<T, 'rev' | 'prev'> : never
/** Change of a chat room without its revisions, which differ between listeners. */
export type PresentedChange = OmittedRevision<StoredRoomChange>

export interface LogRow {
  type: LoggedChange['type']
  message: number | null
  /**
   * Chat message as lists show it; null for a change of no message, and for a message that is no longer
   * stored.
   */
  item: ChatMessage | null
  /** Whether the chat message is deleted or not visible any more. */
  isGone: boolean
  data: Readonly<Record<string, unknown>>
}

const stateOf = (value: unknown): RoomState => (value === 'closed' || value === 'waiting_customer' ? value : 'open')
const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Presents a logged change to a listener. Reasons and notes are internal to the desk.
 *
 * @param logged - The record of the change in the log, and its message as it is now.
 * @param isOutsideAudience - Whether the listener is outside of the desk: they receive no reason and no note.
 * @returns The change without its revisions.
 */
export function presentChange(
  { type, message, item, isGone, data }: LogRow,
  isOutsideAudience: boolean,
): PresentedChange {
  const note = (value: unknown) => (isOutsideAudience ? null : textOrNull(value))
  if (type === 'state')
    return { type, data: { from: stateOf(data.from), to: stateOf(data.to), reason: note(data.reason) } }
  if (type === 'no_reply') return { type, data: { reason: note(data.reason) } }
  if (type === 'assigned') return { type, data: { from: idOf(data.from), to: idOf(data.to), note: note(data.note) } }
  const deletedMark = { id: message ?? 0, deleted: true } as const
  if (type === 'deleted') return { type, data: deletedMark }
  return { type, data: isGone || item === null ? deletedMark : item }
}
