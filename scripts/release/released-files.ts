/** The files of the repository that a release contains. */

/** Entry of the commands for operators, which the launcher starts. */
export const commandEntry = 'packages/server/src/commands/dala.ts'

/** Files beside the sources that the server needs at run time. */
const releasedFiles: ReadonlySet<string> = new Set([
  'CHANGELOG.md',
  'LICENSE',
  'packages/model/package.json',
  'packages/server/package.json',
  'packages/server/allocator.mjs',
  'packages/server/compile-cache.mjs',
])

const isSource = (file: string) => /^packages\/(?:model|server)\/src\//u.test(file)
const isGuide = (file: string) => /^docs\/guide\/(?:.+\/)?[\w-]+\.(?:md|webp)$/u.test(file)
const isForTests = (file: string) => /\.(?:test|test-d)\.tsx?$|\/src\/(?:testing|contract)\//u.test(file)

/**
 * Tells whether a file belongs into a release: the sources of model and server without tests and their
 * helpers, the staff's guide, the changelog, and what they need to run.
 *
 * @param file - Path from the root of the repository.
 */
export const isReleased = (file: string): boolean =>
  releasedFiles.has(file) || isGuide(file) || (isSource(file) && !isForTests(file))

/**
 * Finds needed files that the repository lacks.
 *
 * @param files - The files of the repository.
 * @param modules - Modules that are loaded before the server.
 * @returns Their paths.
 */
export function missingFiles(files: readonly string[], modules: readonly string[]): string[] {
  const present = new Set(files.filter(isReleased))
  return [...releasedFiles, commandEntry, ...modules].filter((file) => !present.has(file))
}
