/**
 * Proof that every read is bounded: random nested queries of a farmer over many records, while `/health` is
 * requested.
 * `node scripts/proofs/nested-reads.ts --runs 200 --news 10000 --on embedded --seed 7`
 */
import { setTimeout as pause } from 'node:timers/promises'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, isScalar, type Resource, resources } from '@dala/model'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { fillSql } from '../lib/filled-rows.ts'
import { RandomDraws } from '../lib/draws.ts'
import { prepareFirstData } from '../lib/first-data.ts'
import type { DatabasePlace } from './on-place.ts'
import { type RunningServer, startServer, temporaryFolder } from '../lib/server-process.ts'
import { failedTally, passedTally, skippedTally, type CountTally } from '../lib/step.ts'

/** Limits of the proof of nested reads, in milliseconds and MB. */
const limits = { accepted: 2_000, health: 200, memory: 100 }
/** Pause between two requests of `/health`, in milliseconds. */
const healthEvery = 20
const companies = 500
const tags = 200
/** Number of queries that fill the permanent caches before memory is measured. */
const warming = 20

interface NestedDose {
  runs: number
  news: number
  /**
   * Whether the times and the memory of the proof count: they do not on a machine that runs tests in
   * parallel.
   */
  isJudged: boolean
}

const rootPaths = ['news', 'tags', 'companies', 'directions', 'regions', 'districts'] as const

/** SQL of tags and companies that the proof adds to the news of the bench. */
const extraRowsSql = `
  insert into tags (source_locale, color) select 'en', '#2b3c4d' from generate_series(1, ${tags - 20});
  insert into tags_texts (document_id, locale, name)
  select t.id, l, 'Subject ' || t.id || ' ' || l from tags t, unnest(array['en', 'ru', 'uz', 'kaa']) l
   where not exists (select 1 from tags_texts x where x.document_id = t.id);
  insert into news_tags (holder_id, target_id, position)
  select n.id, t.id, 99 from news n join tags t on t.color = '#2b3c4d' and t.id % ${tags - 20} = n.id % ${tags - 20}
  on conflict do nothing;
  insert into directions (name, "order")
  select jsonb_build_object('en', 'Direction ' || n, 'ru', 'Направление ' || n), n from generate_series(1, 20) n;
  insert into companies (source_locale, "companyName", region_id)
  select 'en', 'Company ' || n, (select array_agg(id) from regions)[1 + n % (select count(*) from regions)]
    from generate_series(1, ${companies}) n;
  insert into companies_texts (document_id, locale, slogan, description, full_description, address)
  select c.id, l, 'Slogan ' || c.id, repeat('What the company grows and sells. ', 10),
         '<p>' || repeat('Fields, greenhouses, stores and people of the company. ', 40) || '</p>', 'Street ' || c.id
    from companies c, unnest(array['en', 'ru', 'uz', 'kaa']) l
   where not exists (select 1 from companies_texts x where x.document_id = c.id);
  insert into companies_directions (holder_id, target_id, position)
  select c.id, d.id, 1 from companies c join directions d on (c.id + d.id) % 7 = 0 on conflict do nothing;
  insert into companies_delivery_regions (holder_id, target_id, position)
  select c.id, r.id, 1 from companies c join regions r on (c.id + r.id) % 5 = 0 on conflict do nothing;`

/** Returns the links of a resource by their wire names. */
const linksOf = (resource: Resource): [string, string][] => [
  ...(resource.localized ? [['localizations', resource.name] as [string, string]] : []),
  ...Object.entries<Field>(resource.fields).flatMap(([name, field]): [string, string][] =>
    isScalar(field) || field.kind === 'count' ? [] : [[name, field.target]],
  ),
]

/** Parameters of a query that populates links below links, down to the fifth level. */
function populateOf(
  draws: RandomDraws,
  name: string,
  path: string,
  depth: number,
  nodeBudget: { nodes: number },
): string[] {
  const resource = (resources as Readonly<Record<string, Resource>>)[name]
  const links = resource ? linksOf(resource) : []
  if (links.length === 0) return []
  const pairs: string[] = []
  for (const [link, target] of new Map(draws.list(1 + draws.below(3), () => draws.pick(links)))) {
    if (nodeBudget.nodes <= 0) break
    nodeBudget.nodes -= 1
    const linkPath = `${path}[${link}]`
    const nestedPairs =
      depth < 5 && draws.chance(0.75) ? populateOf(draws, target, `${linkPath}[populate]`, depth + 1, nodeBudget) : []
    if (draws.chance(0.2)) pairs.push(`${linkPath}[fields][0]=id`)
    if (draws.chance(0.1)) pairs.push(`${linkPath}[sort]=id:desc`)
    if (draws.chance(0.1)) pairs.push(`${linkPath}[filters][id][$gt]=${draws.below(2_000)}`)
    pairs.push(
      ...(nestedPairs.length > 0 ? nestedPairs : [`${linkPath}[populate]=${draws.chance(0.1) ? '*' : 'false'}`]),
    )
  }
  return pairs
}

/** Returns the path of a random nested query, equal for equal seeds. */
function queryOf(seed: number, index: number): string {
  const draws = new RandomDraws(seed, index)
  const root = draws.pick(rootPaths)
  const size = draws.pick([15, 50, 100])
  const locale = draws.pick(['en', 'ru', 'uz', 'kaa'])
  const pairs = populateOf(draws, root, 'populate', 1, { nodes: draws.pick([3, 8, 20]) })
  return `/api/${resources[root].wire}?locale=${locale}&pagination[pageSize]=${size}&${pairs.join('&')}`
}

/** Two queries that once stopped a server, and the widest pages without nesting. */
const knownQueries = [
  '/api/directions?pagination[pageSize]=100&populate[companies][populate][directions][populate][companies][populate][directions][populate][companies]=true',
  '/api/tags?pagination[pageSize]=100&populate[news][populate][tags][populate][news][populate][tags][populate][news]=true',
  '/api/tags?pagination[pageSize]=100&populate=*',
  '/api/news?pagination[pageSize]=100&populate=*',
]

async function registerUser(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'farmer', email: 'farmer@example.org', password: 'Harvest-2026' }),
  })
  const { jwt } = (await answer.json()) as { jwt?: string }
  if (jwt === undefined) throw new Error(`Registering was refused with ${answer.status}`)
  return jwt
}

async function memoryOf(url: string): Promise<number> {
  const { rss } = (await (await fetch(`${url}/fuzz/memory`)).json()) as { rss: number }
  return rss / 1e6
}

interface Figures {
  acceptedCount: number
  refused: number
  /** Number of nested queries refused by the time limit or left without an answer. */
  cut: string[]
  wrongAnswers: string[]
  slowest: number
  slowestUrl: string
  health: number
  memoryGrowth: number
}

/**
 * Requests `/health` again and again.
 *
 * @returns A function that stops and returns the longest response time.
 */
function watchHealth(url: string): () => Promise<number> {
  let isRunning = true
  let longestTime = 0
  const memoryWatching = (async () => {
    while (isRunning) {
      const startMoment = performance.now()
      await (await fetch(`${url}/health`)).text()
      longestTime = Math.max(longestTime, performance.now() - startMoment)
      await pause(healthEvery)
    }
  })()
  return async () => {
    isRunning = false
    await memoryWatching
    return longestTime
  }
}

async function requestAllReads(
  { url }: RunningServer,
  runs: number,
  warmUpRuns: number,
  seed: number,
): Promise<Figures> {
  const headers = { authorization: `Bearer ${await registerUser(url)}` }
  const figures: Figures = {
    acceptedCount: 0,
    refused: 0,
    cut: [],
    wrongAnswers: [],
    slowest: 0,
    slowestUrl: '',
    health: 0,
    memoryGrowth: 0,
  }
  const ask = async (path: string) => {
    const startMoment = performance.now()
    const answer = await fetch(url + path, { headers })
    const text = await answer.text()
    const elapsedTime = performance.now() - startMoment
    if (answer.status === 200) {
      figures.acceptedCount += 1
      if (elapsedTime > figures.slowest) [figures.slowest, figures.slowestUrl] = [elapsedTime, path]
    } else if (answer.status === 400 && /"code":"query\.(list-too-long|answer-too-large|too-large)"/.test(text))
      figures.refused += 1
    else if (answer.status === 503) figures.cut.push(path)
    else figures.wrongAnswers.push(`${answer.status} ${path} ${text.slice(0, 300)}`)
  }
  for (let index = 0; index < warmUpRuns; index += 1) await ask(queryOf(seed, runs + index))
  const memoryBefore = await memoryOf(url)
  Object.assign(figures, { accepted: 0, refused: 0, cut: [], wrongAnswers: [], slowest: 0, slowestUrl: '' })
  const stopWatching = watchHealth(url)
  for (const path of knownQueries) await ask(path)
  for (let index = 0; index < runs; index += 1) await ask(queryOf(seed, index))
  figures.health = await stopWatching()
  figures.memoryGrowth = (await memoryOf(url)) - memoryBefore
  return figures
}

/**
 * Sends random nested queries to a server with many records.
 *
 * @param dose - Number of queries and of news, and whether times and memory count.
 * @param databaseKind - The database; skipped without PostgreSQL.
 * @param seed - Seed of the queries.
 * @returns One step passed or failed, with its figures printed.
 */
export async function nestedReads(
  { runs, news, isJudged: hasJudge }: NestedDose,
  databaseKind: DatabasePlace,
  seed = 7,
): Promise<CountTally> {
  if (databaseKind === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const cluster = databaseKind === 'server' ? await startCluster({ isDurable: true }) : undefined
  const dataDir = temporaryFolder('nested')
  const env: Record<string, string> = cluster ? { DATABASE_URL: cluster.url } : {}
  const start = () =>
    startServer({ seed: 'reference', dataDir, env, preload: join(import.meta.dirname, '../lib/memory-route.ts') })
  let server: RunningServer | undefined
  try {
    await prepareFirstData({ dataDir, seed: 'reference', env }, (database) =>
      database.session(async (session) => {
        await session.script(
          `${cluster ? 'set statement_timeout = 0;' : ''} begin; ${fillSql(news)} ${extraRowsSql} commit`,
        )
        await session.script('vacuum analyze')
      }),
    )
    server = await start()
    const {
      acceptedCount: acceptedReads,
      refused,
      cut,
      wrongAnswers: falseAnswers,
      slowest,
      slowestUrl,
      health,
      memoryGrowth: growth,
    } = await requestAllReads(server, runs, hasJudge ? warming : 0, seed)
    console.log(
      `   ${databaseKind}: ${acceptedReads} accepted, ${refused} refused as too large, ${cut.length} over the time limit; slowest accepted ` +
        `${Math.round(slowest)} ms, slowest /health ${Math.round(health)} ms, memory ${growth < 0 ? '' : '+'}${Math.round(growth)} MB`,
    )
    for (const line of [...cut.map((path) => `over the time limit: ${path}`), ...falseAnswers])
      console.log(`   ${line}`)
    console.log(`   slowest: ${slowestUrl}`)
    const isQuick = slowest <= limits.accepted && health <= limits.health && growth <= limits.memory && cut.length === 0
    return falseAnswers.length === 0 && acceptedReads > 0 && refused > 0 && (isQuick || !hasJudge)
      ? passedTally
      : failedTally
  } finally {
    await server?.close()
    await cluster?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? process.argv[position + 1] : undefined
  }
  const on = option('--on')
  const databaseKinds: DatabasePlace[] = on === 'embedded' || on === 'server' ? [on] : ['embedded', 'server']
  const dose: NestedDose = {
    runs: Number(option('--runs') ?? 200),
    news: Number(option('--news') ?? 10_000),
    isJudged: true,
  }
  for (const databaseKind of databaseKinds) {
    const { failed } = await nestedReads(dose, databaseKind, Number(option('--seed') ?? 7))
    if (failed > 0) process.exitCode = 1
  }
}
