import { describe, expect, it } from 'vitest'
import { isNarrowed, readDeskSearch, roomsCall } from './desk-search.ts'

const consultant = { id: 4, role: 'authenticated', isConsultant: true } as const
const admin = { id: 2, role: 'admin', isConsultant: false } as const

describe('the address of the desk', () => {
  it('keeps what it understands and drops the rest', () => {
    expect(
      readDeskSearch({
        scope: 'theirs',
        show: 'waiting',
        sort: 'waiting',
        q: 12,
        region: '7',
        language: 'xx',
        person: 'open',
      }),
    ).toEqual({ show: 'waiting', q: '12', region: 7, person: 'open' })
    expect(readDeskSearch({ region: '-1', show: 'all' })).toEqual({})
  })
  it('says whether rooms may be hidden', () => {
    expect(isNarrowed({ scope: 'mine', sort: 'latest', person: 'closed' })).toBe(false)
    expect(isNarrowed({ show: 'unread' })).toBe(true)
  })
})

describe('roomsCall', () => {
  it.each([
    ['unread', { unread: true }],
    ['waiting', { waiting_over: 1 }],
    ['unassigned', { assignee: 'none' }],
    ['mine', { assignee: 'me' }],
  ] as const)('asks for own rooms by the filters of that call: %s', (show, filters) => {
    expect(roomsCall({ show, q: 'a' }, consultant)).toEqual({
      path: '/get_customized_rooms',
      query: { sort: 'waiting', q: 'a', filters },
    })
  })
  it('shows staff the rooms of everybody, unless they want their own', () => {
    expect(roomsCall({}, admin)).toEqual({ path: '/chatrooms', query: { sort: 'waiting_since:asc,updatedAt:desc' } })
    expect(roomsCall({ scope: 'mine' }, admin).path).toBe('/get_customized_rooms')
    expect(roomsCall({ show: 'unassigned', region: 3 }, admin).query['filters']).toEqual({
      $and: [{ assignee: { $null: true }, receiver: { $null: true } }, { region: 3 }],
    })
  })
  it('never gives others all rooms', () => {
    expect(roomsCall({}, { id: 9, role: 'authenticated', isConsultant: false }).path).toBe('/get_customized_rooms')
  })
})
