/** The files of the repository, as listed by git. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { repositoryRoot } from './processes.ts'

/**
 * Runs git and returns the paths it lists.
 *
 * @throws With git's own message when it fails.
 */
async function list(...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: repositoryRoot, maxBuffer: 2 ** 26 })
  return stdout.split('\0').filter((file) => file !== '')
}

/** Every file except ignored ones. */
export const listFiles = () => list('ls-files', '-z', '--cached', '--others', '--exclude-standard')

/** Files that differ from a commit, including new and removed ones. */
export async function listChanged(base: string): Promise<string[]> {
  const tracked = await list('diff', '--name-only', '-z', '--no-renames', base, '--')
  return [...new Set([...tracked, ...(await list('ls-files', '-z', '--others', '--exclude-standard'))])]
}
