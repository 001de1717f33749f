import { describe, expect, it } from 'vitest'
import { firstUnreadOf, groupMessages } from './message-groups.ts'

const person = (id: number) => ({ id, username: `u${id}`, first_name: null, last_name: null })
const message = (id: number, sender: number, createdAt: string, kind: 'message' | 'note' | 'system' = 'message') => ({
  id,
  kind,
  createdAt,
  sender: person(sender),
})
const shape = (days: ReturnType<typeof groupMessages>) =>
  days.map(({ day, messageTurns: turns }) => [
    day,
    turns.map(({ message: { id }, isHeaded }) => `${id}${isHeaded ? '+' : ''}`).join(' '),
  ])

describe('groupMessages', () => {
  it('adds a header to the first message of a person, and again after five minutes', () => {
    const messages = [
      message(1, 5, '2026-03-01T12:00:00'),
      message(2, 5, '2026-03-01T12:05:00'),
      message(3, 5, '2026-03-01T12:10:01'),
      message(4, 6, '2026-03-01T12:10:02'),
      message(5, 6, '2026-03-01T12:10:03', 'note'),
    ]
    expect(shape(groupMessages(messages))).toEqual([['2026-03-01', '1+ 2 3+ 4+ 5+']])
  })
  it('starts a new day of messages in the user’s time zone', () => {
    const messages = [message(1, 5, '2026-03-01T23:59:00'), message(2, 5, '2026-03-02T00:01:00')]
    expect(shape(groupMessages(messages))).toEqual([
      ['2026-03-01', '1+'],
      ['2026-03-02', '2+'],
    ])
  })
  it('marks the first unread message, under a separate header', () => {
    const messages = [message(1, 5, '2026-03-01T12:00:00'), message(2, 5, '2026-03-01T12:01:00')]
    const [day] = groupMessages(messages, 2)
    expect(day?.messageTurns.map(({ isFirstUnread, isHeaded }) => [isFirstUnread, isHeaded])).toEqual([
      [false, true],
      [true, true],
    ])
  })
})

describe('firstUnreadOf', () => {
  const messages = [
    message(1, 5, '2026-03-01T12:00:00'),
    message(2, 9, '2026-03-01T12:01:00'),
    message(3, 5, '2026-03-01T12:02:00'),
    message(4, 6, '2026-03-01T12:03:00', 'note'),
    message(5, 5, '2026-03-01T12:04:00'),
  ]
  it.each([
    [0, undefined],
    [1, 5],
    [2, 3],
    [40, 1],
  ])('counts only public messages of others as unread: %i → %s', (count, id) => {
    expect(firstUnreadOf(messages, 9, count)).toBe(id)
  })
})
