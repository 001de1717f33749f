import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, expect, test, describe } from 'vitest'
import { drawn, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { readSettings } from '../../settings.ts'
import { filesOn, places, storeInUse } from '../../testing/object-store.ts'
import { openPieces } from './resumable/open-pieces.ts'
import { openStorage } from './storage/open-storage.ts'
import { UploadSweep } from './sweep.ts'

describe.each(places)('files on %s:', (place) => {
  filesOn(place)

  let here: UploadApp
  let sweep: UploadSweep
  beforeAll(async () => {
    here = await openUploadApp()
    const settings = readSettings({ DATA_DIR: here.dataDir, ...storeInUse()?.environment })
    const [storage, pieces] = [openStorage(settings), openPieces(settings)]
    sweep = new UploadSweep({ database: here.database, storage, pieces, dataDir: here.dataDir })
  })
  afterAll(() => here.app.close())

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const nameOf = (index: number) => `${String(index).padStart(32, '0')}.png`
  const leave = (name: string, age: number) => {
    const path = here.pathOf(name)
    writeFileSync(path, 'left behind')
    utimesSync(path, hoursAgo(age), hoursAgo(age))
  }

  test('reports missing files of records, and removes files without a record', async () => {
    expect(await sweep.run()).toEqual({ missing: [], removed: [], spared: 0 })
    const bytes = await drawn(300, 200).png().toBuffer()
    const [usedFile, lost] = (await here.send([{ bytes }, { bytes }])).records
    for (const name of here.stored()) utimesSync(here.pathOf(name), hoursAgo(9), hoursAgo(9))
    rmSync(here.pathOf(basename(lost?.formats?.thumbnail?.url ?? '')))
    leave(nameOf(1), 2)
    leave(nameOf(2), 0.5)
    writeFileSync(here.pathOf('not-ours.txt'), 'x')
    utimesSync(here.pathOf('not-ours.txt'), hoursAgo(9), hoursAgo(9))

    expect(await sweep.run()).toEqual({ missing: [lost?.id], removed: [nameOf(1)], spared: 0 })
    expect(here.stored()).toEqual(expect.arrayContaining([nameOf(2), 'not-ours.txt']))
    expect((await here.app.inject({ url: String(usedFile?.url) })).statusCode).toBe(200)
    expect((await sweep.run(Date.now() + 3_600_000)).removed).toEqual([nameOf(2)])
    expect((await sweep.run()).removed).toEqual([])
  })

  test('deletes unfinished uploads of an ended program after an hour', async () => {
    const incoming = join(here.dataDir, 'incoming')
    for (const [name, age] of [
      ['upload-old', 2],
      ['upload-new', 0],
    ] as const) {
      mkdirSync(join(incoming, name), { recursive: true })
      writeFileSync(join(incoming, name, 'received-0'), 'half')
      utimesSync(join(incoming, name), hoursAgo(age), hoursAgo(age))
    }
    await sweep.run()
    expect(readdirSync(incoming)).toEqual(['upload-new'])
  })

  test('spares files younger than a restored copy for 30 days', async () => {
    const copied = (days: number, hours: number) =>
      here.database.query(sql`insert into restores (restored_at, copied_at)
        values (now() - make_interval(days => ${days}::int), now() - make_interval(hours => ${hours}::int))`)
    await copied(29, 10)
    leave(nameOf(3), 8)
    leave(nameOf(4), 20)
    expect((await sweep.run()).removed).toEqual([nameOf(4)])
    expect(here.stored()).toContain(nameOf(3))
    await here.database.query(sql`update restores set restored_at = now() - interval '31 days'`)
    expect((await sweep.run()).removed).toEqual([nameOf(3)])
  })

  test('spares all files when the database knows hardly any of them, because it is the wrong one', async () => {
    for (let index = 10; index < 40; index += 1) leave(nameOf(index), 5)
    await here.database.transaction((trx) => trx.query(sql`delete from uploads`))
    const before = here.stored()
    expect(await sweep.run()).toMatchObject({ removed: [], spared: before.length - 1 })
    expect(here.stored()).toEqual(before)
  })

  test('runs the sweep of files at the start, reports its findings, and stops', async () => {
    const reported = await new Promise((resolve, reject) => sweep.start(resolve, reject))
    expect(reported).toMatchObject({ removed: [] })
    await sweep.stop()
  })
})
