import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { neededRoom, temporaryRoot } from './temporary-root.ts'

// The folder of this repository stands for one in memory: what counts is its free room.
const roomyPlace = { memoryFolder: import.meta.dirname, availableMemory: neededRoom.memory, env: {} }

describe('the folder of temporary files', () => {
  it('is in memory where there is room', () => {
    expect(temporaryRoot(roomyPlace)).toBe(import.meta.dirname)
  })

  it.each([
    ['memory is short', { availableMemory: neededRoom.memory - 1 }],
    ['there is no folder in memory', { memoryFolder: `${import.meta.dirname}/absent` }],
    ['the folder in memory has no room', { memoryFolder: '/proc' }],
    ['the environment names one', { env: { TMPDIR: tmpdir() } }],
  ])('is the usual one where %s', (_reason, difference) => {
    expect(temporaryRoot({ ...roomyPlace, ...difference })).toBe(tmpdir())
  })
})
