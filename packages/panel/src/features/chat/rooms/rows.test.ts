import type { RoomRow } from '@dala/model'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { chatKeys, type Room, type RoomsPage } from '../chat-data.ts'
import { patchRow } from './rows.ts'

const person = (id: number) => ({ id, username: `u${id}`, first_name: null, last_name: null, avatar: null })
const testTime = '2026-03-01T10:00:00.000Z'
const row = (rowFields: Partial<RoomRow>): RoomRow => ({
  id: 1,
  room: 'room-1',
  sender: person(5),
  receiver: person(4),
  assignee: null,
  unread_message: 0,
  last_message: null,
  state: 'open',
  rev: 7,
  waiting_since: null,
  warn_at: null,
  due_at: null,
  language: 'kaa',
  tags: [],
  createdAt: testTime,
  updatedAt: testTime,
  ...rowFields,
})

/** Returns the values of a room in the list after its new row has arrived. */
function makePatchedRow(
  reader: number,
  change: Partial<RoomRow>,
): Pick<Room, 'rev' | 'state' | 'unread_message'> | undefined {
  const cache = new QueryClient()
  const counts = { all: 1, mine: 1, unassigned: 0, unread: 1, waiting: 0, breached: 0 }
  const pagination = { page: 1, pageSize: 30, pageCount: 1, total: 1 }
  const page: RoomsPage = { results: [row({ unread_message: 2 })], pagination, counts }
  cache.setQueryData(chatKeys.rooms, { pages: [page], pageParams: [1] })
  patchRow(cache, row(change), reader)
  const [firstRow] = cache.getQueryData<{ pages: RoomsPage[] }>(chatKeys.rooms)?.pages[0]?.results ?? []
  return firstRow && { rev: firstRow.rev, state: firstRow.state, unread_message: firstRow.unread_message }
}

describe('a row received by the socket', () => {
  it('applies a room row received by the socket for participants, unless a later row is known', () => {
    expect(makePatchedRow(4, { rev: 8, state: 'closed', unread_message: 3 })).toEqual({
      rev: 8,
      state: 'closed',
      unread_message: 3,
    })
    expect(makePatchedRow(4, { rev: 6, state: 'closed', unread_message: 3 })).toEqual({
      rev: 7,
      state: 'open',
      unread_message: 2,
    })
  })
  it('leaves the unread count of a room unchanged for observers', () => {
    expect(makePatchedRow(9, { rev: 8, state: 'closed', unread_message: 57 })).toEqual({
      rev: 8,
      state: 'closed',
      unread_message: 2,
    })
  })
})
