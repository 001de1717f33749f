import { describe, expect, it } from 'vitest'
import { hasRoomFilters, listOf, readDeskSearch, toRoomsQuery, clearFilters } from './desk-search.ts'

const consultant = { id: 4, role: 'authenticated', isConsultant: true } as const
const admin = { id: 2, role: 'admin', isConsultant: false } as const

describe('the address of the desk', () => {
  it('keeps valid values of the desk’s address and drops the rest', () => {
    const address = { who: 'theirs', unread: 'no', waiting: 'yes', sort: 'waiting', q: 12, region: '7', language: 'xx' }
    expect(readDeskSearch({ ...address, person: 'open', at: '88', view: 'list' })).toEqual({
      waiting: 'yes',
      q: '12',
      region: 7,
      person: 'open',
      at: 88,
    })
    expect(readDeskSearch({ region: '-1', at: '1.5', show: 'all', category: 'x', over: '0' })).toEqual({})
    const days = { from: '2026-02-28', to: '2026-02-30' }
    expect(readDeskSearch({ category: '4', over: '60', ...days })).toEqual({
      category: 4,
      over: 60,
      from: '2026-02-28',
    })
  })
  it('reads the single parameter of earlier desk addresses', () => {
    expect(readDeskSearch({ show: 'unassigned' })).toEqual({ who: 'unassigned' })
    expect(readDeskSearch({ show: 'unread' })).toEqual({ unread: 'yes' })
  })
  it('reports whether filters of the desk may hide rooms, and removes the filters', () => {
    expect(hasRoomFilters({ sort: 'latest', person: 'closed', at: 3, view: 'board' })).toBe(false)
    for (const search of [{ unread: 'yes' }, { category: 4 }, { over: 60 }] as const)
      expect([search, hasRoomFilters(search)]).toEqual([search, true])
    expect(clearFilters({ who: 'mine', q: 'a', sort: 'latest' })).toEqual({ sort: 'latest' })
  })
  it('keeps the filters of the desk’s address and drops the position', () => {
    expect(listOf({ who: 'mine', q: 'a', at: 3, person: 'open', view: 'board' })).toEqual({ who: 'mine', q: 'a' })
  })
})

describe('toRoomsQuery', () => {
  it('combines the filters of rooms in one query', () => {
    const search = {
      who: 'mine',
      unread: 'yes',
      waiting: 'yes',
      region: 3,
      category: 4,
      over: 60,
      language: 'kaa',
      q: 'a',
    } as const
    expect(toRoomsQuery(search, consultant)).toEqual({
      sort: 'waiting',
      q: 'a',
      filters: {
        unread: true,
        waiting: true,
        assignee: 'me',
        region: 3,
        category: 4,
        language: 'kaa',
        waiting_over: 60,
      },
    })
    expect(toRoomsQuery({ who: 'unassigned', sort: 'latest' }, consultant)).toEqual({
      sort: 'latest',
      filters: { assignee: 'none' },
    })
  })
  it('requests the rooms of all consultants for staff only', () => {
    expect(toRoomsQuery({}, admin).scope).toBe('all')
    expect(toRoomsQuery({}, consultant).scope).toBeUndefined()
    expect(toRoomsQuery({}, { id: 9, role: 'authenticated', isConsultant: false }).scope).toBeUndefined()
  })
})
