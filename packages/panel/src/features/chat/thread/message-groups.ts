/** Groups the messages of a thread by day and by sender (design, chat). */
import { dateToDay } from '../../../lib/format.ts'
import type { Message, RoomPerson } from '../chat-data.ts'

/** Milliseconds within which messages of one person share a header. */
const turnTime = 5 * 60_000

interface MessageGroup<M> {
  message: M
  /** Whether the message is the first of a run: it shows the sender and the time. */
  isHeaded: boolean
  /** Whether the message is the first that was unread when the room was opened. */
  isFirstUnread: boolean
}

export interface Day<M> {
  /** Day of a message in the user's time zone: `2026-03-01`. */
  day: string
  messageTurns: MessageGroup<M>[]
}

type GroupableMessage = Pick<Message, 'kind' | 'createdAt'> & { id: number | string; sender: Pick<RoomPerson, 'id'> }

/**
 * Groups messages by day.
 *
 * @param messages - The messages in their order.
 * @param firstUnread - Id of the first unread message.
 */
export function groupMessages<M extends GroupableMessage>(
  messages: readonly M[],
  firstUnread?: number | string,
): Day<M>[] {
  const days: Day<M>[] = []
  let formerMessage: M | undefined
  for (const message of messages) {
    const day = dateToDay(new Date(message.createdAt))
    const isFirstUnread = message.id === firstUnread
    const lastDay = days.at(-1)
    const isSameDay = lastDay?.day === day
    const isHeaded = !isSameDay || isFirstUnread || !formerMessage || !isSameTurn(formerMessage, message)
    const turn = { message, isHeaded, isFirstUnread }
    if (lastDay && isSameDay) lastDay.messageTurns.push(turn)
    else days.push({ day, messageTurns: [turn] })
    formerMessage = message
  }
  return days
}

function isSameTurn(formerMessage: GroupableMessage, message: GroupableMessage): boolean {
  const gap = Date.parse(message.createdAt) - Date.parse(formerMessage.createdAt)
  return formerMessage.sender.id === message.sender.id && formerMessage.kind === message.kind && gap <= turnTime
}

/**
 * Returns the id of the first of the last `count` public messages of others; undefined when it is not loaded.
 */
export function firstUnreadOf(
  messages: readonly GroupableMessage[],
  reader: number,
  count: number,
): number | string | undefined {
  if (count === 0) return undefined
  const othersMessages = messages.filter(({ sender, kind }) => sender.id !== reader && kind === 'message')
  return othersMessages[Math.max(0, othersMessages.length - count)]?.id
}
