import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import type { ThreadLimits } from './embedded-thread.ts'

/** A statement of SQL that runs for more than a minute. */
const endlessStatement = 'select count(*) from generate_series(1, 2000000000) n where n % 7 = 3'
const limits = { statement: 400 }

let dataDir: string
let database: Database | undefined

/** Opens the folder of the file, which all tests share because creating one takes longer than all of them. */
async function openThread(threadLimits: Partial<ThreadLimits> = limits) {
  database = await openDatabase({ dataDir, limits: threadLimits })
  return database
}
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dala-thread-'))
})
afterEach(() => database?.close())
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (database: Database, sql: string, parameters: unknown[] = []) => database.rows({ sql, parameters })
const codeOf = (answerPromise: Promise<unknown>) =>
  answerPromise.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

describe('a statement of the embedded database that takes too long', () => {
  it('refuses a statement over its time limit, while everything else continues and written data stay', async () => {
    const database = await openThread()
    await database.script('create table kept (id int primary key)')
    for (let id = 1; id <= 5; id += 1) await run(database, 'insert into kept values ($1)', [id])

    const order: unknown[] = []
    const refusedCode = codeOf(run(database, endlessStatement)).then((code) => order.push(code))
    // Statements that are sent while the database is closed wait until it is reopened, and run once.
    const otherCalls = Promise.all([
      run(database, 'insert into kept values ($1)', [6]),
      database.transaction((trx) => trx.rows({ sql: 'insert into kept values ($1)', parameters: [7] })),
    ]).then(() => order.push('others'))
    const timer = wait(1).then(() => order.push('timer'))
    await Promise.all([refusedCode, otherCalls, timer])
    expect(order).toEqual(['timer', '57014', 'others'])
    expect(await run(database, 'select array_agg(id order by id) from kept')).toEqual([[[1, 2, 3, 4, 5, 6, 7]]])
  })
  it('rolls back the transaction of a statement over its time limit, and runs none of its later ones', async () => {
    const database = await openThread()
    await database.script('create table undone (id int primary key)')
    const codes: unknown[] = []
    const outerCode = await codeOf(
      database.transaction(async (trx) => {
        await trx.rows({ sql: 'insert into undone values (1)', parameters: [] })
        codes.push(await codeOf(trx.rows({ sql: endlessStatement, parameters: [] })))
        codes.push(await codeOf(trx.rows({ sql: 'insert into undone values (2)', parameters: [] })))
      }),
    )
    expect([codes, outerCode]).toEqual([['57014', '57P01'], '57P01'])
    expect(await run(database, 'select count(*) from undone')).toEqual([[0]])
  })
  it('applies no time limit to a statement in a session of its own', async () => {
    const database = await openThread({ statement: 1 })
    const countedSessions = await database.session((session) =>
      session.run({ sql: 'select count(*) from generate_series(1, 1000000)', parameters: [] }, 'array'),
    )
    expect(countedSessions.rows).toEqual([[1_000_000]])
  })
  it('applies no time limit to statements during a start, but afterwards', async () => {
    const database = await openThread({ statement: 1 })
    const longStatement = 'select count(*) from generate_series(1, 1000000)'
    const countedRows = await database.withoutTimeLimit(async () => [
      await run(database, longStatement),
      await database.transaction((trx) => trx.rows({ sql: longStatement, parameters: [] })),
    ])
    expect(countedRows).toEqual([[[1_000_000]], [[1_000_000]]])
    expect(await codeOf(run(database, endlessStatement))).toBe('57014')
  })
})

describe('the thread of the embedded database', () => {
  it('answers statements while an archive of the database is compressed', async () => {
    const database = await openThread({})
    const first = await Promise.race([
      database.snapshot().then(() => 'the copy'),
      run(database, 'select 1').then(() => 'the statement'),
    ])
    expect(first).toBe('the statement')
  })

  it('reopens the embedded database when its memory has grown, and forgets prepared statements', async () => {
    const database = await openThread({ growth: -1 })
    const answers = []
    // The statement of the test is prepared from its third run on.
    for (let count = 0; count < 5; count += 1) answers.push(await run(database, 'select $1::int', [count]))
    expect(answers).toEqual([[[0]], [[1]], [[2]], [[3]], [[4]]])
  })
  it('stays open with grown memory while the disk has no space to open it', async () => {
    let free = Number.MAX_SAFE_INTEGER
    const database = await openThread({ growth: -1, pause: 0, freeBytes: async () => free })
    free = 0
    await run(database, 'create temporary table opened (id int)')
    await run(database, 'insert into opened values (1)')
    expect(await run(database, 'select id from opened')).toEqual([[1]])
    free = Number.MAX_SAFE_INTEGER
    await run(database, 'select 1')
    expect(await codeOf(run(database, 'select id from opened'))).toBe('42P01')
  })
  it('looks for space once in a while on a full disk, not after each statement', async () => {
    const free = [Number.MAX_SAFE_INTEGER]
    let checks = 0
    const freeBytes = async () => {
      checks += 1
      return free.shift() ?? 0
    }
    const database = await openThread({ growth: -1, freeBytes })
    await run(database, 'create temporary table opened (id int)')
    for (let count = 0; count < 5; count += 1) await run(database, 'select id from opened')
    expect(checks).toBe(2)
  })
  it('closes the database whose memory has grown too far on a full disk, and opens it afterwards', async () => {
    let free = Number.MAX_SAFE_INTEGER
    const database = await openThread({ growth: -1, maxGrowth: -1, freeBytes: async () => free })
    free = 0
    await run(database, 'select 1')
    expect(await codeOf(run(database, 'select 1'))).toBe('ENOSPC')
    free = Number.MAX_SAFE_INTEGER
    expect(await run(database, 'select 1')).toEqual([[1]])
  })
  it('opens the database after the space of its disk could not be read once', async () => {
    const answers = [async () => Number.MAX_SAFE_INTEGER, () => Promise.reject(new Error('EIO: i/o error, statfs'))]
    const freeBytes = () => (answers.shift() ?? (async () => Number.MAX_SAFE_INTEGER))()
    const database = await openThread({ ...limits, freeBytes })
    expect(await codeOf(run(database, endlessStatement))).toBe('57014')
    await expect(run(database, 'select 1')).rejects.toThrow('EIO')
    expect(await run(database, 'select 1')).toEqual([[1]])
  })
  it('refuses statements at once while the disk has no space to open the database, and opens it afterwards', async () => {
    let free = Number.MAX_SAFE_INTEGER
    const database = await openThread({ ...limits, freeBytes: async () => free })
    free = 0
    const codes = [await codeOf(run(database, endlessStatement))]
    codes.push(await codeOf(run(database, 'select 1')), await codeOf(run(database, 'select 1')))
    free = Number.MAX_SAFE_INTEGER
    expect([codes, await run(database, 'select 1')]).toEqual([['57014', 'ENOSPC', 'ENOSPC'], [[1]]])
  })
  it('answers statements sent in parallel in order, and wrong ones with their own error', async () => {
    const database = await openThread()
    const sentCalls = Array.from({ length: 40 }, (_, index) =>
      run(database, 'select 10 / $1::int', [index % 10]).then(
        ([row]) => row?.[0],
        (error: { code: string }) => error.code,
      ),
    )
    const expectedAnswers = Array.from({ length: 40 }, (_, index) =>
      index % 10 === 0 ? '22012' : Math.floor(10 / (index % 10)),
    )
    expect(await Promise.all(sentCalls)).toEqual(expectedAnswers)
  })
  it('refuses statements after the embedded database is closed', async () => {
    const database = await openThread()
    await database.close()
    await expect(run(database, 'select 1')).rejects.toThrow('PGlite is closed')
  })
  it('refuses to open a data folder without a database', async () => {
    const foreignFolder = mkdtempSync(join(tmpdir(), 'dala-thread-'))
    mkdirSync(join(foreignFolder, 'db'))
    writeFileSync(join(foreignFolder, 'db', 'PG_VERSION'), 'none')
    await expect(openDatabase({ dataDir: foreignFolder })).rejects.toThrow('failed to initialize')
    rmSync(foreignFolder, { recursive: true, force: true })
  })
})
