/** Tests the plan of the changes of prices when the statistics of the tables are wrong. */
import { changeWindows } from '@dala/model'
import { afterAll, expect, it } from 'vitest'
import type { Queries } from '../../../db/database.ts'
import { compileTemplate, sql } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { buildPriceWorld, type PriceWorld } from '../../../testing/price-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { readChanges } from './changes.ts'
import type { ChangesQuery } from './query.ts'

/** One node of a query plan of PostgreSQL, with the rows that it has processed in each loop. */
interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

let world: PriceWorld
const resourceApp = startResourceApp(async (app) => {
  world = await buildPriceWorld(app, '2025-01-01', 200)
})

const allPrices = {
  product: undefined,
  region: undefined,
  districts: undefined,
  category: undefined,
  marketType: 'retail',
  locale: 'en',
} as const satisfies Partial<ChangesQuery>

/** Sets the rows and pages that the database believes its tables to have. */
const setTableSizes = (rows: number, pages: number) =>
  resourceApp.database.query(sql`
    update pg_class set reltuples = ${rows}::int, relpages = ${pages}::int
     where relkind = 'r' and relnamespace = 'public'::regnamespace`)
// The sizes of tables that nobody has counted, as before this test: the next file has the same tables.
afterAll(() => setTableSizes(-1, 0))

const rowsOf = (node: PlanNode): number => {
  const removedRows = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  const ownRows = node['Actual Loops'] * (node['Actual Rows'] + removedRows)
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), ownRows)
}

it('reads each price a few times at most for a change, where the statistics of a table say that it is empty', async () => {
  const { database, people } = resourceApp
  await setTableSizes(0, 1)
  const caller = {
    id: people.owner ?? 0,
    role: 'owner',
    isConsultant: false,
    language: 'en',
    sessionId: 'test',
  } as const
  const view = authoriseCaller(resourceNamed('pricelists'), 'list', caller)
  const processedCounts: number[] = []
  const runner: Queries = {
    parts: database.parts,
    calendar: database.calendar,
    rows: database.rows,
    forEachRow: database.forEachRow,
    query: async (template) => {
      const { sql: text, parameters } = compileTemplate(template)
      const [[answer] = []] = await database.rows({ sql: `explain (analyze, format json) ${text}`, parameters })
      const [{ Plan: plan }] = answer as [{ Plan: PlanNode }]
      processedCounts.push(rowsOf(plan))
      return database.query(template)
    },
  }
  for (const window of changeWindows)
    await readChanges(runner, caller, view, { ...allPrices, date: '2025-07-01', window })
  expect(processedCounts).toHaveLength(changeWindows.length)
  expect(Math.max(...processedCounts)).toBeLessThan(20 * world.rows.length)
})
