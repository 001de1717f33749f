/** PostgreSQL's own programs for copies of a server's database. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BackupError } from './manifest.ts'

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

/**
 * Runs one of PostgreSQL's programs on a database. The environment has the password, because other users can
 * see arguments.
 */
async function runProgram(name: string, url: string, args: readonly string[]): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const child = spawn(findProgram(name), ['--no-password', `--dbname=${address.href}`, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
  })
  let errorOutput = ''
  child.stderr.on('data', (errorChunk: Buffer) => {
    errorOutput = `${errorOutput}${errorChunk.toString()}`.slice(-2_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new BackupError(`${name} failed: ${errorOutput.trim().replaceAll(/\s*\n\s*/g, ' ')}`)
}

/**
 * Writes a consistent copy of a PostgreSQL database into a file while others continue to write. The queue of
 * background work is left out: pending work is stored in other tables, and the next start queues it again
 * (decision 17).
 */
export function dumpServer(url: string, file: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--exclude-schema=pgboss']
  return runProgram('pg_dump', url, [...options, `--file=${file}`])
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
