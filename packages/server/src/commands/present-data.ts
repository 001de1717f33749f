/** Opens present data without creating or completing anything, for commands that only read. */
import { existsSync } from 'node:fs'
import { hasDatabase, liveFolder } from '../db/backups/switch-over.ts'
import { openDatabase } from '../db/database.ts'
import { databaseFailure } from '../db/failures.ts'
import { lockFolder } from '../db/lock.ts'
import { codeOf, type DataSettings, type OpenData, type OpenOptions, StartError } from '../db/open-data.ts'

/**
 * Opens the database of these settings where there is one. An embedded one is locked meanwhile.
 *
 * @param settings - The place of the data.
 * @param options - The options of opening the database.
 * @returns The database and what closes it; undefined when the first start has not created it yet.
 * @throws LockError while another program uses the embedded database; StartError when it cannot be opened.
 */
export async function openPresentData(
  { dataDir, databaseUrl }: DataSettings,
  options: OpenOptions = {},
): Promise<OpenData | undefined> {
  if (databaseUrl !== undefined) {
    const database = await openDatabase({ url: databaseUrl }, options).catch((error: unknown) => {
      throw new StartError(`The database of DATABASE_URL cannot be used: ${reasonOf(error, databaseUrl)}.`)
    })
    return { database, close: () => database.close() }
  }
  if (!hasDatabase(dataDir)) return undefined
  if (!existsSync(liveFolder(dataDir)))
    throw new StartError(`A restore into ${dataDir} was interrupted: the next start completes it.`)
  const lock = lockFolder(dataDir)
  try {
    const database = await openDatabase({ dataDir }, { ...options, assertLockHeld: () => lock.assertHeld() })
    const close = async () => {
      await database.close()
      lock.release()
    }
    return { database, close }
  } catch (error) {
    lock.release()
    throw new StartError(`The database in ${dataDir} cannot be opened: ${reasonOf(error)}.`)
  }
}

/** Describes an error of the database; the password of its address never appears. */
function reasonOf(error: unknown, databaseUrl = ''): string {
  const message = error instanceof Error ? error.message : String(error)
  const shownMessage = passwordsOf(databaseUrl).reduce((text, password) => text.replaceAll(password, '***'), message)
  const code = codeOf(error) || databaseFailure(error)
  return code === undefined ? shownMessage : `${shownMessage || code} (${code})`
}

/** The password of an address as it is written there and as it is sent; none when there is none. */
function passwordsOf(databaseUrl: string): string[] {
  const password = URL.parse(databaseUrl)?.password ?? ''
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
