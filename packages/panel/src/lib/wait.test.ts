import { describe, expect, it } from 'vitest'
import { urgencyOf } from './wait.ts'

const timestampOf = (time: string) => `2026-03-01T${time}:00.000Z`
const now = (time: string) => new Date(timestampOf(time))

describe('urgencyOf', () => {
  const room = { waiting_since: timestampOf('10:00'), due_at: timestampOf('10:30'), warn_at: timestampOf('10:25') }
  it.each([
    ['10:24', 'calm'],
    ['10:25', 'soon'],
    ['10:29', 'soon'],
    ['10:30', 'late'],
  ])('rates the urgency of a wait of %s as %s', (time, expected) => expect(urgencyOf(room, now(time))).toBe(expected))

  it('warns at 70 % of the waiting time when the server sends no warning time', () => {
    const unwarnedRoom = { ...room, warn_at: null }
    expect(urgencyOf(unwarnedRoom, now('10:20'))).toBe('calm')
    expect(urgencyOf(unwarnedRoom, now('10:21'))).toBe('soon')
  })
  it('returns no urgency without a target, or when no customer waits', () => {
    expect(urgencyOf({ ...room, warn_at: null, due_at: null }, now('23:00'))).toBe('calm')
    expect(urgencyOf({ ...room, waiting_since: null }, now('23:00'))).toBeUndefined()
  })
})
