/**
 * Lists folders with so many source files that they probably have more than one subject. The list is a remark, never a
 * failure.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { passedTally, type Step } from '../lib/step.ts'

const rooms = ['packages/model/src', 'packages/server/src', 'packages/panel/src', 'clients', 'e2e', 'scripts']
const usualSize = 25

/** Tells whether a file counts for the size of its folder: source code that is not a test. */
function isSource(file: string): boolean {
  return /\.(tsx?|mjs|css)$/.test(file) && !/\.(test|test-d|spec)\.tsx?$/.test(file)
}

/**
 * Counts the source files of each folder without its subfolders.
 *
 * @param files - Paths of files.
 * @returns The folders above the usual size, the largest first.
 */
export function largeFolders(files: readonly string[]): { folder: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const file of files.filter(isSource)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > usualSize)
    .map(([folder, count]) => ({ folder, count }))
    .toSorted((one, other) => other.count - one.count)
}

const filesBelow = (folder: string) =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) !== 'node_modules' && !file.includes('node_modules/'))
    .map((file) => join(folder, file))

export const folderSizes: Step = {
  name: 'Large folders',
  independent: true,
  run: () => {
    const largeFolderList = largeFolders(rooms.flatMap(filesBelow))
    const lines = largeFolderList.map(({ folder, count }) => `${String(count).padStart(5)}  ${folder}`)
    const sizeRule = `Folders of more than ${usualSize} source files, tests aside; a README says why one stays:`
    return Promise.resolve(
      largeFolderList.length === 0 ? passedTally : { ...passedTally, output: [sizeRule, ...lines].join('\n') },
    )
  },
}
