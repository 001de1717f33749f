import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../testing/databases.ts'
import { Database, type Queries } from './database.ts'
import { openServer } from './server.ts'
import { plannedTemplate, sql } from './sql.ts'

let database: Database
beforeAll(async () => {
  database = new Database(await openServer(await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', 'recurring')))
})
afterAll(() => database.close())

/** Reads the number of prepared statements of the connection for a text. */
async function countPreparedStatements(queries: Queries, text: string): Promise<number> {
  const [countRow] = await queries.query(sql<{ count: number }>`
    select count(*)::int as count from pg_prepared_statements where statement like ${`${text}%`}`)
  return countRow?.count ?? 0
}

describe('rows read as objects from a PostgreSQL server', () => {
  it.each([
    ['prepares a statement that recurs', { isRecurring: true }, 1],
    ['prepares no statement that is not known to recur', {}, 0],
    ['prepares no statement whose parameters decide on the plan', { isRecurring: true, mustReplan: true }, 0],
  ])('chooses the planning of a statement on a PostgreSQL server: it %s', async (title, planning, count) => {
    await database.transaction(async (trx) => {
      for (let run = 0; run < 5; run += 1) {
        const template = plannedTemplate(
          sql<{ number: number }>`select ${run}::int as number, ${sql.lit(title)} as title`,
          planning,
        )
        expect(await trx.query(template)).toEqual([{ number: run, title }])
      }
      expect(await countPreparedStatements(trx, `select $1::int as number, '${title}'`)).toBe(count)
    })
  })

  it('replaces the parameters of a statement on a PostgreSQL server', async () => {
    const statement = sql<{ sum: number }>`select ${1}::int + ${sql`${2}::int * 2`} as sum`
    const [sumRow] = await database.query(plannedTemplate(statement, {}, (parameter) => Number(parameter) * 10))
    expect(sumRow).toEqual({ sum: 50 })
  })
})
