import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What only several programs on one server can show. */
const serverOnly = ['src/**/*.postgres.test.ts']
/**
 * Tests that open the embedded database whatever the run is on: its own, and those of the program; and of the demo's
 * pictures, which are drawn and decoded and stored as any upload is.
 */
const embeddedOnly = [
  'src/main.test.ts',
  'src/**/embedded-thread.test.ts',
  'src/**/snapshots.test.ts',
  'src/seed/later-pictures.test.ts',
]

/** Tests that take longest: started last, one of them would run alone. */
const longest = ['restore.test.ts', 'later.test.ts', 'private-fields.test.ts', 'access.test.ts', 'main.test.ts']

/** The usual order, the longest files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return index < 0 ? longest.length : index
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    name: 'server',
    sequence: { groupOrder: 4, sequencer: LongestFirst },
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    exclude: process.env.TEST_DATABASE_URL ? embeddedOnly : serverOnly,
    // The files of one worker share its database (testing/databases.ts), which takes seconds to open.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    // What comes by itself is waited for; a busy machine takes its time.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 120_000,
  },
})
