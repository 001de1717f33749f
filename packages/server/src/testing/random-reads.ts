/** Compares the answers of lists to random valid queries with a plain evaluation over the same records. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Database } from '../db/database.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { generateQueries, type GeneratedQuery } from './query-maker.ts'
import { QueryOracle, pageOf } from './query-oracle.ts'
import { fillWorld, readWorld } from './query-world.ts'

interface Answer {
  status: number
  body: unknown
}
interface List {
  data: { id: number }[]
  meta: { pagination: { total?: number } }
}

export interface ReadsProof {
  queries: number
  /** Number of rows in all answers to random queries, and of queries with a result. */
  rows: number
  findingCount: number
  /** Number of random queries whose pages were all read and joined. */
  pagedCount: number
  seconds: number
}

const stepSize = 7
/** One random query in this many is read page by page. */
const pagedShare = 10

const isEqual = (firstValue: unknown, otherValue: unknown) => isDeepStrictEqual(firstValue, otherValue)

/**
 * Sends random queries and compares the answers with the plain evaluation.
 *
 * @param database - An emptied, migrated database.
 * @param ask - Requests an address below `/api` of the application on it, as an admin.
 * @param runs - Number of queries.
 * @param seed - Seed of a run to repeat.
 * @returns The numbers of compared queries and rows.
 * @throws With the query's text and the seed when an answer differs.
 */
export async function compareRandomReads(
  database: Database,
  ask: (url: string) => Promise<Answer>,
  runs: number,
  seed?: number,
): Promise<ReadsProof> {
  await fillWorld(database)
  const world = await readWorld(database)
  const queryOracle = new QueryOracle(world)
  const readsProof: ReadsProof = { queries: 0, rows: 0, findingCount: 0, pagedCount: 0, seconds: 0 }

  const readUrl = async (url: string): Promise<List> => {
    const { status, body } = await ask(url)
    if (status !== 200) throw new Error(`GET ${url} answered ${status}: ${JSON.stringify(body)}`)
    return body as List
  }
  const isDifferent = (url: string, answeredPage: unknown, evaluatedPage: unknown) =>
    new Error(`GET ${url}\nanswered ${JSON.stringify(answeredPage)}\nexpected ${JSON.stringify(evaluatedPage)}`)

  const checkQuery = async ({ query, text }: GeneratedQuery): Promise<void> => {
    const { wire } = resourceNamed(query.resource)
    const foundEntries = queryOracle.find(query)
    const expectedPage = pageOf(foundEntries, query.page)
    const { data, meta } = await readUrl(`/${wire}?${text}&fields=id`)
    const { total } = meta.pagination
    const answeredPage = { ids: data.map(({ id }) => id), ...(total !== undefined && { total }) }
    if (!isEqual(answeredPage, expectedPage)) throw isDifferent(`/${wire}?${text}`, answeredPage, expectedPage)
    readsProof.queries += 1
    readsProof.rows += answeredPage.ids.length
    if (foundEntries.length > 0) readsProof.findingCount += 1
    if (readsProof.queries % pagedShare !== 0) return
    const wholeText = text
      .split('&')
      .filter((pair) => !decodeURIComponent(pair).startsWith('pagination'))
      .join('&')
    const joinedIds: number[] = []
    for (let start = 0; start <= foundEntries.length; start += stepSize) {
      const page = await readUrl(
        `/${wire}?${wholeText}&fields=id&pagination[start]=${start}&pagination[limit]=${stepSize}`,
      )
      joinedIds.push(...page.data.map(({ id }) => id))
    }
    if (!isEqual(joinedIds, foundEntries))
      throw isDifferent(`/${wire}?${wholeText}, page by page,`, joinedIds, foundEntries)
    readsProof.pagedCount += 1
    readsProof.rows += joinedIds.length
  }
  const startTime = performance.now()
  await fc.assert(fc.asyncProperty(generateQueries(world), checkQuery), {
    numRuns: runs,
    ...(seed !== undefined && { seed }),
  })
  return { ...readsProof, seconds: (performance.now() - startTime) / 1_000 }
}
