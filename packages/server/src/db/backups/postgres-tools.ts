/** PostgreSQL's own programs for copies of a server's database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { BackupError } from './backup-error.ts'

const distributionFolder = '/usr/lib/postgresql'

/**
 * Returns the path of a PostgreSQL program: from PATH, otherwise the newest installed one. Throws a
 * BackupError when there is none.
 */
function findProgram(name: string): string {
  const versions = existsSync(distributionFolder) ? readdirSync(distributionFolder).map(Number) : []
  const installedTools = versions
    .sort((a, b) => b - a)
    .map((version) => join(distributionFolder, String(version), 'bin'))
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...installedTools]
  const foundTool = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  if (foundTool === undefined)
    throw new BackupError(`The program ${name} was not found: install the client programs of PostgreSQL.`)
  return foundTool
}

interface ProgramRun {
  child: ChildProcess
  /** Resolves at the end of the program. Throws a BackupError when it failed. */
  ended: Promise<void>
}

/**
 * Starts one of PostgreSQL's programs on a database. The environment has the password, because other users can
 * see arguments.
 */
function startProgram(
  name: string,
  url: string,
  args: readonly string[],
  { output = 'ignore', signal }: { output?: 'ignore' | 'pipe'; signal?: AbortSignal | undefined } = {},
): ProgramRun {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const child = spawn(findProgram(name), ['--no-password', `--dbname=${address.href}`, ...args], {
    stdio: ['ignore', output, 'pipe'],
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    ...(signal && { signal }),
  })
  let errorOutput = ''
  child.stderr?.on('data', (errorChunk: Buffer) => {
    errorOutput = `${errorOutput}${errorChunk.toString()}`.slice(-2_000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const reason = errorOutput.trim().replaceAll(/\s*\n\s*/g, ' ')
      if (code === 0) resolve()
      else reject(new BackupError(`${name} failed: ${reason}`))
    })
  })
  return { child, ended }
}

const runProgram = (name: string, url: string, args: readonly string[], signal?: AbortSignal): Promise<void> =>
  startProgram(name, url, args, { signal }).ended

/**
 * Copies a PostgreSQL database while others continue to write. The queue of background work is left out:
 * pending work is stored in other tables, and the next start queues it again (decision 17).
 *
 * @param url - The address of the database.
 * @param snapshot - The exported snapshot that is copied.
 * @param writeDump - Writes the bytes of the dump.
 * @param signal - Ends the copy.
 * @throws A BackupError when the program failed.
 */
export async function dumpServer(
  url: string,
  snapshot: string,
  writeDump: (bytes: Readable) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--exclude-schema=pgboss']
  const { child, ended } = startProgram('pg_dump', url, [...options, `--snapshot=${snapshot}`], {
    output: 'pipe',
    signal,
  })
  ended.catch(() => {})
  if (child.stdout === null) throw new BackupError('pg_dump gave no bytes.')
  await writeDump(child.stdout)
  // The program may fail after it has sent all of its bytes.
  await ended
}

/**
 * Restores a dump into an empty database, with its indexes and constraints.
 *
 * @param url - The address of the empty database.
 * @param dump - The file of the dump.
 * @param signal - Ends the restore.
 * @throws A BackupError at the first statement that fails.
 */
export async function restoreInto(url: string, dump: string, signal?: AbortSignal): Promise<void> {
  await runProgram('pg_restore', url, ['--exit-on-error', '--no-owner', '--no-privileges', dump], signal)
}

// The schema as `create database` leaves it, which the copy's own statements expect.
const emptySchemaStatements = [
  'drop schema public cascade',
  'create schema public authorization pg_database_owner',
  `comment on schema public is 'standard public schema'`,
  'grant usage on schema public to public',
]

/**
 * Replaces the whole database by the statements of a script, in one transaction.
 *
 * @param url - The address of the database.
 * @param script - The copy as statements.
 * @param closingSql - Statements that run after them.
 */
export function runScript(url: string, script: string, closingSql: string): Promise<void> {
  const startCommands = emptySchemaStatements.flatMap((statement) => ['--command', statement])
  const options = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction']
  return runProgram('psql', url, [...options, ...startCommands, `--file=${script}`, '--command', closingSql])
}

/** Converts a dump of a database to SQL statements. Throws when the dump is incomplete. */
export async function writeScript(dump: string, script: string): Promise<void> {
  const program = findProgram('pg_restore')
  const args = ['--no-owner', '--no-privileges', `--file=${script}`, dump]
  const child = spawn(program, args, { stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new BackupError('The copy of the database cannot be read by pg_restore.')
}
