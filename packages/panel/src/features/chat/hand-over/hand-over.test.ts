import type { ChatMessage, RoomHistoryLine } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { handOverTo } from './hand-over.ts'

const person = (id: number) => ({ id, username: `u${id}`, first_name: null, last_name: null, avatar: null })
const testTime = '2026-03-01T10:00:00.000Z'
const handOverLine = (
  authorId: number,
  formerOwnerId: number | null,
  newOwnerId: number | null,
  note: string | null,
): RoomHistoryLine => ({
  at: testTime,
  user: person(authorId),
  action: 'assigned',
  data: {
    from: formerOwnerId === null ? null : person(formerOwnerId),
    to: newOwnerId === null ? null : person(newOwnerId),
    note,
  },
})
const readLine: RoomHistoryLine = { at: testTime, user: person(4), action: 'read', data: { last_read_seq: 3 } }
const messageBy = (senderId: number, createdAt: string, kind: ChatMessage['kind'] = 'message'): ChatMessage => ({
  id: 9,
  room: 1,
  sender: person(senderId),
  text: 'Salam',
  kind,
  client_id: null,
  seq: 7,
  seen: false,
  attachments: [],
  createdAt,
  updatedAt: createdAt,
  reply_to: null,
  quoted: null,
  edited_at: null,
})

describe('handOverTo', () => {
  it('returns the hand-over note, its author and the previous owner for the new owner', () => {
    const history = [readLine, handOverLine(6, 6, 4, 'Wants a visit'), handOverLine(9, null, 6, 'Older')]
    expect(handOverTo(4, history, [])).toEqual({
      at: testTime,
      note: 'Wants a visit',
      by: person(6),
      previousOwner: null,
    })
    expect(handOverTo(4, [handOverLine(9, 6, 4, 'Ill today')], [])).toMatchObject({
      by: { id: 9 },
      previousOwner: { id: 6 },
    })
  })
  it('returns a hand-over until the owner answers the customer; an earlier answer and a note do not count', () => {
    const history = [handOverLine(6, 6, 4, 'Wants a visit')]
    const [timeBefore, timeAfter] = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:05:00.000Z']
    expect(
      handOverTo(4, history, [messageBy(4, timeBefore), messageBy(4, timeAfter, 'note'), messageBy(5, timeAfter)]),
    ).toBeDefined()
    expect(handOverTo(4, history, [messageBy(4, timeAfter)])).toBeUndefined()
  })
  it('returns no hand-over when the last assignment went to another user, was their own, or had no note', () => {
    expect(handOverTo(4, [handOverLine(4, 4, 6, 'Yours'), handOverLine(6, 6, 4, 'Mine')], [])).toBeUndefined()
    expect(handOverTo(4, [handOverLine(4, 6, 4, 'I take it')], [])).toBeUndefined()
    expect(handOverTo(4, [handOverLine(6, 6, 4, null)], [])).toBeUndefined()
    expect(handOverTo(4, [readLine], [])).toBeUndefined()
  })
})
