/**
 * Opens the data for the server and for all commands: the folder, its lock, a restored copy, the database.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Settings, SettingsError } from '../settings.ts'
import { BackupError } from './backups/backup-error.ts'
import { finishRestore } from './backups/switch-over.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { databaseFailure } from './failures.ts'
import { type FolderLock, LockError, lockFolder } from './lock.ts'
import { SchemaError } from './migrate.ts'
import { placePreparedFolder } from './prepared.ts'

/** Error of a failed start, whose message is one sentence for the terminal. */
export class StartError extends Error {
  override name = 'StartError'
}

export type DataSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** Options for opening the database of a server, besides its settings. */
export type OpenOptions = Omit<DatabaseOptions, 'assertLockHeld'>

export interface OpenData {
  database: Database
  /** Closes the database, then releases the folder. */
  close: () => Promise<void>
}

export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The message of an error in the terminal.
 *
 * @param error - The error.
 * @param unexpectedSentence - The sentence for unexpected errors.
 * @returns The sentence.
 */
export function terminalMessage(error: unknown, unexpectedSentence: string): string {
  const isExpected = [SettingsError, StartError, LockError, SchemaError, BackupError].some(
    (kind) => error instanceof kind,
  )
  if (isExpected) return messageOf(error)
  const stack = error instanceof Error && process.env.LOG_LEVEL === 'debug' ? `\n${error.stack}` : ''
  return `${unexpectedSentence}: ${messageOf(error)}${stack}`
}

/**
 * Makes a folder and its parents one by one, because Node's
 * recursion never ends where the system refuses new folders.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Takes the data folder: creates it, checks that it is writable, and locks it when it has the database.
 *
 * @throws A StartError, or a LockError while another program has it.
 */
export function lockDataFolder({ dataDir, databaseUrl }: DataSettings): FolderLock | undefined {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return databaseUrl === undefined ? lockFolder(dataDir) : undefined
  } catch (error) {
    if (error instanceof LockError) throw error
    throw new StartError(`The data folder ${dataDir} cannot be written (${codeOf(error)}).`)
  }
}

async function openSettingsDatabase(
  { databaseUrl, dataDir }: DataSettings,
  options: DatabaseOptions,
): Promise<Database> {
  try {
    if (databaseUrl !== undefined) return await openDatabase({ url: databaseUrl }, options)
    finishRestore(dataDir)
    placePreparedFolder(dataDir)
    return await openDatabase({ dataDir }, options)
  } catch (error) {
    // The terminal never shows the database address itself, because it contains a password.
    if (databaseUrl === undefined)
      throw new StartError(`The database in ${dataDir} cannot be opened: ${messageOf(error)}.`)
    const reason = codeOf(error) || databaseFailure(error) || messageOf(error)
    throw new StartError(`The database of DATABASE_URL cannot be used: ${messageOf(error) || reason} (${reason}).`)
  }
}

/**
 * Opens the data of these settings without migrating them: first the lock, then the database (decision 4).
 * After a failure nothing stays locked.
 *
 * @param settings - The place of the data.
 * @param options - The options of opening the database.
 * @returns The database, and the function that closes it.
 * @throws The errors that `terminalMessage` explains.
 */
export async function openData(settings: DataSettings, options: OpenOptions = {}): Promise<OpenData> {
  const lock = lockDataFolder(settings)
  try {
    const database = await openSettingsDatabase(settings, { ...options, assertLockHeld: () => lock?.assertHeld() })
    return {
      database,
      close: async () => {
        await database.close()
        lock?.release()
      },
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}
