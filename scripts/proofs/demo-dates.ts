/**
 * Proof that the demo is recent on any day it is made. Seeded on three days, every report has figures,
 * nothing waits too long, and every list has its pictures; seeded twice on one day, it is the same.
 * `node scripts/proofs/demo-dates.ts --on embedded`
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ReportMetric, reports } from '@dala/model'
import { buildApp } from '../../packages/server/src/app.ts'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { openUploads } from '../../packages/server/src/features/uploads/open-uploads.ts'
import { Calendar } from '../../packages/server/src/seed/calendar.ts'
import { seed, seedSettings } from '../../packages/server/src/seed/index.ts'
import { seedLater } from '../../packages/server/src/seed/later.ts'
import news from '../../packages/server/src/seed/season/data/news.json' with { type: 'json' }
import { readSettings, type Settings } from '../../packages/server/src/settings.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import type { DatabasePlace } from './on-place.ts'
import { ownerEmail, temporaryFolder, trialPassword } from '../lib/server-process.ts'
import { failedTally, passedTally, skippedTally, type CountTally } from '../lib/step.ts'

/**
 * Days at which the demo is seeded: in spring, in late autumn, and with a season over two turns of the year.
 */
const days = ['2026-04-08', '2026-11-25', '2025-01-09'] as const

/** Maximum days that a question, a room or a post of the demo waits. */
const maxDays = 4

/** Resources whose records each have a picture, by the field of the picture. */
const pictureFields = {
  news: 'image',
  courses: 'image',
  companies: 'logo',
  partners: 'image',
  branches: 'image',
  serviceposts: 'image',
  tools: 'image',
  products: 'mainPhoto',
  tradinposts: 'mainPhoto',
  servicecategories: 'image',
  productcategories: 'image',
  companycategories: 'image',
  agrocultureareas: 'image',
  tradingpostcategories: 'image',
  consultantcategories: 'image',
  consultationcategories: 'image',
  coursecategories: 'image',
} as const

/**
 * Columns of the demo that are random by nature: secrets, names of files and requests, the hash chain of the
 * audit log.
 */
const randomSql =
  /^(users\.password|sessions\.id|uploads\.(hash|url|formats)|audit\.request_id|audit\w*\.\w*(hash|chain|sealed)\w*|revisions\.removal)$/
/** SQL expressions that read the history of an upload without its file names. */
const columnsWithoutFiles: Readonly<Record<string, string>> = {
  'revisions.changes': `t.changes - array['hash', 'url', 'formats']`,
}

interface SeededServer {
  database: Database
  settings: Settings
  close: () => Promise<void>
}

/** Creates a database with the whole demo, seeded on a day. */
async function startSeededServer(day: string, on: DatabasePlace): Promise<SeededServer> {
  const dataDir = temporaryFolder('demo-date')
  const cluster = on === 'server' ? await startCluster() : undefined
  const settings = readSettings({
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    SEED: 'demo',
    SEED_DATE: day,
    OWNER_EMAIL: ownerEmail,
    OWNER_PASSWORD: trialPassword,
    DEMO_PASSWORD: trialPassword,
    ...wideBudgets,
    ...(cluster && { DATABASE_URL: cluster.url }),
  })
  const database = await openDatabase(cluster ? { url: cluster.url } : { memory: true }, { parts: engineParts })
  await migrateDatabase(database)
  await seed(database, seedSettings(settings))
  const stopWithError = (error: unknown) => {
    throw error
  }
  await seedLater(database, seedSettings(settings), {
    store: { uploads: openUploads(database, settings, stopWithError) },
    signal: new AbortController().signal,
  })
  const closeServer = async () => {
    await database.close()
    await cluster?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { database, settings, close: closeServer }
}

/** Returns the checks of the demo of a day, each with whether it holds. */
async function collectFindings({ database, settings }: SeededServer, day: string): Promise<Record<string, boolean>> {
  const calendar = new Calendar(day)
  const count = async (query: string) => Number((await database.rows({ sql: query, parameters: [] }))[0]?.[0])
  const app = await buildApp({ settings, database, panelDir: join(settings.dataDir, 'none'), log: { level: 'silent' } })
  await app.ready()
  const { jwt } = (
    await app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: ownerEmail, password: trialPassword },
    })
  ).json<{ jwt: string }>()
  const readData = async <T>(path: string): Promise<T> => {
    const answer = await app.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${jwt}` } })
    if (answer.statusCode !== 200) throw new Error(`${path} was refused: ${answer.body}`)
    return answer.json<{ data: T }>().data
  }

  const checks: Record<string, boolean> = {}
  for (const key of Object.keys(reports)) {
    const period = `from=${calendar.dayBefore(28)}&to=${calendar.dayBefore(1)}&compare=previous`
    const { metrics } = await readData<{ metrics: ReportMetric[] }>(`statistics/${key}?${period}`)
    checks[`the report ${key} has figures of this period and of the one before`] = metrics.some(
      ({ value, previous }) => Number(value) > 0 && Number(previous) > 0,
    )
  }
  for (const [name, field] of Object.entries(pictureFields)) {
    const records = await readData<{ attributes: Record<string, { data?: unknown } | null> }[]>(
      `${name}?locale=ru&pagination[pageSize]=100&populate=${field}&fields[0]=id`,
    )
    checks[`${records.length} ${name} have a picture each`] =
      records.length > 5 && records.every(({ attributes }) => attributes[field]?.data)
  }
  await app.close()

  const caseWaits = await database.query(sql<{ at: string }>`
    select coalesce(reopened_at, created_at) as at from consultations where answered_at is null or reopened_at > answered_at
    union all select waiting_since from chatrooms where waiting_since is not null
    union all select waiting_since from tradinposts where status = 'on_hold'`)
  const earliestWait = Date.parse(calendar.before(maxDays, '00:00'))
  const end = calendar.before(0, '00:00')
  checks[`${caseWaits.length} wait, none for more than ${maxDays} days`] =
    caseWaits.length > 5 &&
    caseWaits.every(({ at }) => Date.parse(at) >= earliestWait && Date.parse(at) < Date.parse(end))
  checks['nothing happened after the day of the seed'] =
    (await count(`select (select count(*) from consultations where greatest(created_at, answered_at, finished_at) > '${end}')
      + (select count(*) from chatmessages where created_at > '${end}')
      + (select count(*) from news where date >= '${day}') + (select count(*) from pricedates where date >= '${day}')`)) ===
    0
  checks['news are dated in the month that they speak of'] = await areInSeason(database)
  const [prices, districts] = [
    await count('select count(*) from pricelists'),
    await count('select count(distinct district_id) from pricelists'),
  ]
  checks[`${prices} prices of ${districts} districts`] = prices > 50_000 && districts >= 30
  const slipCount = await count(`
    select count(*) from pricelists l join (select product_id, avg(price) as usual from pricelists group by product_id) u using (product_id)
     where l.price > 5 * u.usual or l.price < u.usual / 5`)
  checks[`${slipCount} slips to be found`] = slipCount >= 3 && slipCount <= 6
  const minimumCounts = {
    consultations: 400,
    chatrooms: 60,
    news: 40,
    tradinposts: 120,
    companies: 30,
    courses: 24,
  }
  for (const [table, minCount] of Object.entries(minimumCounts)) {
    const countInTable = await count(`select count(*) from ${table}`)
    checks[`${countInTable} ${table}`] = countInTable >= minCount
  }
  const states = await count('select count(distinct status) from tradinposts')
  checks[`trading posts in ${states} states`] = states >= 5
  return checks
}

async function areInSeason(database: Database): Promise<boolean> {
  const rows = await database.query(sql<{ title: string; month: number }>`
    select t.title, extract(month from d.date)::int as month
      from news d join news_texts t on t.document_id = d.id where t.locale = 'ru'`)
  const months = new Map(rows.map(({ title, month }) => [title, month]))
  return news.every(({ title, month }) => month === null || months.get(title.ru) === month)
}

/** Computes a fingerprint of each column of each table; moments of the run itself count as equal. */
async function computeFingerprints({ database }: SeededServer, startedAt: string): Promise<Map<string, string>> {
  const columns = await database.query(sql<{ table: string; column: string; type: string }>`
    select c.table_name as "table", c.column_name as "column", c.data_type as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' order by 1, 2`)
  const hashByColumn = new Map<string, string>()
  for (const [table, tableColumns] of Map.groupBy(columns, (columnRow) => columnRow.table)) {
    const order = tableColumns.some(({ column }) => column === 'id') ? 't.id' : 't::text'
    for (const { column, type } of tableColumns) {
      const value = columnsWithoutFiles[`${table}.${column}`] ?? `t."${column}"`
      const text = type.startsWith('timestamp')
        ? `case when ${value} >= '${startedAt}' then 'now' else ${value}::text end`
        : `(${value})::text`
      const [row] = await database.rows({
        sql: `select md5(coalesce(string_agg(coalesce(${text}, '-'), ',' order by ${order}), '')) from "${table}" t`,
        parameters: [],
      })
      hashByColumn.set(`${table}.${column}`, String(row?.[0]))
    }
  }
  return hashByColumn
}

function reportChecks(checks: Readonly<Record<string, boolean>>): boolean {
  for (const [name, isFulfilled] of Object.entries(checks)) console.log(`   ${isFulfilled ? '' : 'NOT SO: '}${name}`)
  return Object.values(checks).every(Boolean)
}

/**
 * Seeds the demo at three days, and at the first of them once more.
 *
 * @param on - The database.
 * @returns One step passed when everything holds; skipped without PostgreSQL.
 */
export async function demoDates(on: DatabasePlace): Promise<CountTally> {
  if (on === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const startMoment = new Date().toISOString()
  let areDatesRight = true
  let firstHashes: ReadonlyMap<string, string> = new Map()
  for (const day of days) {
    const startTime = performance.now()
    const demoServer = await startSeededServer(day, on)
    console.log(`   ${day}, seeded in ${((performance.now() - startTime) / 1000).toFixed(0)} s:`)
    try {
      areDatesRight = reportChecks(await collectFindings(demoServer, day)) && areDatesRight
      if (day === days[0]) firstHashes = await computeFingerprints(demoServer, startMoment)
    } finally {
      await demoServer.close()
    }
  }
  const restartedServer = await startSeededServer(days[0], on)
  try {
    // The check of the first demo signs in, which changes its database: the second demo needs the same check.
    await collectFindings(restartedServer, days[0])
    const secondHashes = await computeFingerprints(restartedServer, startMoment)
    const differentColumns = [...secondHashes]
      .filter(([column, hash]) => firstHashes.get(column) !== hash)
      .map(([column]) => column)
    const unequalColumns = differentColumns.filter((column) => !randomSql.test(column))
    console.log(`   ${days[0]} once more: ${secondHashes.size} columns of all tables compared`)
    areDatesRight =
      reportChecks({
        [`the same but for what is chance: ${differentColumns.join(', ')}`]: unequalColumns.length === 0,
      }) && areDatesRight
  } finally {
    await restartedServer.close()
  }
  return areDatesRight ? passedTally : failedTally
}

if (import.meta.main) {
  const position = process.argv.indexOf('--on')
  const on = process.argv[position + 1] === 'server' ? 'server' : 'embedded'
  const { failed } = await demoDates(on)
  if (failed > 0) process.exitCode = 1
}
