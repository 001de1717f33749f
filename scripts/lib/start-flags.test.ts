import { describe, expect, it } from 'vitest'
import { readStartFlags, startFlags } from './start-flags.ts'

describe('readStartFlags', () => {
  it('separates flags from modules and stops at the entry', () => {
    const command = 'node --expose-gc --import ./packages/server/allocator.mjs --v8-pool-size=1 main.ts --port 1'
    expect(readStartFlags(command)).toEqual({
      flags: ['--expose-gc', '--v8-pool-size=1'],
      modules: ['packages/server/allocator.mjs'],
    })
  })

  it('refuses a command of another program', () => {
    expect(() => readStartFlags('tsx main.ts')).toThrow('does not start with node: tsx main.ts')
  })

  it('reads flags and modules of npm start', () => {
    expect(startFlags.flags).toContain('--expose-gc')
    expect(startFlags.modules).toEqual(['packages/server/allocator.mjs', 'packages/server/compile-cache.mjs'])
  })
})
