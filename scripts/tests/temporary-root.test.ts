import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { neededRoom, temporaryRoot } from './temporary-root.ts'

const roomyPlace = {
  memoryFolder: '/memory',
  freeBytesOf: () => neededRoom.folder,
  availableMemory: neededRoom.memory,
  env: {},
}

describe('the folder of temporary files', () => {
  it('is in memory where there is room', () => {
    expect(temporaryRoot(roomyPlace)).toBe('/memory')
  })

  it.each([
    ['memory is short', { availableMemory: neededRoom.memory - 1 }],
    ['the folder in memory is short of room', { freeBytesOf: () => neededRoom.folder - 1 }],
    ['the environment names one', { env: { TMPDIR: tmpdir() } }],
  ])('is the usual one where %s', (_reason, difference) => {
    expect(temporaryRoot({ ...roomyPlace, ...difference })).toBe(tmpdir())
  })

  it('is the usual one where there is no folder in memory', () => {
    const memoryFolder = `${import.meta.dirname}/absent`
    expect(temporaryRoot({ memoryFolder, availableMemory: neededRoom.memory, env: {} })).toBe(tmpdir())
  })
})
