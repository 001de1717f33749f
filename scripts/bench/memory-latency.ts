/**
 * `npm run memory-latency`: milliseconds of suggestions from a translation memory of 50,000 segments in each of two
 * languages, for short, middle and long sentences of which one or two words differ.
 *
 * `--on server` measures PostgreSQL; `--rows` sets the number of segments. The exit code is 1
 * when a limit is exceeded.
 */
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { ChangedTexts } from '../../packages/server/src/features/memory/changed-texts.ts'
import { startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { RandomDraws } from '../lib/draws.ts'
import { median, option } from '../lib/filled-database.ts'
import { insertRows } from '../lib/insert-rows.ts'
import { signIn, startServer, temporaryFolder } from '../lib/server-process.ts'
import labels from '../../packages/model/src/labels/ru.json' with { type: 'json' }
import targetLabels from '../../packages/model/src/labels/kaa.json' with { type: 'json' }

const rounds = 100
const isServer = option('--on') === 'server'
const limit = isServer ? 75 : 150
const rows = Number(option('--rows') ?? 50_000)
const lengths = { short: [2, 4], middle: [5, 9], long: [10, 18] } as const

/** Words of a catalogue; common ones are drawn more often than others, as in a language. */
const wordsOf = (catalogue: Readonly<Record<string, string>>) => [
  ...new Set(Object.values(catalogue).flatMap((text) => text.match(/\p{L}{2,}/gu) ?? [])),
]
const draws = new RandomDraws(7, 0)
const sourceWords = wordsOf(labels)
const targetWords = wordsOf(targetLabels)
const drawWord = (words: readonly string[]) => words[Math.floor(words.length * draws.next() ** 3)] ?? ''
const sentenceOf = (words: readonly string[], length: number) => draws.list(length, () => drawWord(words)).join(' ')

const sentences = draws.list(rows, () => sentenceOf(sourceWords, 2 + draws.below(17)))
const cluster = isServer ? await startCluster({ isDurable: true }) : undefined
const dataDir = temporaryFolder('memory')
const env = cluster ? { DATABASE_URL: cluster.url } : {}
const seededServer = await startServer({ seed: 'reference', dataDir, env })
await seededServer.close()

const database = await openDatabase(cluster ? { url: cluster.url } : { dataDir }, { parts: engineParts })
const start = performance.now()
await database.withoutTimeLimit(async () => {
  const ids = sentences.map((_, index) => 1_000_000 + index)
  await insertRows(
    database,
    'tags',
    ids.map((id) => ({ id, source_locale: 'ru' })),
  )
  const textsOf = (locale: string, firstId: number, textOf: (index: number) => string) =>
    ids.map((id, index) => ({
      id: firstId + index,
      document_id: id,
      locale,
      name: textOf(index).slice(0, 255),
    }))
  const drawTarget = () => sentenceOf(targetWords, 2 + draws.below(17))
  await insertRows(
    database,
    'tags_texts',
    textsOf('ru', 1_000_000, (index) => sentences[index] ?? ''),
  )
  await insertRows(database, 'tags_texts', textsOf('kaa', 2_000_000, drawTarget))
})
const filled = performance.now()
await database.withoutTimeLimit(() => new ChangedTexts(database).readAll())
const read = performance.now()
await database.session(async (session) => {
  await session.script('vacuum analyze')
})
const [counted] = await database.query(sql<{ count: number }>`select count(*)::int as count from memory_segments`)
await database.close()
console.log(
  `${counted?.count} segments of ${rows} records in two languages, ${isServer ? 'PostgreSQL' : 'embedded database'}: ` +
    `written in ${Math.round((filled - start) / 1_000)} s, read into the memory in ${Math.round((read - filled) / 1_000)} s`,
)

const server = await startServer({ seed: 'reference', dataDir, env })
const token = await signIn(server.url)
let missedCount = 0
for (const [name, [least, most]] of Object.entries(lengths)) {
  const pool = sentences.filter((sentence) => {
    const length = sentence.split(' ').length
    return length >= least && length <= most
  })
  const times: number[] = []
  let foundCount = 0
  for (let round = 0; round < rounds; round += 1) {
    const words = draws.pick(pool).split(' ')
    for (let change = 0; change < (words.length > 6 ? 2 : 1); change += 1)
      words[draws.below(words.length)] = drawWord(sourceWords)
    const query = new URLSearchParams({ q: words.join(' '), source: 'ru', target: 'kaa' })
    const asked = performance.now()
    const answer = await fetch(`${server.url}/api/memory/suggestions?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await answer.json()) as { data: unknown[] }
    times.push(performance.now() - asked)
    if (data.length > 0) foundCount += 1
  }
  const p95 = times.toSorted((one, other) => one - other)[Math.ceil(rounds * 0.95) - 1] ?? 0
  if (p95 > limit) missedCount += 1
  console.log(
    `${name}, ${least} to ${most} words: median ${Math.round(median(times))}, 95 of 100 ${Math.round(p95)}, limit ${limit}` +
      `${p95 > limit ? ', missed' : ''}; ${foundCount} of ${rounds} with a suggestion`,
  )
}
await server.close()
await cluster?.stop()
process.exitCode = missedCount > 0 ? 1 : 0
