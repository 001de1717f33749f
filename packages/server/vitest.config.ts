import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of several programs on one server. */
const serverOnlyFiles = ['src/**/*.postgres.test.ts']
/** Tests that open the embedded database whatever the run is on: its own, and those of the program. */
const embeddedOnlyFiles = [
  'src/main.test.ts',
  'src/commands/dala.test.ts',
  'src/**/embedded-thread.test.ts',
  'src/**/running-copy.test.ts',
  'src/**/snapshots.test.ts',
  'src/db/prepared.test.ts',
  'src/features/operations/table-statistics.test.ts',
  'src/watching/loading.test.ts',
]
/**
 * Features whose tests run on both databases: their statements, files or limits differ between them, or they read and
 * count what all others write.
 */
const featuresOfBothDatabases = [
  'backups',
  'chat',
  'consultations',
  'history',
  'memory',
  'operations',
  'search',
  'statistics',
  'system',
]
/**
 * Tests that `npm test` runs on the server alone, which is faster, and on the embedded database where there is no
 * server. Their subject is no work of a database (what is refused before the first statement, the texts and pictures
 * of the demo, HTTP), or they test a feature that the end-to-end tests, the clients or a random proof run on the embedded
 * database.
 */
const onceFiles = [
  'src/contract/1-refusals.test.ts',
  'src/contract/access.test.ts',
  'src/contract/private-fields.test.ts',
  `src/features/!(${featuresOfBothDatabases.join('|')})/**/*.test.ts`,
  'src/features/chat/protocol.test.ts',
  'src/features/statistics/by-day/**/*.test.ts',
  'src/http/**/*.test.ts',
  'src/resources/labels.test.ts',
  'src/resources/read/list-plans.test.ts',
  'src/seed/**/*.test.ts',
  'src/settings.test.ts',
]

function excludedFiles(): string[] {
  if (process.env.TEST_DATABASE_URL) return embeddedOnlyFiles
  return process.env.TEST_SERVER_FOLLOWS ? [...serverOnlyFiles, ...onceFiles] : serverOnlyFiles
}

/** Tests that take longest, or long for the size of their files: started last, one of them would run alone. */
const longestFiles = [
  'restore.test.ts',
  'later.test.ts',
  'private-fields.test.ts',
  'access.test.ts',
  'later-pictures.test.ts',
  'running-copy.test.ts',
  'dala.test.ts',
  'day-counts.test.ts',
  'main.test.ts',
  'undo-sweep.test.ts',
  'list-plans.test.ts',
  'recount.postgres.test.ts',
  'socket-adapter.postgres.test.ts',
]

/** Order of test files: the usual one, with the longest files first. */
class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const runPosition = ({ moduleId }: TestSpecification) => {
      const index = longestFiles.findIndex((name) => moduleId.endsWith(`/${name}`))
      return index < 0 ? longestFiles.length : index
    }
    return (await super.sort(files)).toSorted((firstFile, otherFile) => runPosition(firstFile) - runPosition(otherFile))
  }
}

export default defineConfig({
  test: {
    name: 'server',
    sequence: { groupOrder: 4, sequencer: LongestFirstSequencer },
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    exclude: excludedFiles(),
    // The test files of one worker share its database (testing/databases.ts), which takes seconds to open.
    isolate: false,
    // Tests wait for sockets and for other processes: on two cores a third worker uses the time, and a fourth one
    // where a database server does a part of the work.
    maxWorkers: process.env.TEST_DATABASE_URL ? 4 : 3,
    testTimeout: 60_000,
    // `expect.poll` waits up to twenty seconds, because events take long on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 120_000,
  },
})
