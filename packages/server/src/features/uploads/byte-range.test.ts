import { expect, test } from 'vitest'
import { readRange } from './byte-range.ts'

test.each<[header: string | undefined, expected: ReturnType<typeof readRange>]>([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=90-5000', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-5000', { start: 0, end: 99 }],
  ['Bytes= 5-6 ', { start: 5, end: 6 }],
  ['bytes=100-', 'none'],
  ['bytes=100-200', 'none'],
  ['bytes=-0', 'none'],
  [undefined, undefined],
  ['bytes=-', undefined],
  ['bytes=6-5', undefined],
  ['bytes=1-2,4-5', undefined],
  ['lines=1-2', undefined],
  ['bytes=a-b', undefined],
  [`bytes=${'9'.repeat(40)}-`, undefined],
])('reads the range %s of 100 bytes', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected)
})

test('returns no range for an empty file', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-1', 0)]).toEqual(['none', 'none'])
})
