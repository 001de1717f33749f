/**
 * `npm run growth`: the cost of a page of news and of its total at 10,000 and 100,000 news on PostgreSQL, and
 * their ratio.
 *
 * Measures the milliseconds of the product's own reads without sessions and HTTP: the least of several runs
 * with the total known, and the first read after the totals were discarded. `--size` adds another number of
 * news; a million take half an hour to fill. `--only` measures lists with a part of their name. The exit code
 * is 1 when a page grows by more than half.
 */
import type { Caller } from '@dala/model'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { parseList, parseSingleQuery } from '../../packages/server/src/resources/read/parse-query.ts'
import { resourceNamed } from '../../packages/server/src/resources/attributes.ts'
import { readListBody, readOneBody, TotalsCache } from '../../packages/server/src/resources/read/read.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../lib/filled-database.ts'
import { fillNews } from './growth-data.ts'

/** Number of measurements of a page whose total is known, and of a first count. */
const rounds = { known: 25, first: 5 }
/** Maximum ratio between the cost of a page in the longest and in the shortest list. */
const maxGrowth = 1.5

const linkedQuery = { populate: { region: 'true', tags: 'true' }, locale: 'en' }
const newestQuery = { ...linkedQuery, sort: 'createdAt:desc' }
const containsText = (text: string) => ({ title: { $containsi: text } })
const pageOf = (page: number) => ({ pagination: { page: String(page), pageSize: '15' } })

/** Part of the names of the measured requests; when absent, all requests are measured. */
const onlyName = option('--only') ?? ''

/** Requests of the measured lists, as a client writes them. */
const lists: Readonly<Record<string, object>> = {
  'list of 15, newest first (C)': newestQuery,
  'page 600 of it (H)': { ...newestQuery, ...pageOf(600) },
  'title contains a word, one region, page 3 (D)': {
    ...newestQuery,
    ...pageOf(3),
    filters: { ...containsText('wheat'), region: '5' },
  },
  'list by `title` (S)': { ...linkedQuery, sort: 'title' },
  'description contains two words, newest (W)': {
    ...newestQuery,
    filters: { description: { $containsi: 'pomegranate grape' } },
  },
  'title contains a or b, newest (O)': {
    ...newestQuery,
    filters: { $or: [containsText('saffron'), containsText('dairy credit')] },
  },
  'search of two words, newest (Q)': { ...newestQuery, _q: 'beekeeping storage' },
  'search of a number in one title': { ...newestQuery, _q: '7654' },
  'by `views`, page 40': { ...linkedQuery, ...pageOf(40), sort: 'views:desc' },
  'active, newest first': { ...newestQuery, filters: { active: 'true' } },
  'by the name of the region': { ...linkedQuery, sort: 'region.name' },
}

/** Caller who sees all rows of the measured lists. */
const caller: Caller = { id: 1, role: 'owner', isConsultant: false, language: 'en', sessionId: 'growth' }
const newsResource = resourceNamed('news')

/** Returns the least milliseconds of several runs of a request. */
async function shortestTime(times: number, runRequest: () => Promise<unknown>): Promise<number> {
  let bestTime = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round += 1) {
    const startTime = performance.now()
    await runRequest()
    bestTime = Math.min(bestTime, performance.now() - startTime)
  }
  return bestTime
}

/**
 * Figures of a measured request: milliseconds with a known total and, for lists, with an unknown one, and the
 * total.
 */
interface Figures {
  known: number
  first?: number
  total?: string
}

/** Total of a measured list, as an answer contains it. */
interface RowTotal {
  total: number
  estimated?: true
}

async function measureList(database: Database, tree: object): Promise<Figures> {
  const totals = new TotalsCache()
  await totals.sizes.load(database)
  const readPage = () => readListBody(database, totals, parseList({ ...tree }, newsResource, caller, {}))
  const { meta } = JSON.parse((await readPage()).toString()) as { meta: { pagination: RowTotal } }
  const { total, estimated } = meta.pagination
  const cachedTime = await shortestTime(rounds.known, readPage)
  const uncachedTime = await shortestTime(rounds.first, () => {
    totals.forget('all')
    return readPage()
  })
  return { known: cachedTime, first: uncachedTime, total: `${estimated ? '≈ ' : ''}${total}` }
}

async function measureAll(database: Database): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  const query = parseSingleQuery({ populate: linkedQuery.populate }, newsResource, caller, {}, 7_654)
  figures.set('one item with region and tags (B)', {
    known: await shortestTime(rounds.known, () => readOneBody(database, query, false)),
  })
  for (const [name, tree] of Object.entries(lists))
    if (name.includes(onlyName)) figures.set(name, await measureList(database, tree))
  return figures
}

/** Measures the lists with this many news; `--url` names a cluster with databases from an earlier run. */
async function measureSize(clusterUrl: string, rows: number): Promise<Map<string, Figures>> {
  const server = await openDatabase({ url: clusterUrl })
  const [databaseRow] = await server.script(`select 1 from pg_database where datname = 'growth_${rows}'`)
  if (databaseRow === undefined) await server.script(`create database growth_${rows}`)
  await server.close()
  const address = new URL(clusterUrl)
  address.pathname = `/growth_${rows}`
  const database = await openDatabase({ url: address.href }, { parts: engineParts })
  try {
    if (databaseRow === undefined) {
      const startTime = performance.now()
      await migrateDatabase(database)
      await fillNews(database, rows)
      console.log(`${rows} news were made in ${((performance.now() - startTime) / 1_000).toFixed(0)} s`)
    }
    return await measureAll(database)
  } finally {
    await database.close()
  }
}

/**
 * Prints a table with the figures for one kind of read.
 *
 * @returns Whether no read grew by too much.
 */
function show(bySize: ReadonlyMap<number, ReadonlyMap<string, Figures>>, kind: 'known' | 'first'): boolean {
  const sizes = [...bySize.keys()]
  const [smallestFigures = new Map<string, Figures>()] = bySize.values()
  console.log(
    `\n| ${kind === 'known' ? 'Page, total known' : 'First page, total counted'}, ms | ${sizes.join(' | ')} | growth | total |`,
  )
  console.log(`|---|${sizes.map(() => '--:|').join('')}--:|--:|`)
  const growthRatios: number[] = []
  for (const name of smallestFigures.keys()) {
    const row = sizes.map((size) => bySize.get(size)?.get(name))
    const times = row.map((figures) => figures?.[kind])
    const [smallestTime, largestTime] = [times[0], times.at(-1)]
    if (smallestTime === undefined || largestTime === undefined) continue
    growthRatios.push(largestTime / smallestTime)
    const timeCells = times.map((time) => time?.toFixed(1) ?? '–').join(' | ')
    console.log(`| ${name} | ${timeCells} | ${(largestTime / smallestTime).toFixed(2)} | ${row.at(-1)?.total ?? '–'} |`)
  }
  return growthRatios.every((ratio) => ratio <= maxGrowth)
}

const givenUrl = option('--url')
if (givenUrl === undefined && findBinaries() === undefined) {
  console.log('PostgreSQL is not installed.')
} else {
  const cluster = givenUrl === undefined ? await startCluster({ isDurable: true }) : undefined
  try {
    const extraSize = option('--size')
    const sizes = [10_000, 100_000, ...(extraSize === undefined ? [] : [Number(extraSize)])]
    const figuresBySize = new Map<number, Map<string, Figures>>()
    for (const rows of sizes) figuresBySize.set(rows, await measureSize(givenUrl ?? cluster?.url ?? '', rows))
    const flatNames = show(figuresBySize, 'known')
    show(figuresBySize, 'first')
    process.exitCode = flatNames ? 0 : 1
  } finally {
    await cluster?.stop()
  }
}
