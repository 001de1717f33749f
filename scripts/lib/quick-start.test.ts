import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quickAdditions, quickEnvironment } from './quick-start.ts'

beforeEach(() => {
  for (const name of Object.keys(quickEnvironment)) vi.stubEnv(name, undefined)
})
afterEach(() => void vi.unstubAllEnvs())

describe('additions to the start of a trial server', () => {
  it('are absent where nobody asks for a quick start, so that a measured server runs as in an installation', () => {
    expect(quickAdditions()).toEqual({ flags: [], env: {} })
  })

  it('keep the optimizing compiler away and set the allocator in the environment of tests', () => {
    for (const [name, value] of Object.entries(quickEnvironment)) vi.stubEnv(name, value)
    const { flags, env } = quickAdditions()
    expect(flags).toEqual(['--liftoff-only'])
    expect(env).toEqual({ GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', MALLOC_ARENA_MAX: '2' })
  })
})
