/** Tests the plan of the changes of prices with several statistics of the tables. */
import { type ChangeWindow, changeWindows } from '@dala/model'
import { afterAll, describe, expect, it } from 'vitest'
import type { Queries } from '../../../db/database.ts'
import { compileTemplate, sql } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { buildPriceWorld, type PriceWorld } from '../../../testing/price-world.ts'
import { type PlanNode, readPlan } from '../../../testing/query-plan.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { readChanges } from './changes.ts'
import type { ChangesQuery } from './query.ts'

interface TableSize {
  oid: number
  reltuples: number
  relpages: number
}

const analysedTables = ['pricelists', 'pricedates', 'products', 'districts', 'units']
let world: PriceWorld
let sizesBefore: TableSize[] = []
const resourceApp = startResourceApp(async (app) => {
  sizesBefore = await app.database.query(sql<TableSize>`
    select oid::int, reltuples::int, relpages from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  world = await buildPriceWorld(app, '2025-01-01', 420)
  // The deleted rows of earlier files of the worker make these tables longer, and other plans cheaper.
  for (const table of analysedTables) await app.database.script(`vacuum full ${table}`)
})

const deleteHistograms = () =>
  resourceApp.database.query(sql`delete from pg_statistic where starelid = any(${analysedTables}::text[]::regclass[])`)

// The database of the worker serves the next file with the statistics that it had before.
afterAll(async () => {
  await resourceApp.database.query(sql`
    update pg_class c set reltuples = s.reltuples, relpages = s.relpages
      from json_to_recordset(${JSON.stringify(sizesBefore)}::json) s(oid int, reltuples int, relpages int)
     where c.oid = s.oid`)
  await deleteHistograms()
})

const allPrices = {
  product: undefined,
  region: undefined,
  districts: undefined,
  category: undefined,
  marketType: 'retail',
  locale: 'en',
} as const satisfies Partial<ChangesQuery>

const rowsOf = (node: PlanNode): number => {
  const removedRows = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  const ownRows = node['Actual Loops'] * (node['Actual Rows'] + removedRows)
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), ownRows)
}

/** Reads the changes of a published day, the first or the last one; returns the rows that the plan has processed, too. */
async function readPlannedChanges(day: 'first' | 'last', window: ChangeWindow, role: 'owner' | 'authenticated') {
  const { database, people } = resourceApp
  const dates = world.rows
    .filter(({ published, price }) => published && price !== null)
    .map(({ date }) => date)
    .toSorted()
  const caller = { id: people[role] ?? 0, role, isConsultant: false, language: 'en', sessionId: 'test' } as const
  const view = authoriseCaller(resourceNamed('pricelists'), 'list', caller)
  let processedCount = 0
  const runner: Queries = {
    parts: database.parts,
    calendar: database.calendar,
    rows: database.rows,
    forEachRow: database.forEachRow,
    query: async (template) => {
      processedCount += rowsOf(await readPlan(database, compileTemplate(template)))
      return database.query(template)
    },
  }
  const query = { ...allPrices, date: dates.at(day === 'first' ? 0 : -1), window }
  const { data } = await readChanges(runner, caller, view, query)
  return { processedCount, gaps: new Set(data.rows.map(({ gap }) => gap)) }
}

/** Prepares the statistics of the tables: of an analysis when they were empty, or of one now. */
async function setStatistics(moment: 'while they were empty' | 'now'): Promise<void> {
  const { database } = resourceApp
  if (moment === 'now') return void (await database.script(`analyze ${analysedTables.join(', ')}`))
  await deleteHistograms()
  await database.query(sql`
    update pg_class set reltuples = 0, relpages = 1 where relkind = 'r' and relnamespace = 'public'::regnamespace`)
}

describe.each(['owner', 'authenticated'] as const)('changes of prices, requested by %s', (role) => {
  it.each(['while they were empty', 'now'] as const)(
    'read fewer rows than twenty times the prices when the tables were analysed %s',
    async (moment) => {
      await setStatistics(moment)
      const processedCounts: number[] = []
      const gaps = new Set<string | null>()
      for (const day of ['first', 'last'] as const)
        for (const window of changeWindows) {
          // The season of a price is joined with its days: more rows are read until the tables are analysed.
          if (day === 'last' && window === '365' && moment !== 'now') continue
          const planned = await readPlannedChanges(day, window, role)
          processedCounts.push(planned.processedCount)
          for (const gap of planned.gaps) gaps.add(gap)
        }
      expect(gaps).toEqual(new Set([null, 'no-base', 'too-old', 'carried', 'no-value', 'unconfirmed']))
      expect(Math.max(...processedCounts)).toBeLessThan(20 * world.rows.length)
    },
  )
})
