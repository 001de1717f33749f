/** Chooses the most relevant tests of changed files within a time limit. */
import { dirname } from 'node:path'
import { measureDistances, type Importers } from './import-graph.ts'

/**
 * Maximum seconds of tests in all workers together. A run stays below 30 s with two workers, of which each
 * needs some eight seconds to load the server and to open a database.
 */
const secondsOfTests = 20

/** Tells whether a test needs a PostgreSQL server, which only `npm test` has. */
const needsServer = (file: string) => file.includes('.postgres.test.')

/** Seconds to load a test file, however long its tests take. */
const secondsToLoad = 0.2

export const isTest = (file: string) => /\.test(-d)?\.tsx?$/.test(file)

/**
 * Returns the path without its ending: `packages/server/src/db/migrate` of both `…/migrate.test.ts` and
 * `…/migrate.ts`.
 */
const subjectOf = (file: string) => file.replace(/(\.postgres)?(\.test|\.test-d)?\.tsx?$/, '')

/** The chosen test files among those that depend on changed files. */
export interface ChosenTests {
  /** Test files that the run includes, the most relevant first. */
  chosen: string[]
  /** Test files that the run leaves for `npm test`. */
  left: string[]
}

/**
 * Orders the tests that depend on changed files and takes as many as the time allows. Changed tests and tests
 * beside a changed file are always taken. The others follow by the number of imports in between, then those
 * in the folder of a changed file, then the quick ones.
 *
 * @param changedFiles - Paths of the changed files.
 * @param importers - For each file its importers.
 * @param secondsOf - Duration of a test file.
 * @param limit - Seconds of tests in all workers together.
 * @returns The test files to run and those that are left.
 */
export function chooseTests(
  changedFiles: readonly string[],
  importers: Importers,
  secondsOf: (file: string) => number,
  limit: number = secondsOfTests,
): ChosenTests {
  const changedSubjects = new Set(changedFiles.map(subjectOf))
  const folders = new Set(changedFiles.map(dirname))
  const rankedTests = [...measureDistances(importers, changedFiles)]
    .filter(([file]) => isTest(file))
    .map(([file, distance]) => ({
      file,
      isAlwaysRun: distance === 0 || changedSubjects.has(subjectOf(file)),
      order: [distance, folders.has(dirname(file)) ? 0 : 1, secondsOf(file)],
    }))
    .toSorted(
      (one, other) =>
        Number(other.isAlwaysRun) - Number(one.isAlwaysRun) ||
        (one.order.map((value, index) => value - (other.order[index] ?? 0)).find((value) => value !== 0) ?? 0),
    )
  const chosenTests: string[] = []
  const omittedTests: string[] = []
  let spentTime = 0
  for (const { file, isAlwaysRun: isMandatory } of rankedTests) {
    const seconds = secondsOf(file) + secondsToLoad
    if (!needsServer(file) && (isMandatory || spentTime + seconds <= limit)) {
      chosenTests.push(file)
      spentTime += seconds
    } else omittedTests.push(file)
  }
  return { chosen: chosenTests, left: omittedTests }
}
