/**
 * `npm run reports`: milliseconds of the overview and of each report of one year with 200,000 consultations, a
 * million messages and 500,000 prices, with filters and without, 95 of 100 answers (statistics §10, 3).
 *
 * `--on server` measures PostgreSQL, with half of the limits; `--rows` sets the number of consultations. The
 * exit code is 1 when a limit is exceeded.
 */
import { type ReportKey, reports } from '@dala/model'
import { option, startFilledServer } from '../lib/filled-database.ts'
import { fillReportsSql } from '../lib/filled-rows.ts'
import { signIn } from '../lib/server-process.ts'

const rounds = 20
const isServer = option('--on') === 'server'
const limits = isServer ? { overview: 400, year: 750 } : { overview: 800, year: 1_500 }

const dayLength = 86_400_000
const dayBefore = (days: number) => new Date(Date.now() - days * dayLength).toISOString().slice(0, 10)
const year = `?from=${dayBefore(364)}&to=${dayBefore(0)}`
const measuredCalls = [
  { path: 'overview', limit: limits.overview },
  ...Object.keys(reports).map((key) => ({ path: `${key}${year}`, limit: limits.year })),
]

const { rows, url, close } = await startFilledServer('reports', { rows: 200_000, fill: fillReportsSql })
const token = await signIn(url)

interface Breakdowns {
  data: { breakdowns: { dim: string; rows: { id: string | null }[] }[] }
}

/** Returns the filter by the first row of a table in a report of the year. */
async function filterBy(key: ReportKey, dim: string): Promise<string> {
  const answer = await fetch(`${url}/api/statistics/${key}${year}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as Breakdowns
  const id = data.breakdowns.find((breakdown) => breakdown.dim === dim)?.rows.find((row) => row.id !== null)?.id
  if (!id) throw new Error(`The report has no row by ${dim}.`)
  return `&filters[${dim}]=${id}`
}
const region = await filterBy('consultations', 'region')
const category = await filterBy('consultations', 'category')
const consultant = await filterBy('consultants', 'consultant')
const filteredCalls = [
  ...['overview', 'consultations', 'consultants', 'prices', 'people'].map((key) => `${key}${year}${region}`),
  ...['consultations', 'consultants'].flatMap((key) =>
    [category, consultant, region + category, region + consultant, category + consultant].map(
      (filters) => `${key}${year}${filters}`,
    ),
  ),
]

/** Milliseconds of one answer; undefined when the server gave up after the time of a statement. */
async function timeOf(path: string): Promise<number | undefined> {
  const start = performance.now()
  const answer = await fetch(`${url}/api/statistics/${path}`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.ok ? performance.now() - start : undefined
}

let missedCount = 0
console.log(
  `${rows} consultations, ${isServer ? 'PostgreSQL' : 'embedded database'}, milliseconds of ${rounds} answers`,
)
for (const { path, limit } of [
  ...measuredCalls,
  ...filteredCalls.map((filteredPath) => ({ path: filteredPath, limit: limits.year })),
]) {
  if ((await timeOf(path)) === undefined) {
    missedCount += 1
    console.log(`${path}: refused, limit ${limit}, missed`)
    continue
  }
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push((await timeOf(path)) ?? Number.POSITIVE_INFINITY)
  const sortedTimes = times.toSorted((left, right) => left - right)
  const [median, p95] = [sortedTimes[rounds / 2] ?? 0, sortedTimes[Math.ceil(rounds * 0.95) - 1] ?? 0]
  if (p95 > limit) missedCount += 1
  console.log(
    `${path}: median ${Math.round(median)}, 95 of 100 ${Math.round(p95)}, limit ${limit}${p95 > limit ? ', missed' : ''}`,
  )
}
await close()
process.exitCode = missedCount > 0 ? 1 : 0
