/** The messages of a thread by days and turns. */
import { dateToDay } from '../../lib/format.ts'
import type { Message, Person } from './chat-data.ts'

/** Messages of one person within this time stand under one header. */
const turnTime = 5 * 60_000

interface Turn<M> {
  message: M
  /** The first of a run: who wrote it, and when, stands above. */
  isHeaded: boolean
  /** The first message that was not read when the room was opened. */
  isFirstUnread: boolean
}

export interface Day<M> {
  /** `2026-03-01` in the reader's zone. */
  day: string
  turns: Turn<M>[]
}

type Groupable = Pick<Message, 'kind' | 'createdAt'> & { id: number | string; sender: Pick<Person, 'id'> }

/** In: messages in their order, and the id of the first unread one. */
export function groupMessages<M extends Groupable>(messages: readonly M[], firstUnread?: number | string): Day<M>[] {
  const days: Day<M>[] = []
  let before: M | undefined
  for (const message of messages) {
    const day = dateToDay(new Date(message.createdAt))
    const isFirstUnread = message.id === firstUnread
    const current = days.at(-1)
    const isSameDay = current?.day === day
    const isHeaded = !isSameDay || isFirstUnread || !before || !isSameTurn(before, message)
    const turn = { message, isHeaded, isFirstUnread }
    if (current && isSameDay) current.turns.push(turn)
    else days.push({ day, turns: [turn] })
    before = message
  }
  return days
}

function isSameTurn(before: Groupable, message: Groupable): boolean {
  const gap = Date.parse(message.createdAt) - Date.parse(before.createdAt)
  return before.sender.id === message.sender.id && before.kind === message.kind && gap <= turnTime
}

/** The id of the first of the last `count` messages that others wrote to all; undefined when it is not among these. */
export function firstUnreadOf(
  messages: readonly Groupable[],
  reader: number,
  count: number,
): number | string | undefined {
  if (count === 0) return undefined
  const others = messages.filter(({ sender, kind }) => sender.id !== reader && kind === 'message')
  return others[Math.max(0, others.length - count)]?.id
}
