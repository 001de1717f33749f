/** An entry of a room's log as it is told: a message as it is now, or how the room moved (chat §4). */
import type { RoomState, StoredRoomChange } from '@dala/model'
import type { LoggedChange } from '../../domain/conversations/room-changes.ts'
import { presentItem } from './message-item.ts'

type Bare<T> = T extends unknown ? Omit<T, 'rev' | 'prev'> : never
/** A change before it is known which revision of his the listener saw last. */
export type ToldChange = Bare<StoredRoomChange>

export interface LogRow {
  type: LoggedChange['type']
  message: number | null
  /** Whether the message is out of view by now. */
  isGone: boolean
  data: Readonly<Record<string, unknown>>
}

const stateOf = (value: unknown): RoomState => (value === 'closed' || value === 'waiting_customer' ? value : 'open')
const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * What is told of a change. In: its entry in the log, the row with the item of its message and the place of that in it.
 * Reasons and notes are what the desk says to itself: `outside` it hears none.
 */
export function presentChange(
  { type, message, isGone, data }: LogRow,
  row: readonly unknown[],
  at: number,
  outside: boolean,
): ToldChange {
  const note = (value: unknown) => (outside ? null : textOf(value))
  if (type === 'state')
    return { type, data: { from: stateOf(data.from), to: stateOf(data.to), reason: note(data.reason) } }
  if (type === 'assigned') return { type, data: { from: idOf(data.from), to: idOf(data.to), note: note(data.note) } }
  const deleted = { id: message ?? 0, deleted: true } as const
  if (type === 'deleted') return { type, data: deleted }
  return { type, data: isGone ? deleted : presentItem(row, at) }
}
