/** The repository's files as git knows them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { repositoryRoot } from './processes.ts'

/** Runs git; answers with the paths it lists. Throws with what git said when it refuses. */
async function list(...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: repositoryRoot, maxBuffer: 2 ** 26 })
  return stdout.split('\0').filter((file) => file !== '')
}

/** Every file, ignored ones aside. */
export const listFiles = () => list('ls-files', '-z', '--cached', '--others', '--exclude-standard')

/** Files that differ from a commit, new ones included, removed ones too. */
export async function listChanged(base: string): Promise<string[]> {
  const tracked = await list('diff', '--name-only', '-z', '--no-renames', base, '--')
  return [...new Set([...tracked, ...(await list('ls-files', '-z', '--others', '--exclude-standard'))])]
}
