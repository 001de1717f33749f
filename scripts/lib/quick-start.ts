/**
 * Settings of the programs that live for one run of tests: they start with half the processor time, and may keep more
 * memory than the program of an installation (decision 12).
 */
import { quickFlag } from '../../packages/server/src/testing/program-environment.ts'

/** Variable that asks for servers which start quickly. */
const wishVariable = 'QUICK_SERVERS'

/**
 * Settings of glibc's allocator. Linux maps a large block in pieces of 2 MiB instead of 4 KiB where it may, and
 * `allocator.mjs` does not start the program a second time.
 */
const allocatorSettings = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', MALLOC_ARENA_MAX: '2' } as const

/** Environment of a program whose servers start quickly. */
export const quickServers = { [wishVariable]: 'yes' } as const

/** Environment of a program with tests or proofs, which has the same allocator as its servers. */
export const quickEnvironment = { ...allocatorSettings, ...quickServers } as const

/** Returns the additions to the start of a trial server: none where nobody asks for a quick start. */
export function quickAdditions(): { flags: readonly string[]; env: Readonly<Record<string, string>> } {
  return process.env[wishVariable] === undefined
    ? { flags: [], env: {} }
    : { flags: [quickFlag], env: allocatorSettings }
}
