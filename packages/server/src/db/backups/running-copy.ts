/**
 * Requests a copy of the database from the server that has the data folder, by a file that an older or dead
 * server ignores.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { requestNames } from '../snapshots.ts'
import { BackupError } from './backup-error.ts'

const checkInterval = 100
const copyTimeout = 60_000

/**
 * Requests a copy of the database from the running program.
 *
 * @returns The packed database.
 * @throws A BackupError when no answer arrives within a minute.
 */
export async function copyRunningDatabase(dataDir: string, limit = copyTimeout): Promise<Blob> {
  const folder = join(dataDir, 'backups')
  const { request, answer } = requestNames(randomUUID())
  const [requestFile, answerFile] = [join(folder, request), join(folder, answer)]
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(requestFile, '', { mode: 0o600 })
  const deadline = performance.now() + limit
  try {
    while (!existsSync(answerFile)) {
      if (performance.now() > deadline)
        throw new BackupError(
          `The running program that uses ${dataDir} did not answer: stop it, or take the newest hourly copy in ${folder}.`,
        )
      await wait(checkInterval)
    }
    return new Blob([await readFile(answerFile)])
  } finally {
    await Promise.all([rm(requestFile, { force: true }), rm(answerFile, { force: true })])
  }
}
