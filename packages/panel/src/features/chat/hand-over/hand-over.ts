/** The note for the new owner of a room, until they have answered (chat §5). */
import type { ChatMessage, ChatPerson, RoomHistoryLine } from '@dala/model'

export interface HandOverNote {
  at: string
  note: string
  /** Author of the hand-over note; null when the account was deleted. */
  by: ChatPerson | null
  /** Previous owner of the room, if different from the author: id and name as the history has them. */
  previousOwner: unknown
}

const idOf = (person: unknown): number | undefined =>
  typeof person === 'object' && person !== null && 'id' in person && typeof person.id === 'number'
    ? person.id
    : undefined

/**
 * Finds the hand-over note that the current owner of a chat room should see.
 *
 * @param history - History of the room, newest first.
 * @param messages - The messages that are loaded.
 * @returns The note, or undefined when there is none to show.
 */
export function handOverTo(
  reader: number,
  history: readonly RoomHistoryLine[],
  messages: readonly ChatMessage[],
): HandOverNote | undefined {
  const lastAssignment = history.find(({ action }) => action === 'assigned')
  const { from, to, note } = lastAssignment?.data ?? {}
  // A user who took the room needs no note about a hand-over.
  if (
    !lastAssignment ||
    idOf(to) !== reader ||
    lastAssignment.user?.id === reader ||
    typeof note !== 'string' ||
    note === ''
  )
    return undefined
  const hasAnswered = messages.some(
    ({ sender, kind, createdAt }) =>
      sender.id === reader && kind === 'message' && Date.parse(createdAt) > Date.parse(lastAssignment.at),
  )
  return hasAnswered
    ? undefined
    : {
        at: lastAssignment.at,
        note,
        by: lastAssignment.user,
        previousOwner: idOf(from) === lastAssignment.user?.id ? null : from,
      }
}
