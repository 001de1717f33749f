import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, expect, test, describe } from 'vitest'
import { drawImage, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'
import { readSettings } from '../../settings.ts'
import { filesOn, places, storeInUse } from '../../testing/object-store.ts'
import { openPieces } from './resumable/open-pieces.ts'
import { openStorage } from './storage/open-storage.ts'
import { UploadSweep } from './sweep.ts'

describe.each(places)('files on %s:', (storageName) => {
  filesOn(storageName)

  let uploadApp: UploadApp
  let uploadSweep: UploadSweep
  beforeAll(async () => {
    uploadApp = await openUploadApp()
    const settings = readSettings({ DATA_DIR: uploadApp.dataDir, ...storeInUse()?.environment })
    const [storage, pieceStore] = [openStorage(settings), openPieces(settings)]
    uploadSweep = new UploadSweep({
      database: uploadApp.database,
      storage,
      pieces: pieceStore,
      dataDir: uploadApp.dataDir,
    })
  })
  afterAll(() => uploadApp.app.close())

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const nameOf = (index: number) => `${String(index).padStart(32, '0')}.png`
  const writeOldFile = (name: string, age: number) => {
    const path = uploadApp.pathOf(name)
    writeFileSync(path, 'left behind')
    utimesSync(path, hoursAgo(age), hoursAgo(age))
  }

  test('reports missing files of records, and removes files without a record', async () => {
    expect(await uploadSweep.run()).toEqual({ missing: [], removedFiles: [], spared: 0 })
    const bytes = await drawImage(300, 200).png().toBuffer()
    const [usedFile, damagedFile] = (await uploadApp.sendParts([{ bytes }, { bytes }])).records
    for (const name of uploadApp.stored()) utimesSync(uploadApp.pathOf(name), hoursAgo(9), hoursAgo(9))
    rmSync(uploadApp.pathOf(basename(damagedFile?.formats?.thumbnail?.url ?? '')))
    writeOldFile(nameOf(1), 2)
    writeOldFile(nameOf(2), 0.5)
    writeFileSync(uploadApp.pathOf('not-ours.txt'), 'x')
    utimesSync(uploadApp.pathOf('not-ours.txt'), hoursAgo(9), hoursAgo(9))

    expect(await uploadSweep.run()).toEqual({ missing: [damagedFile?.id], removedFiles: [nameOf(1)], spared: 0 })
    expect(uploadApp.stored()).toEqual(expect.arrayContaining([nameOf(2), 'not-ours.txt']))
    expect((await uploadApp.app.inject({ url: String(usedFile?.url) })).statusCode).toBe(200)
    expect((await uploadSweep.run(Date.now() + 3_600_000)).removedFiles).toEqual([nameOf(2)])
    expect((await uploadSweep.run()).removedFiles).toEqual([])
  })

  test('deletes unfinished uploads of an ended program after an hour', async () => {
    const incomingFolder = join(uploadApp.dataDir, 'incoming')
    for (const [name, age] of [
      ['upload-old', 2],
      ['upload-new', 0],
    ] as const) {
      mkdirSync(join(incomingFolder, name), { recursive: true })
      writeFileSync(join(incomingFolder, name, 'received-0'), 'half')
      utimesSync(join(incomingFolder, name), hoursAgo(age), hoursAgo(age))
    }
    await uploadSweep.run()
    expect(readdirSync(incomingFolder)).toEqual(['upload-new'])
  })

  test('spares files younger than a restored copy for 30 days', async () => {
    const copyTime = (days: number, hours: number) =>
      uploadApp.database.query(sql`insert into restores (restored_at, copied_at)
        values (now() - make_interval(days => ${days}::int), now() - make_interval(hours => ${hours}::int))`)
    await copyTime(29, 10)
    writeOldFile(nameOf(3), 8)
    writeOldFile(nameOf(4), 20)
    expect((await uploadSweep.run()).removedFiles).toEqual([nameOf(4)])
    expect(uploadApp.stored()).toContain(nameOf(3))
    await uploadApp.database.query(sql`update restores set restored_at = now() - interval '31 days'`)
    expect((await uploadSweep.run()).removedFiles).toEqual([nameOf(3)])
  })

  test('spares all files when the database knows hardly any of them, because it is the wrong one', async () => {
    for (let index = 10; index < 40; index += 1) writeOldFile(nameOf(index), 5)
    await uploadApp.database.transaction((trx) => trx.query(sql`delete from uploads`))
    const filesBefore = uploadApp.stored()
    expect(await uploadSweep.run()).toMatchObject({ removedFiles: [], spared: filesBefore.length - 1 })
    expect(uploadApp.stored()).toEqual(filesBefore)
  })

  test('runs the sweep of files at the start, reports its findings, and stops', async () => {
    const reportedSweep = await new Promise((resolve, reject) => uploadSweep.start(resolve, reject))
    expect(reportedSweep).toMatchObject({ removedFiles: [] })
    await uploadSweep.stop()
  })
})
