/**
 * `npm run bench`: requests per second and p99 of what people do most, each next to the same process answering a
 * constant of equal size, on the embedded database and on PostgreSQL. Ratios travel between machines, figures do not.
 */
import { join } from 'node:path'
import autocannon from 'autocannon'
import { findBinaries, startCluster } from '../packages/server/src/testing/postgres-cluster.ts'
import { ownerEmail, signIn, startServer, trialPassword, type RunningServer } from './server-process.ts'

const seconds = 5
const newsWanted = 30
const listQuery =
  'locale=ru&fallback=true&populate[region]=true&populate[tags]=true&populate[image]=true&pagination[pageSize]=15'

interface Case {
  name: string
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** Sign-in hashes passwords, at most four at once. */
  connections: number
}

interface Measured {
  perSecond: number
  p99: number
  refused: number
}

async function measure(url: string, one: Case, token: string): Promise<Measured> {
  const result = await autocannon({
    url: url + one.path,
    method: one.method,
    connections: one.connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(one.body !== undefined && { body: one.body, idReplacement: true }),
  })
  return { perSecond: result.requests.average, p99: result.latency.p99, refused: result.non2xx + result.errors }
}

/** JSON of an answer; throws when it is a refusal. */
async function ask(url: string, token: string, path: string, data?: Record<string, unknown>): Promise<unknown> {
  const answer = await fetch(url + path, {
    method: data === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was refused with ${answer.status}: ${text}`)
  return JSON.parse(text)
}

interface Listed {
  data: { id: number }[]
}

/** Enough news for full pages, each with a region, three tags and, where the demo content has one, an image. */
async function fillNews(url: string, token: string): Promise<number> {
  const [regions, tags, images] = (await Promise.all(
    ['/api/regions?locale=ru', '/api/tags?locale=ru', '/api/uploads'].map((path) => ask(url, token, path)),
  )) as [Listed, Listed, Listed]
  let id = 0
  for (let count = 0; count < newsWanted; count += 1) {
    const image = images.data[count % Math.max(1, images.data.length)]?.id
    const answer = (await ask(url, token, '/api/news?locale=ru', {
      title: `Новость ${count}`,
      description: 'Виды на урожай, цены на семена и погода на неделю. '.repeat(4),
      content: `<p>${'Полив, всходы, защита растений и сбор урожая. '.repeat(30)}</p>`,
      region: regions.data[count % regions.data.length]?.id,
      tags: tags.data.slice(count % 5, (count % 5) + 3).map((tag) => tag.id),
      ...(image !== undefined && { image }),
    })) as { data: { id: number } }
    id = answer.data.id
  }
  return id
}

/** Bytes of one answer of that case. */
async function sizeOf(url: string, one: Case, token: string): Promise<number> {
  const answer = await fetch(url + one.path, {
    method: one.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(one.body !== undefined && { body: one.body.replace('[<id>]', 'size') }),
  })
  const body = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${one.name} was refused with ${answer.status}: ${Buffer.from(body).toString()}`)
  return body.byteLength
}

async function benchOn(name: string, server: RunningServer): Promise<boolean> {
  const token = await signIn(server.url)
  const newsId = await fillNews(server.url, token)
  const cases: readonly Case[] = [
    { name: 'list of 15 news, populated', method: 'GET', path: `/api/news?${listQuery}`, connections: 10 },
    { name: 'one news item, populated', method: 'GET', path: `/api/news/${newsId}?populate=*`, connections: 10 },
    {
      name: 'create a tag',
      method: 'POST',
      path: '/api/tags?locale=en',
      body: JSON.stringify({ data: { name: 'bench [<id>]' } }),
      connections: 10,
    },
    {
      name: 'sign in',
      method: 'POST',
      path: '/api/auth/local',
      body: JSON.stringify({ identifier: ownerEmail, password: trialPassword }),
      connections: 4,
    },
  ]
  console.log(`\n${name}`)
  console.log('| What | bytes | requests/s | p99 ms | constant: requests/s | p99 ms | ratio |')
  console.log('|---|--:|--:|--:|--:|--:|--:|')
  let clean = true
  for (const one of cases) {
    const bytes = await sizeOf(server.url, one, token)
    const measured = await measure(server.url, one, token)
    const constant = await measure(
      server.url,
      { name: 'constant', method: 'GET', path: `/bench/constant?bytes=${bytes}`, connections: one.connections },
      token,
    )
    const refused = measured.refused + constant.refused
    if (refused > 0) clean = false
    console.log(
      `| ${one.name}${refused > 0 ? ` (${refused} REFUSED)` : ''} | ${bytes} | ${measured.perSecond.toFixed(0)} | ${measured.p99} ` +
        `| ${constant.perSecond.toFixed(0)} | ${constant.p99} | ${(measured.perSecond / constant.perSecond).toFixed(2)} |`,
    )
  }
  return clean
}

const preload = join(import.meta.dirname, 'bench-constant.ts')
let clean = true

const embedded = await startServer({ seed: 'demo', preload })
try {
  clean = await benchOn('Embedded database (PGlite)', embedded)
} finally {
  await embedded.close()
}

if (findBinaries() !== undefined) {
  const cluster = await startCluster()
  try {
    const server = await startServer({ seed: 'demo', preload, env: { DATABASE_URL: cluster.url } })
    try {
      clean = (await benchOn('PostgreSQL server', server)) && clean
    } finally {
      await server.close()
    }
  } finally {
    await cluster.stop()
  }
} else {
  console.log('\nPostgreSQL: skipped, no installed PostgreSQL programs (initdb, postgres).')
}
process.exit(clean ? 0 : 1)
