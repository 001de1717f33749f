/**
 * The flags of Node that the server runs with. They are declared once, in the script `start` of
 * package.json.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './processes.ts'

export interface StartFlags {
  /**
   * Flags without a file: early heap collection, and one compiler thread, which leaves less fragmented
   * memory.
   */
  flags: readonly string[]
  /** Modules that are loaded before the server, as paths from the root of the repository. */
  modules: readonly string[]
}

/**
 * Reads the flags of a command that starts the server.
 *
 * @param command - The command, `node --expose-gc --import ./packages/server/allocator.mjs <entry>`.
 * @returns The flags between `node` and the entry.
 * @throws When the command does not start with `node`.
 */
export function readStartFlags(command: string): StartFlags {
  const [program, ...words] = command.trim().split(/\s+/u)
  if (program !== 'node') throw new Error(`The command does not start with node: ${command}`)
  const flags: string[] = []
  const modules: string[] = []
  for (let index = 0; words[index]?.startsWith('--') === true; index += 1) {
    const word = words[index] ?? ''
    if (word !== '--import') {
      flags.push(word)
      continue
    }
    index += 1
    modules.push((words[index] ?? '').replace(/^\.\//u, ''))
  }
  return { flags, modules }
}

/** Reads the flags of `npm start` in the folder of a version of the program. */
export function startFlagsOf(root: string): StartFlags {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return readStartFlags(manifest.scripts.start)
}

/** The flags of `npm start`. */
export const startFlags = startFlagsOf(repositoryRoot)
