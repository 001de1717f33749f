/**
 * `npm run search-trace`: how long the search over all resources takes at 100,000 news in four languages.
 *
 * Milliseconds of the whole call by HTTP, for names that are rare, common, short and absent, as an administrator.
 * `--on server` uses PostgreSQL, `--rows` another number of news, `--data` a folder that an earlier run has filled.
 */
import { openDatabase } from '../packages/server/src/db/database.ts'
import { startCluster } from '../packages/server/src/testing/postgres-cluster.ts'
import { fillSql } from './bench-data.ts'
import { ownerEmail, startServer, temporaryFolder, trialPassword } from './server-process.ts'

/** A palette answers within this time, in milliseconds. */
const limit = 100
const rounds = 15
/** The first calls prepare the statement. */
const warming = 8

const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(name)
  return position >= 0 ? process.argv[position + 1] : undefined
}
const rows = Number(option('--rows') ?? 100_000)
const cluster = option('--on') === 'server' ? await startCluster() : undefined
const filled = option('--data')
const dataDir = filled ?? temporaryFolder('search')
const env = cluster ? { DATABASE_URL: cluster.url } : {}

/** Seeds and fills the database; the server is not running meanwhile. */
async function fill(): Promise<void> {
  const seeded = await startServer({ seed: 'reference', dataDir, env })
  await seeded.close()
  const database = await openDatabase(cluster ? { url: cluster.url } : { dataDir })
  await database.session(async (session) => {
    await session.script(`set statement_timeout = 0; begin; ${fillSql(rows, 1)}; commit`)
    await session.script('vacuum analyze')
  })
  await database.close()
}

if (filled === undefined) await fill()

const server = await startServer({ seed: 'reference', dataDir, env })
let slowest = 0
try {
  const signedIn = await fetch(`${server.url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: ownerEmail, password: trialPassword }),
  })
  const { jwt } = (await signedIn.json()) as { jwt: string }
  const search = async (text: string) => {
    const started = performance.now()
    const answer = await fetch(`${server.url}/api/search?locale=ru&q=${encodeURIComponent(text)}`, {
      headers: { authorization: `Bearer ${jwt}` },
    })
    const { data } = (await answer.json()) as { data: { name: string }[] }
    return { data, time: performance.now() - started }
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const wanted = ['kongirat', 'Қоңырат', 'qońırat', 'пахта', 'paxta', 'хлопок', 'ри', 'p', '№ 77777', 'zzzz', 'irri']
  for (let round = 0; round < warming; round += 1) for (const text of wanted) await search(text)
  for (const text of wanted) {
    const times: number[] = []
    let first: string | undefined
    let found = 0
    for (let round = 0; round < rounds; round += 1) {
      const { data, time } = await search(text)
      times.push(time)
      first = data[0]?.name
      found = data.length
    }
    slowest = Math.max(slowest, median(times))
    const most = Math.max(...times).toFixed(0)
    console.log(`${text}: median ${median(times).toFixed(1)} ms, at most ${most}, ${found} found: ${first ?? '—'}`)
  }
} finally {
  await server.close()
  await cluster?.stop()
}
console.log(`${rows} news in four languages: slowest median ${slowest.toFixed(0)} ms (limit ${limit})`)
if (filled === undefined) console.log(`Data: ${dataDir}`)
process.exit(slowest <= limit ? 0 : 1)
