import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from './sql.ts'
import { expect, test } from 'vitest'
import { preparedImage } from '../testing/prepared-image.ts'
import { openDatabase } from './database.ts'
import { Snapshots } from './snapshots.ts'

const insertTag = sql`insert into tags (source_locale) values ('en')`

// Two databases are unpacked, which takes a loaded machine some time.
test(
  'makes an hourly copy after a write that opens as a database, and stores only 24 copies',
  { timeout: 120_000 },
  async () => {
    const database = await openDatabase({ memory: true, image: await preparedImage() })
    const snapshotFolder = mkdtempSync(join(tmpdir(), 'dala-snapshots-'))
    const snapshots = new Snapshots(database, snapshotFolder)
    expect(await snapshots.take()).toBeUndefined()
    await database.transaction((trx) => trx.query(insertTag))
    const file = await snapshots.take(new Date('2026-03-01T10:00:00.000Z'))
    expect(readdirSync(join(snapshotFolder, 'backups'))).toEqual(['dala-2026-03-01T10-00-00-000Z.tar.gz'])
    expect(await snapshots.take()).toBeUndefined()

    const copy = await openDatabase({ memory: true, image: new Blob([readFileSync(file ?? '')]) })
    expect(await copy.query(sql`select count(*) as count from tags`)).toEqual([{ count: 1 }])
    await copy.close()

    const backups = join(snapshotFolder, 'backups')
    for (let day = 1; day <= 26; day += 1)
      writeFileSync(join(backups, `dala-2025-01-${String(day).padStart(2, '0')}T00-00-00-000Z.tar.gz`), '')
    writeFileSync(join(backups, 'notes.txt'), 'mine')
    await database.transaction((trx) => trx.query(insertTag))
    await snapshots.take(new Date('2026-03-01T11:00:00.000Z'))
    const remainingFiles = readdirSync(backups).toSorted()
    expect(remainingFiles).toHaveLength(25)
    expect(remainingFiles).toContain('notes.txt')
    expect(remainingFiles).toContain('dala-2026-03-01T11-00-00-000Z.tar.gz')
    await database.close()
  },
)
