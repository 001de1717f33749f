import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { migrateDatabase, type Migration, SchemaError } from '../db/migrate.ts'
import { openBareDatabase } from '../testing/databases.ts'
import { schemaFinding } from './doctor/database-checks.ts'
import { planLines } from './migrate.ts'
import { type MigrationPlan, planMigrations } from './migration-plan.ts'

const migrationOf = (id: number, sql: string): Migration => ({ id, name: `step-${id}`, sql, checksum: `sum ${id}` })
const first = migrationOf(
  1,
  'create table fields (id int primary key, name text); create table crops (id int primary key); create table visits (id int)',
)
const additive = migrationOf(2, '-- rolling-update: yes\ncreate table seeds (id int, crop int references crops (id))')
const renaming = migrationOf(
  3,
  '-- rolling-update: no, the former version reads crops.\nalter table crops rename to plants; create index on fields (name); alter table seeds add column note text',
)
const plain = migrationOf(4, 'insert into visits values (1)')

let database: Database
let plan: MigrationPlan
beforeAll(async () => {
  database = await openBareDatabase(`plan_${process.env.VITEST_POOL_ID ?? '0'}`)
  await migrateDatabase(database, [first])
  await database.script('insert into fields select g, g::text from generate_series(1, 30) as g')
  // The estimate of crops differs from the number of its rows; the database has none of fields.
  await database.script('insert into crops values (1), (2), (3)')
  await database.script('analyze crops')
  await database.script('delete from crops')
  plan = await planMigrations(database, [first, additive, renaming, plain])
})
afterAll(() => database.close())

describe('a plan of migrations', () => {
  test('names the strongest lock of each table that existed before, its rows, and who waits', () => {
    expect(plan).toEqual({
      schema: '0001-step-1',
      pending: [
        {
          migration: '0002-step-2',
          rollingUpdate: { state: 'yes' },
          locks: [{ table: 'crops', lock: 'SHARE ROW EXCLUSIVE', waits: 'writes', rows: 3 }],
        },
        {
          migration: '0003-step-3',
          rollingUpdate: { state: 'no', reason: 'the former version reads crops.' },
          locks: [
            { table: 'crops', lock: 'ACCESS EXCLUSIVE', waits: 'reads and writes', rows: 3 },
            { table: 'fields', lock: 'SHARE', waits: 'writes', rows: 30 },
            { table: 'seeds', lock: 'ACCESS EXCLUSIVE', waits: 'reads and writes', rows: null },
          ],
        },
        {
          migration: '0004-step-4',
          rollingUpdate: { state: 'not declared' },
          locks: [{ table: 'visits', lock: 'ROW EXCLUSIVE', waits: 'writes of the same rows', rows: 0 }],
        },
      ],
    })
    expect(planLines(plan)).toEqual([
      'Pending migrations: 3; the schema is 0001-step-1. Nothing was changed.',
      '0002-step-2',
      '  The former version may run beside it.',
      '  crops (about 3 rows): SHARE ROW EXCLUSIVE, writes wait',
      '0003-step-3',
      '  Stop the former version first: the former version reads crops.',
      '  crops (about 3 rows): ACCESS EXCLUSIVE, reads and writes wait',
      '  fields (about 30 rows): SHARE, writes wait',
      '  seeds (made by an earlier pending migration): ACCESS EXCLUSIVE, reads and writes wait',
      '0004-step-4',
      '  Not declared whether the former version may run beside it: stop the former version first.',
      '  visits (about 0 rows): ROW EXCLUSIVE, writes of the same rows wait',
    ])
  })

  test('changes nothing in the database, and uses its estimate of rows when it has one', async () => {
    expect(plan.pending[0]?.locks).toMatchObject([{ table: 'crops', rows: 3 }])
    expect(await database.script('select id from crops')).toEqual([])
    const tables = await database.script(
      `select tablename from pg_tables where schemaname = 'public' order by tablename`,
    )
    expect(tables).toEqual(['crops', 'fields', 'migrations', 'visits'].map((tablename) => ({ tablename })))
  })

  test('says that nothing is to do on the schema of the program', async () => {
    const emptyPlan = await planMigrations(database, [first])
    expect(emptyPlan).toEqual({ schema: '0001-step-1', pending: [] })
    expect(planLines(emptyPlan)).toEqual(['Nothing to do; the schema is 0001-step-1.'])
  })

  test('refuses a database of a newer program', async () => {
    await expect(planMigrations(database, [])).rejects.toThrow(SchemaError)
  })
})

describe('the check of the schema by the doctor', () => {
  test('names pending migrations', async () => {
    expect(await schemaFinding(database, [first])).toMatchObject({ state: 'ok' })
    const finding = await schemaFinding(database, [first, additive, renaming])
    expect(finding).toMatchObject({
      state: 'warning',
      message: 'The database lacks 2 migrations: 0002-step-2, 0003-step-3.',
    })
  })

  test('is a failure for a newer database', async () => {
    expect(await schemaFinding(database, [])).toMatchObject({
      state: 'failure',
      message: expect.stringContaining('newer version') as string,
    })
  })
})
