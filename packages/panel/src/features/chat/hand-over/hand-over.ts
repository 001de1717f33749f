/** What the new owner of a room was told by whoever gave it to him, until he has answered (chat §5). */
import type { ChatMessage, ChatPerson, RoomHistoryLine } from '@dala/model'

export interface HandOver {
  at: string
  note: string
  /** Who wrote the note; null when the account is gone. */
  by: ChatPerson | null
  /** Who answered before, where that is somebody else; his id and name as the history has them. */
  former: unknown
}

const idOf = (person: unknown): number | undefined =>
  typeof person === 'object' && person !== null && 'id' in person && typeof person.id === 'number'
    ? person.id
    : undefined

/** In: the history, newest first, and the messages that are loaded. Out: undefined when there is nothing to be told. */
export function handOverTo(
  reader: number,
  history: readonly RoomHistoryLine[],
  messages: readonly ChatMessage[],
): HandOver | undefined {
  const last = history.find(({ action }) => action === 'assigned')
  const { from, to, note } = last?.data ?? {}
  // Who took the room himself knows why.
  if (!last || idOf(to) !== reader || last.user?.id === reader || typeof note !== 'string' || note === '')
    return undefined
  const hasAnswered = messages.some(
    ({ sender, kind, createdAt }) =>
      sender.id === reader && kind === 'message' && Date.parse(createdAt) > Date.parse(last.at),
  )
  return hasAnswered
    ? undefined
    : { at: last.at, note, by: last.user, former: idOf(from) === last.user?.id ? null : from }
}
