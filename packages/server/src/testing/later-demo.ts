/**
 * An application with the first part of the demo and a folder for its pictures, for tests of the parts that
 * follow.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { DiskStorage } from '../features/uploads/storage/disk-storage.ts'
import { readSettings } from '../settings.ts'
import { Uploads } from '../features/uploads/uploads.ts'
import { seed, type SeedSettings } from '../seed/index.ts'
import { demoParts } from '../seed/later-parts.ts'
import type { LaterOptions } from '../seed/later.ts'
import { openTestApp, tokenOf } from './app.ts'

export const demoSettings: SeedSettings = { seed: 'demo', day: '2026-10-14', ownerEmail: 'owner@example.org' }

export interface LaterDemo {
  database: Database
  /** Options of a later seed that nobody stops, and that no user waits for. */
  options: LaterOptions
  /** Folder of the demo's pictures. */
  dataDir: string
  /** Reads an address as the owner; throws when the request is refused. */
  get: <T = { attributes: Record<string, unknown> }[]>(path: string) => Promise<{ data: T }>
  close: () => Promise<void>
}

/**
 * Opens the application and seeds the data that a start waits for.
 *
 * @param isLeftOut - Whether a later part counts as complete without being filled; tests of other parts skip
 *   it.
 */
export async function openLaterDemo(isLeftOut: (partName: string) => boolean): Promise<LaterDemo> {
  const { app, database } = await openTestApp()
  await seed(database, { ...demoSettings, ownerPassword: 'Harvest-2026' })
  const demoPartList = demoParts()
    .map(({ name }) => name)
    .filter(isLeftOut)
  await database.query(sql`insert into seeds (name) select unnest(${demoPartList}::text[])`)
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-later-'))
  const { uploads: limits } = readSettings({ UPLOAD_RESERVE_MB: '0' })
  const warnOfFailure = (error: unknown) => {
    throw error
  }
  const uploads = new Uploads({
    database,
    storage: new DiskStorage(join(dataDir, 'uploads')),
    dataDir,
    limits,
    warnOf: warnOfFailure,
  })
  const authorization = `Bearer ${await tokenOf(app, 'owner')}`
  return {
    database,
    options: { store: { uploads }, signal: new AbortController().signal, pauseMs: 0 },
    dataDir,
    get: async (path) => {
      const answer = await app.inject({ url: `/api/${path}`, headers: { authorization } })
      if (answer.statusCode !== 200) throw new Error(`${path} was refused: ${answer.body}`)
      return answer.json()
    },
    close: async () => {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
