import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBareDatabase } from '../testing/databases.ts'
import type { Database } from './database.ts'
import { shapeOf, SlowStatements } from './slow-statements.ts'
import { sql } from './sql.ts'

const hour = 3_600_000

describe('the list of slow statements', () => {
  test('lists a statement above the limit by its shape, with its count, its slowest and its total time', () => {
    const slow = new SlowStatements(false, () => 30 * hour)
    slow.note('select $1', 0, 499)
    expect(slow.list()).toEqual([])
    slow.note('select $1', 0, 500)
    slow.note('select  $1', 1_000, 1_700)
    slow.note('delete from tags', 0, 900, Object.assign(new Error('cancelled'), { code: '57014' }))
    const lastAt = new Date(30 * hour).toISOString()
    expect(slow.list()).toEqual([
      { text: 'delete from tags', count: 1, cancelled: 1, slowest_ms: 900, total_ms: 900, last_at: lastAt },
      { text: 'select $1', count: 2, cancelled: 0, slowest_ms: 700, total_ms: 1_200, last_at: lastAt },
    ])
  })

  test('forgets what is older than 24 hours, hour by hour', () => {
    let now = 100 * hour
    const slow = new SlowStatements(false, () => now)
    slow.note('select $1', 0, 2_000)
    now += 23 * hour
    slow.note('select $1', 0, 600)
    expect(slow.list()).toMatchObject([{ count: 2, slowest_ms: 2_000 }])
    now += hour
    expect(slow.list()).toMatchObject([{ count: 1, slowest_ms: 600 }])
    now += 24 * hour
    expect(slow.list()).toEqual([])
  })

  test('keeps the 20 slowest shapes', () => {
    const slow = new SlowStatements(false)
    for (let turn = 1; turn <= 300; turn += 1) slow.note(`select a${turn}`, 0, 600 + ((turn * 11) % 301))
    const times = slow.list().map(({ slowest_ms: time }) => time)
    expect(times).toEqual(Array.from({ length: 20 }, (_unused, index) => 900 - index))
  })

  test('does not count the wait for the statement before where one runs at a time', () => {
    const [serial, parallel] = [new SlowStatements(true), new SlowStatements(false)]
    for (const slow of [serial, parallel]) {
      slow.note('select slow', 0, 800)
      slow.note('select waiting', 10, 810)
    }
    expect(serial.list().map(({ text }) => text)).toEqual(['select slow'])
    expect(parallel.list().map(({ text }) => text)).toEqual(['select slow', 'select waiting'])
  })
})

describe('the shape of a statement', () => {
  test.each([
    [`select * from users where name = 'Ay''sholpan' and id = 4711`, `select * from users where name = '…' and id = ?`],
    ['select $1, $2::int, $3 from t1 where a2 = $4', 'select $… from t1 where a2 = $4'],
    ['select $x$secret$x$, $$other$$', `select '…', '…'`],
    [`select 'cut here`, `select '…'`],
    ['select 1 -- secret of 4711\n  , /* secret */ 2.5', 'select ? , ?'],
  ])('has no value of %s', (text, shape) => {
    expect(shapeOf(text)).toBe(shape)
  })

  test('is bounded', () => {
    expect(shapeOf(`select ${'column, '.repeat(5_000)} 1`).length).toBeLessThanOrEqual(601)
  })
})

describe('the statements of a database', () => {
  let database: Database
  beforeAll(async () => {
    database = await openBareDatabase(`slow_${process.env.VITEST_POOL_ID ?? '0'}`)
  })
  afterAll(() => database.close())

  test('are listed with their text and never with their parameters', async () => {
    await database.query(sql`select pg_sleep(0.6), ${'planted value'}::text`)
    await database.transaction((trx) => trx.query(sql`select pg_sleep(${0.6}::float8)`))
    const listed = database.slowStatements.list()
    expect(listed.map(({ text }) => text).toSorted()).toEqual([
      'select pg_sleep($1::float8)',
      'select pg_sleep(?), $1::text',
    ])
    expect(JSON.stringify(listed)).not.toContain('planted')
  })

  test('are not listed while the program starts', async () => {
    const before = database.slowStatements.list().length
    await database.withoutTimeLimit(() => database.query(sql`select pg_sleep(0.6) as start`))
    expect(database.slowStatements.list()).toHaveLength(before)
  })
})
