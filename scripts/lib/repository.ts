/** The files of the repository, as listed by git. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { repositoryRoot } from './processes.ts'

/**
 * Runs a git command and returns the paths that it prints.
 *
 * @throws With git's own message when it fails.
 */
async function list(...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: repositoryRoot, maxBuffer: 2 ** 26 })
  return stdout.split('\0').filter((file) => file !== '')
}

/** Lists every file of the repository except ignored ones. */
export const listFiles = () => list('ls-files', '-z', '--cached', '--others', '--exclude-standard')

/** Lists files that differ from a commit, including new and removed ones. */
export async function listChangedFiles(base: string): Promise<string[]> {
  const trackedChanges = await list('diff', '--name-only', '-z', '--no-renames', base, '--')
  return [...new Set([...trackedChanges, ...(await list('ls-files', '-z', '--others', '--exclude-standard'))])]
}

/**
 * Finds the lines that differ from a commit, in tracked files.
 *
 * @param base The commit.
 * @returns The numbers of added and changed lines by file.
 */
export async function listChangedLines(base: string): Promise<Map<string, ReadonlySet<number>>> {
  const args = ['diff', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', '--diff-filter=d', base, '--']
  const { stdout } = await promisify(execFile)('git', args, { cwd: repositoryRoot, maxBuffer: 2 ** 28 })
  const changedLines = new Map<string, Set<number>>()
  let file = ''
  for (const line of stdout.split('\n')) {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(line) ?? []
    if (start === undefined) continue
    const lines = changedLines.get(file) ?? new Set()
    for (let lineOffset = 0; lineOffset < Number(count); lineOffset += 1) lines.add(Number(start) + lineOffset)
    changedLines.set(file, lines)
  }
  return changedLines
}
