import { sql } from './sql.ts'
import { beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/databases.ts'
import { type Changes, type Database, rowsOf, type Transaction } from './database.ts'

let database: Database
beforeEach(async () => {
  ;({ database } = await openTestDatabase())
})

const tagCount = async () => Number((await database.rows({ sql: 'select count(*) from tags', parameters: [] }))[0]?.[0])
const insertTag = sql`insert into tags (source_locale) values ('en')`

test('decodes database values alike in rows of columns and in objects', async () => {
  const text = `select '2026-03-01 10:00:00.12+00'::timestamptz as moment, '2026-03-01 15:00:00+05'::timestamptz as other,
    '2026-03-01'::date as day, 1.50::numeric(5,2) as price, 9::int8 as big, 7 as small, 0.5::float8 as part,
    '{"a":[1,"x"]}'::jsonb as tree, true as yes, null::text as none, 'ё' as words, array[1,2] as numbers,
    array['a','b"c',null]::varchar[] as list, array[1,2]::int8[] as bigs`
  const expectedRow = {
    moment: '2026-03-01T10:00:00.120Z',
    other: '2026-03-01T10:00:00.000Z',
    day: '2026-03-01',
    price: 1.5,
    big: 9,
    small: 7,
    part: 0.5,
    tree: { a: [1, 'x'] },
    yes: true,
    none: null,
    words: 'ё',
    numbers: [1, 2],
    list: ['a', 'b"c', null],
    bigs: [1, 2],
  }
  expect(await database.rows({ sql: text, parameters: [] })).toEqual([Object.values(expectedRow)])
  expect(await database.query(sql.raw(text))).toEqual([expectedRow])
})

test('encodes the parameters of a statement alike before and after it is prepared', async () => {
  const parameters = [
    1,
    '2',
    true,
    null,
    [1, 2],
    ['a"', null, 'b,c'],
    '{"z":1}',
    '1.25',
    { k: 'v' },
    new Date(0),
    undefined,
  ]
  const text = `select $1::int, $2::int, $3::bool, $4::text, $5::int[], $6::text[], $7::jsonb, $8::numeric, $9::jsonb, $10::timestamptz, $11::int`
  const expectedRows = [
    1,
    2,
    true,
    null,
    [1, 2],
    ['a"', null, 'b,c'],
    { z: 1 },
    1.25,
    { k: 'v' },
    '1970-01-01T00:00:00.000Z',
    null,
  ]
  // The statement of the test is repeated often enough to be prepared by name.
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await database.rows({ sql: text, parameters })).toEqual([expectedRows])
})

test('commits a transaction as a whole, and notifies and runs after-commit work afterwards', async () => {
  const receivedChanges: Changes[] = []
  const order: string[] = []
  const end = database.onChange((changes) => {
    receivedChanges.push(changes)
    order.push('news')
  })
  const result = await database.transaction(async (trx) => {
    await trx.query(insertTag)
    trx.changed('tags')
    trx.changed('tags')
    trx.changed('news', 'values')
    trx.afterCommit(async () => {
      order.push(`after ${await tagCount()}`)
    })
    order.push('work')
    return 7
  })
  end()
  expect([result, receivedChanges, order]).toEqual([
    7,
    [new Set(['tags', rowsOf('tags'), 'news'])],
    ['work', 'news', 'after 1'],
  ])
})

test.each<[what: string, fail: (trx: Transaction) => Promise<unknown>]>([
  ['work throws', () => Promise.reject(new Error('refused by zero'))],
  ['a statement fails', (trx) => trx.query(sql`select 1 / 0`)],
  ['it opens another transaction inside', () => database.transaction(() => Promise.resolve())],
])('stores and notifies nothing when a transaction fails because %s', async (_what, fail) => {
  const receivedChanges: Changes[] = []
  const end = database.onChange((changes) => receivedChanges.push(changes))
  const transactionCall = database.transaction(async (trx) => {
    await trx.query(insertTag)
    trx.changed('tags')
    trx.afterCommit(() => void receivedChanges.push('all'))
    await fail(trx)
  })
  await expect(transactionCall).rejects.toThrow(/by zero|through the transaction/)
  end()
  expect([await tagCount(), receivedChanges]).toEqual([0, []])
})

/** Work that sends one statement without waiting, and an answer that is read with the commit. */
const sendAndCount = (sentSql: string, answerSql = 'select count(*) from tags') => {
  const refusalError = (error: unknown) => new Error('refused', { cause: error })
  return database.transaction(
    (trx) => {
      trx.changed('tags')
      trx.send({ sql: sentSql, parameters: [] }, refusalError)
      return Promise.resolve('done')
    },
    async (result, queries) => {
      const [row] = await queries.rows({ sql: answerSql, parameters: [] })
      return [result, Number(row?.[0])]
    },
  )
}

test("reads in a transaction's answer what was sent before, and commits after both", async () => {
  expect(await sendAndCount(insertTag.sql)).toEqual(['done', 1])
  expect(await tagCount()).toBe(1)
})

test('sends statements before earlier ones are answered', async () => {
  const order: string[] = []
  const end = database.onStatement((text) => order.push(text))
  await database.transaction(async (trx) => {
    trx.send({ sql: 'select 1', parameters: [] }, String)
    const secondQuery = trx.rows({ sql: 'select 2', parameters: [] })
    order.push('both sent')
    await secondQuery
  })
  end()
  expect(order).toEqual(['select 1', 'select 2', 'both sent'])
})

test.each<[what: string, sent: string, read: string | undefined, message: string]>([
  ['a statement that was sent fails', 'select 1 / 0', undefined, 'refused'],
  ['the answer fails', insertTag.sql, 'select 1 / 0', 'division by zero'],
  ['both fail', 'select 1 / 0', 'select 2 / 0', 'refused'],
])('rolls a transaction back and throws the first error when %s', async (_what, sentSql, answerSql, message) => {
  const receivedChanges: Changes[] = []
  const end = database.onChange((changes) => receivedChanges.push(changes))
  await expect(sendAndCount(sentSql, answerSql)).rejects.toThrow(message)
  end()
  expect([await tagCount(), receivedChanges]).toEqual([0, []])
  expect(await sendAndCount(insertTag.sql)).toEqual(['done', 1])
})

test('throws the error of the statement that a transaction sent last', async () => {
  const transactionCall = database.transaction(async (trx) => {
    await trx.query(insertTag)
    trx.send({ sql: 'select 1 / 0', parameters: [] }, () => new Error('refused'))
  })
  await expect(transactionCall).rejects.toThrow('refused')
  expect(await tagCount()).toBe(0)
})

test('rolls a transaction back when its answer fails before its statement', async () => {
  const transactionCall = database.transaction(
    (trx) => trx.query(insertTag),
    () => Promise.reject(new Error('no such field')),
  )
  await expect(transactionCall).rejects.toThrow('no such field')
  expect(await tagCount()).toBe(0)
})

test("refuses a second statement of a transaction's answer, which would come after the commit", async () => {
  const transactionCall = database.transaction(
    (trx) => trx.query(insertTag),
    async (_, queries) => {
      await queries.rows({ sql: 'select 1', parameters: [] })
      await queries.rows({ sql: 'select 2', parameters: [] })
    },
  )
  await expect(transactionCall).rejects.toThrow('The transaction has ended')
})

test("reads a transaction's answer before work that was deferred until the commit", async () => {
  const order: string[] = []
  const answer = await database.transaction(
    (trx) => {
      trx.beforeCommit(async () => {
        await trx.query(insertTag)
        order.push('put off')
      })
      return Promise.resolve()
    },
    async (_, queries) => {
      const [row] = await queries.rows({ sql: 'select count(*) from tags', parameters: [] })
      order.push('answer')
      return Number(row?.[0])
    },
  )
  expect([answer, await tagCount(), order]).toEqual([0, 1, ['answer', 'put off']])
})

test('reports a failure of work after the commit without throwing, and runs the rest', async () => {
  const failures: unknown[] = []
  const order: string[] = []
  const endings = [
    database.onFailureAfterCommit((error) => failures.push((error as Error).message)),
    database.onChange(() => {
      throw new Error('a listener')
    }),
    database.onChange(() => order.push('another listener')),
  ]
  const result = await database.transaction(async (trx) => {
    await trx.query(insertTag)
    trx.changed('tags')
    trx.afterCommit(() => {
      throw new Error('at once')
    })
    trx.afterCommit(() => Promise.reject(new Error('later')))
    trx.afterCommit(() => void order.push('the rest'))
    return 7
  })
  for (const end of endings) end()
  expect([result, failures, order]).toEqual([7, ['a listener', 'at once', 'later'], ['another listener', 'the rest']])
  expect(await tagCount()).toBe(1)
})

test('rejects the commit of a transaction after a swallowed error', async () => {
  const transactionCall = database.transaction(async (trx) => {
    await trx.query(insertTag)
    await trx.query(sql`select 1 / 0`).catch(() => [])
    trx.afterCommit(() => expect.unreachable())
  })
  await expect(transactionCall).rejects.toThrow(/rolled back|aborted/i)
  expect(await tagCount()).toBe(0)
})

test('refuses a statement outside its own transaction instead of waiting forever', async () => {
  await expect(database.transaction(() => tagCount())).rejects.toThrow(/through the transaction/)
  expect(await tagCount()).toBe(0)
})

test('separates concurrent transactions', async () => {
  const takenTurns = Array.from({ length: 10 }, (_, index) =>
    database
      .transaction(async (trx) => {
        await trx.query(insertTag)
        if (index % 2 === 0) throw new Error('even')
      })
      .catch(() => {}),
  )
  await Promise.all([...takenTurns, tagCount(), tagCount()])
  expect(await tagCount()).toBe(5)
})

test('reports statements to an observer, but not begin and commit', async () => {
  const seenErrors: string[] = []
  const end = database.onStatement((text) => seenErrors.push(text))
  await database.transaction((trx) => trx.rows({ sql: 'select 1', parameters: [] }))
  await database.query(sql`select ${2}::int`)
  end()
  await tagCount()
  expect(seenErrors).toEqual(['select 1', 'select $1::int'])
})
