/**
 * `npm run search-trace`: how long the search over all resources takes at 100,000 news in four languages.
 *
 * Measures the milliseconds of the whole HTTP call of an administrator, for rare, common, short and absent
 * names. `--on server` uses PostgreSQL, `--rows` another number of news, `--data` a folder that an earlier
 * run has filled.
 */
import { median, startFilledServer } from '../lib/filled-database.ts'
import { ownerEmail, signIn } from '../lib/server-process.ts'

/** Maximum milliseconds for an answer to the command palette. */
const limit = 100
const rounds = 15
/** Number of unmeasured searches at the start, which prepare the statement. */
const warmUpCount = 8

const server = await startFilledServer('search')
let slowest = 0
try {
  const jwt = await signIn(server.url, ownerEmail)
  const search = async (text: string) => {
    const startTime = performance.now()
    const answer = await fetch(`${server.url}/api/search?locale=ru&q=${encodeURIComponent(text)}`, {
      headers: { authorization: `Bearer ${jwt}` },
    })
    const { data } = (await answer.json()) as { data: { name: string }[] }
    return { data, time: performance.now() - startTime }
  }
  const searchTexts = [
    'kongirat',
    'Қоңырат',
    'qońırat',
    'пахта',
    'paxta',
    'хлопок',
    'ри',
    'p',
    '№ 77777',
    'zzzz',
    'irri',
  ]
  for (let round = 0; round < warmUpCount; round += 1) for (const text of searchTexts) await search(text)
  for (const text of searchTexts) {
    const times: number[] = []
    let firstHit: string | undefined
    let hitCount = 0
    for (let round = 0; round < rounds; round += 1) {
      const { data, time } = await search(text)
      times.push(time)
      firstHit = data[0]?.name
      hitCount = data.length
    }
    slowest = Math.max(slowest, median(times))
    const maxTime = Math.max(...times).toFixed(0)
    console.log(
      `${text}: median ${median(times).toFixed(1)} ms, at most ${maxTime}, ${hitCount} found: ${firstHit ?? '—'}`,
    )
  }
} finally {
  await server.close()
}
console.log(`${server.rows} news in four languages: slowest median ${slowest.toFixed(0)} ms (limit ${limit})`)
console.log(`Data: ${server.dataDir}`)
process.exit(slowest <= limit ? 0 : 1)
