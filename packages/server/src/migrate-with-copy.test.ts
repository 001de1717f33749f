import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from './db/database.ts'
import { verifyBackup } from './db/backups/verify.ts'
import { type Migration, readMigrations } from './db/migrate.ts'
import { StartError } from './db/open-data.ts'
import { sql } from './db/sql.ts'
import { runAlone } from './features/backups/alone.ts'
import { listBackups } from './features/backups/backup-rows.ts'
import { migrateWithCopy, needsCopy } from './migrate-with-copy.ts'
import { readSettings } from './settings.ts'
import { workerUrl } from './testing/backup-world.ts'
import { openTestDatabase, type TestDatabase } from './testing/databases.ts'
import { buildUser } from './testing/factories.ts'

// A copy of a whole database takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const addedTable = 'late_additions'
const migrations: readonly Migration[] = [
  ...readMigrations(),
  { id: 9_998, name: 'late-additions', sql: `create table ${addedTable} (id int)`, checksum: 'late' },
]

let opened: TestDatabase
let database: Database
beforeEach(async () => {
  opened = await openTestDatabase()
  database = opened.database
  await database.query(sql`delete from backups`)
})
afterEach(async () => {
  await database.script(`drop table if exists ${addedTable}; delete from migrations where id = 9998`)
  await opened.close()
})

function settingsOf(environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dala-migrating-'))
  const settings = readSettings({
    DATA_DIR: folder,
    DATABASE_URL: workerUrl(),
    UPLOAD_RESERVE_MB: '0',
    BACKUP_FOLDER: join(folder, 'copies'),
    ...environment,
  })
  return { settings, copies: () => (existsSync(join(folder, 'copies')) ? readdirSync(join(folder, 'copies')) : []) }
}

const isMigrated = async () => {
  const [row] = await database.query(sql<{ isThere: boolean }>`
    select to_regclass(${addedTable}::text) is not null as "isThere"`)
  return row?.isThere
}

describe('migrateWithCopy', () => {
  test('takes a copy that can be restored before it migrates a database with accounts, and records it', async () => {
    await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
    const { settings, copies } = settingsOf()
    const lines: string[] = []
    const printLine = (line: string) => void lines.push(line)
    expect(await migrateWithCopy(database, settings, { printLine, migrations })).toEqual(['late-additions'])
    const [name = ''] = copies()
    expect(copies()).toHaveLength(1)
    expect(lines).toEqual([`A copy was taken before the migration: ${name}`])
    expect(await isMigrated()).toBe(true)
    const [copy] = await listBackups(database)
    expect(copy).toMatchObject({ name, kind: 'migration', state: 'complete', places: ['folder'] })
    expect(copy?.bytes).toBeGreaterThan(1_000)
    const content = await verifyBackup(join(settings.backups.folder ?? '', name))
    expect(JSON.stringify(content)).not.toContain(addedTable)
  })

  test('takes no copy of a database without accounts, of one that lacks nothing, and where it is turned off', async () => {
    const { settings, copies } = settingsOf()
    expect(await needsCopy(database, settings)).toBe(false)
    expect(await migrateWithCopy(database, settings, { migrations })).toEqual(['late-additions'])
    await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
    expect(await migrateWithCopy(database, settings, { migrations })).toEqual([])
    await database.script(`drop table ${addedTable}; delete from migrations where id = 9998`)
    const turnedOff = settingsOf({ BACKUP_BEFORE_MIGRATION: 'off' })
    expect(await migrateWithCopy(database, turnedOff.settings, { migrations })).toEqual(['late-additions'])
    expect([copies(), turnedOff.copies()]).toEqual([[], []])
  })

  test('migrates nothing when the copy fails, and says why in one sentence', async () => {
    await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
    const { settings } = settingsOf({ UPLOAD_RESERVE_MB: '1000000' })
    const failure: unknown = await migrateWithCopy(database, settings, { migrations }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StartError)
    expect(String(failure)).toMatch(/nothing was migrated: The disk of .* is too full .* BACKUP_BEFORE_MIGRATION=off/)
    const blocked = settingsOf()
    writeFileSync(blocked.settings.backups.folder ?? '', 'a file in the place of the folder')
    await expect(migrateWithCopy(database, blocked.settings, { migrations })).rejects.toThrow(
      /nothing was migrated: .*[^.]\. BACKUP_BEFORE_MIGRATION=off/,
    )
    expect(await isMigrated()).toBe(false)
  })

  test('migrates nothing while another backup runs', async () => {
    await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
    await runAlone(database, async () => {
      await expect(migrateWithCopy(database, settingsOf().settings, { migrations })).rejects.toThrow(
        /Another backup or proof is running/,
      )
    })
    expect(await isMigrated()).toBe(false)
  })
})
