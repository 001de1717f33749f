import type { ChatMessage, RoomRow } from '@dala/model'
import { describe, expect, it } from 'vitest'
import type { DeskEvent } from './desk-events.ts'
import { isQuiet, newestOf, noticeOf, ringingLines } from './rules.ts'

const person = (id: number) => ({ id, username: `u${id}`, first_name: null, last_name: null, avatar: null })
const testTime = '2026-03-01T10:00:00.000Z'
const row = (assignee: number | null): RoomRow => ({
  id: 1,
  room: 'room-1',
  sender: person(5),
  receiver: null,
  assignee: assignee === null ? null : person(assignee),
  unread_message: 1,
  last_message: null,
  state: 'open',
  rev: 7,
  waiting_since: testTime,
  warn_at: null,
  due_at: null,
  language: 'kaa',
  tags: [],
  createdAt: testTime,
  updatedAt: testTime,
})
const messageBy = (senderId: number, messageFields: Partial<ChatMessage> = {}): ChatMessage => ({
  id: 9,
  room: 1,
  sender: person(senderId),
  text: 'Salam',
  kind: 'message',
  client_id: null,
  seq: 7,
  seen: false,
  attachments: [],
  createdAt: testTime,
  updatedAt: testTime,
  reply_to: null,
  quoted: null,
  edited_at: null,
  ...messageFields,
})
const makeArrivedEvent = (data: ChatMessage, assignee: number | null): DeskEvent => ({
  type: 'arrived',
  room: 1,
  change: { type: 'created', rev: 7, prev: 6, data },
  row: row(assignee),
})

describe('noticeOf', () => {
  const me = { id: 4, choice: 'mine' } as const
  it('notifies of messages in the user’s own rooms', () => {
    expect(noticeOf(makeArrivedEvent(messageBy(5), 4), me)).toMatchObject({
      type: 'message',
      room: 1,
      seq: 7,
      text: 'Salam',
    })
  })
  it('ignores own messages, messages in rooms of others, and changes that are no messages', () => {
    expect(noticeOf(makeArrivedEvent(messageBy(4), 4), me)).toBeUndefined()
    expect(noticeOf(makeArrivedEvent(messageBy(5), 6), me)).toBeUndefined()
    expect(noticeOf(makeArrivedEvent(messageBy(5, { kind: 'system' }), 4), me)).toBeUndefined()
    expect(noticeOf({ ...makeArrivedEvent(messageBy(5), 4), row: null } as DeskEvent, me)).toBeUndefined()
  })
  it('uses the row of a room for a message too long for the event, and ignores the user’s own message', () => {
    const lastMessage = { id: 9, text: 'A long one', kind: 'message', createdAt: testTime } as const
    const makeLongMessage = (sender: number | null): DeskEvent => ({
      type: 'arrived',
      room: 1,
      change: { type: 'created', rev: 7, prev: 6, data: { id: 9, rev: 7, partial: true } },
      row: { ...row(4), last_message: sender === null ? { ...lastMessage, id: 8 } : { ...lastMessage, sender } },
    })
    expect(noticeOf(makeLongMessage(5), me)).toMatchObject({ from: { id: 5 }, text: 'A long one' })
    expect(noticeOf(makeLongMessage(4), me)).toBeUndefined()
    // The row of a room shows its last message, which is not the note.
    expect(noticeOf(makeLongMessage(null), me)).toEqual({ type: 'message', room: 1, seq: 7 })
  })
  it('notifies of messages in all rooms or in none, as the user has chosen', () => {
    expect(noticeOf(makeArrivedEvent(messageBy(5), 6), { id: 4, choice: 'all' })).toBeDefined()
    expect(noticeOf(makeArrivedEvent(messageBy(5), 4), { id: 4, choice: 'none' })).toBeUndefined()
  })
  it('notifies of a room assigned to the user, not of a room taken away', () => {
    const move = (assigneeId: number): DeskEvent => ({
      type: 'assigned',
      room: 3,
      from: null,
      to: assigneeId,
      note: null,
    })
    expect(noticeOf(move(4), me)).toEqual({ type: 'assigned', room: 3 })
    expect(noticeOf(move(6), me)).toBeUndefined()
  })
})

describe('ringingLines', () => {
  const line = (id: number, kind: string, readAt: string | null = null) => ({ id, kind, readAt, address: '/chats/1' })
  const inbox = [
    line(9, 'desk.waiting'),
    line(8, 'bulk.finished'),
    line(7, 'desk.returned', testTime),
    line(6, 'desk.waiting'),
  ]
  it('returns the new unread lines about unassigned rooms', () => {
    expect(ringingLines(inbox, 6, { choice: 'mine' }).map(({ id }) => id)).toEqual([9])
    expect(ringingLines(inbox, 5, { choice: 'all' }).map(({ id }) => id)).toEqual([9, 6])
    expect(ringingLines(inbox, newestOf(inbox), { choice: 'all' })).toEqual([])
  })
  it('returns no lines for a user who wants no notifications', () => {
    expect(ringingLines(inbox, 0, { choice: 'none' })).toEqual([])
  })
})

describe('isQuiet', () => {
  const hours = (quietFrom: string | null, quietTo: string | null) => ({ quietFrom, quietTo })
  const clock = (hour: number, minute = 0) => new Date(2026, 2, 1, hour, minute)
  it('reads the clock of this device', () => {
    const night = hours('22:00', '07:30')
    expect([21, 22, 23, 0, 7].map((hour) => isQuiet(night, clock(hour)))).toEqual([false, true, true, true, true])
    expect(isQuiet(night, clock(7, 30))).toBe(false)
    expect(isQuiet(hours('12:00', '13:00'), clock(12, 59))).toBe(true)
    expect(isQuiet(hours('22:00', null), clock(23))).toBe(false)
  })
})
