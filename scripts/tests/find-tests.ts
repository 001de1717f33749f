/** Finds tests by a part of their path or words of their title. */
import { isTest } from './choose-tests.ts'

export interface FoundTests {
  files: string[]
  /** Part of the titles of the tests to run; absent for whole files. */
  title?: string
}

/**
 * Finds the test files that arguments mean.
 *
 * @param args - Parts of paths; or words of one title, when no path contains them.
 * @param files - Paths of the repository.
 * @param textOf - Reads a file.
 * @returns The files, and the title if the words are one; undefined when nothing matches.
 */
export function findTests(
  args: readonly string[],
  files: readonly string[],
  textOf: (file: string) => string,
): FoundTests | undefined {
  const tests = files.filter(isTest)
  if (args.length === 0) return { files: tests }
  const testsByPath = tests.filter((file) => args.some((arg) => file.includes(arg.replace(/^\.\//, ''))))
  if (args.every((arg) => testsByPath.some((file) => file.includes(arg.replace(/^\.\//, '')))))
    return { files: testsByPath }
  const title = args.join(' ')
  const testsByTitle = tests.filter((file) => textOf(file).includes(title))
  return testsByTitle.length > 0 ? { files: testsByTitle, title } : undefined
}
