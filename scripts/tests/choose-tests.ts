/** Chooses the tests that say most about changed files within a bounded time. */
import { dirname } from 'node:path'
import { distancesFrom, type Importers } from './import-graph.ts'

/** Seconds of tests in all workers together: two of them, and the start of vitest and of a database, stay below 30 s. */
const secondsOfTests = 24

/** Tests that need a PostgreSQL server; only `npm test` has one. */
const needsServer = (file: string) => file.includes('.postgres.test.')

/** Seconds to load a test file, whatever its tests take. */
const secondsToLoad = 0.2

export const isTest = (file: string) => /\.test(-d)?\.tsx?$/.test(file)

/** `packages/server/src/db/migrate` of `packages/server/src/db/migrate.test.ts` and of `…/migrate.ts`. */
const subjectOf = (file: string) => file.replace(/(\.postgres)?(\.test|\.test-d)?\.tsx?$/, '')

/** Test files that depend on changed files. */
export interface Chosen {
  /** To be run now, the most telling first. */
  chosen: string[]
  /** Left for `npm test`. */
  left: string[]
}

/**
 * Orders the tests that depend on changed files and takes as many as the time allows. Changed tests and tests beside a
 * changed file are taken whatever they need; then those with the fewest imports in between, in the folder of a changed
 * file before others, quick ones before slow ones.
 *
 * @param changed Paths of the changed files.
 * @param importers For each file its importers.
 * @param secondsOf How long a test file takes.
 * @param limit Seconds of tests in all workers together.
 * @returns The test files to run and those that are left.
 */
export function chooseTests(
  changed: readonly string[],
  importers: Importers,
  secondsOf: (file: string) => number,
  limit: number = secondsOfTests,
): Chosen {
  const subjects = new Set(changed.map(subjectOf))
  const folders = new Set(changed.map(dirname))
  const ranked = [...distancesFrom(importers, changed)]
    .filter(([file]) => isTest(file))
    .map(([file, distance]) => ({
      file,
      always: distance === 0 || subjects.has(subjectOf(file)),
      order: [distance, folders.has(dirname(file)) ? 0 : 1, secondsOf(file)],
    }))
    .toSorted(
      (one, other) =>
        Number(other.always) - Number(one.always) ||
        (one.order.map((value, index) => value - (other.order[index] ?? 0)).find((value) => value !== 0) ?? 0),
    )
  const chosen: string[] = []
  const left: string[] = []
  let spent = 0
  for (const { file, always } of ranked) {
    const seconds = secondsOf(file) + secondsToLoad
    if (!needsServer(file) && (always || spent + seconds <= limit)) {
      chosen.push(file)
      spent += seconds
    } else left.push(file)
  }
  return { chosen, left }
}
