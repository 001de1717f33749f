import { expect, it } from 'vitest'
import { isOnline } from './presence.ts'

it.each([
  ['2026-05-01T10:00:00.000Z', true],
  ['2026-05-01T09:58:00.000Z', true],
  ['2026-05-01T09:57:59.999Z', false],
  ['2026-05-01T10:00:20.000Z', true],
  ['2025-05-01T10:00:00.000Z', false],
  ['', false],
  ['nonsense', false],
  [null, false],
  [undefined, false],
])('shows a user last seen at %s as online at ten o’clock: %s', (seenAt, online) => {
  expect(isOnline(seenAt, new Date('2026-05-01T10:00:00.000Z'))).toBe(online)
})
