import { describe, expect, it } from 'vitest'
import { mayEdit, mayRemove, roomPermissions, nextRoomStates } from './room-permissions.ts'

const person = (id: number) => ({ id, username: `u${id}`, first_name: null, last_name: null })
const [grower, gulshat, timur] = [person(5), person(4), person(6)]
const consultant = { id: 4, role: 'authenticated', isConsultant: true } as const
const admin = { id: 2, role: 'admin', isConsultant: false } as const

describe('roomPermissions', () => {
  it.each([
    [
      'gives the consultant of a room all permissions in it',
      { receiver: gulshat, assignee: null },
      consultant,
      ['owner', true, false, true, true],
    ],
    [
      'treats a consultant as owner of a room handed over to them',
      { receiver: timur, assignee: gulshat },
      consultant,
      ['owner', true, false, true, true],
    ],
    [
      'leaves a consultant only room management after they have handed the room over',
      { receiver: gulshat, assignee: timur },
      consultant,
      ['desk', false, false, false, true],
    ],
    [
      'lets a consultant take a free room',
      { receiver: null, assignee: null },
      consultant,
      ['desk', false, true, false, false],
    ],
    [
      'lets staff take and manage the room of a consultant',
      { receiver: gulshat, assignee: null },
      admin,
      ['desk', false, true, true, true],
    ],
    [
      'lets the customer write and nothing else',
      { receiver: gulshat, assignee: null },
      { id: 5, role: 'authenticated', isConsultant: false } as const,
      ['asker', true, false, false, false],
    ],
  ])('computes the permissions in a room: %s', (_name, owners, reader, expected) => {
    const {
      userSide: readerSide,
      mayWrite,
      mayTake,
      mayHandOver,
      mayManage,
    } = roomPermissions({ sender: grower, ...owners }, reader)
    expect([readerSide, mayWrite, mayTake, mayHandOver, mayManage]).toEqual(expected)
  })
})

it('allows the transitions of a room in the model; only the customer reopens a closed room', () => {
  expect(nextRoomStates('open')).toEqual(['waiting_customer', 'closed'])
  expect(nextRoomStates('waiting_customer')).toEqual(['open', 'closed'])
  expect(nextRoomStates('closed')).toEqual(['open'])
})

it('lets the author edit a message for fifteen minutes, and staff remove any message', () => {
  const message = { sender: gulshat, kind: 'message', createdAt: '2026-03-01T10:00:00.000Z' }
  const dateOf = (time: string) => new Date(`2026-03-01T${time}.000Z`)
  expect(mayEdit(message, consultant, dateOf('10:14:59'))).toBe(true)
  expect(mayEdit(message, consultant, dateOf('10:15:00'))).toBe(false)
  expect(mayEdit(message, admin, dateOf('10:01:00'))).toBe(false)
  expect([
    mayRemove(message, consultant),
    mayRemove(message, admin),
    mayRemove({ sender: grower }, consultant),
  ]).toEqual([true, true, false])
})
