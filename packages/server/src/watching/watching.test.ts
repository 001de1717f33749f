import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { emitSignal, isWatched } from '../signals.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { waitUntil } from '../testing/eventually.ts'
import { type MetricDeclaration, metrics } from './metrics.ts'
import { openWatching, type Watching } from './open-watching.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-watching-'))
let watching: Watching
let context: TestApp

const openPort = (port = 0) => openWatching({ port, host: '127.0.0.1', dataDir })
const request = (path: string, options?: RequestInit) => fetch(`http://127.0.0.1:${watching.port}${path}`, options)
const scrape = async () => (await request('/metrics')).text()
/** Returns the value of one series; undefined for a series that does not exist. */
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
/** Names of the series, without values. */
const seriesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/ \S+$/, ''))

beforeEach(async () => {
  watching = await openPort()
  context = await openTestApp({ observeApp: watching.observeApp })
  watching.watchDatabase(context.database, context.queue)
})
afterEach(() => watching.close())

describe('GET /metrics', () => {
  test('has every declared metric with its kind, help and labels, and no other', async () => {
    await context.app.inject({ url: '/api/users/me' })
    emitSignal('job', { kind: 'bulk', step: 'begun' })
    emitSignal('job', { kind: 'bulk', step: 'done' })
    emitSignal('letter', { outcome: 'sent' })
    emitSignal('diskWrite', { seconds: 0.004 })
    const text = await waitUntil(async () => {
      // Enough garbage for a collection, whose pause is reported soon after it.
      Array.from({ length: 100_000 }, (_, index) => ({ index }))
      const answer = await scrape()
      expect(answer).toContain('dala_garbage_collection_duration_seconds_count')
      return answer
    })
    const found = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind])
    const declared = Object.entries<MetricDeclaration>(metrics)
    const seenNames = new Set(found.map(([name]) => name))
    const unseenNames = declared.map(([name]) => name).filter((name) => !seenNames.has(name))
    expect(unseenNames).toEqual([])
    for (const [name, kind] of found) {
      const declaration = declared.find(([candidate]) => candidate === name)?.[1]
      expect([name, kind]).toEqual([name, declaration?.kind])
      const labels = seriesOf(text)
        .filter((series) => new RegExp(`^${name}(_bucket|_sum|_count)?(\\{|$)`).test(series))
        .flatMap((series) => [...series.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
        .filter((label) => label !== 'le')
      expect([name, new Set(labels)]).toEqual([name, new Set(declaration?.labels)])
    }
  })

  test('counts each request once, by route, method and class of status', async () => {
    for (let turn = 0; turn < 3; turn += 1) await context.app.inject({ url: '/api/news/999999' })
    const text = await scrape()
    const series = 'dala_http_request_duration_seconds_count{route="/api/news/:id",method="GET",status="4xx"}'
    expect(valueOf(text, series)).toBe(3)
  })

  test('gains no series from 1,000 different paths, ids and methods, and shows nothing that was typed', async () => {
    const send = async (turn: number, marker: string) => {
      await context.app.inject({ url: `/api/news/${turn}?_q=${marker}` })
      await context.app.inject({ url: `/${marker}/${turn}` })
      await context.app.inject({
        method: 'PUT',
        url: `/api/news/${turn}`,
        payload: { data: { title: `${marker}@example.org` } },
        headers: { authorization: `Bearer ${marker}`, 'x-request-id': marker },
        remoteAddress: '203.0.113.77',
      })
    }
    await send(900_000, 'marker900000')
    const before = seriesOf(await scrape()).filter((series) => series.startsWith('dala_http_'))
    for (let turn = 900_001; turn < 900_335; turn += 1) await send(turn, `marker${turn}`)
    const text = await scrape()
    expect(seriesOf(text).filter((series) => series.startsWith('dala_http_'))).toEqual(before)
    expect(text).not.toMatch(/marker|203\.0\.113|example\.org/)
  })

  test('counts a refusal by its code', async () => {
    const answer = await context.app.inject({ url: '/api/users/me' })
    const { error } = answer.json<{ error: { code: string } }>()
    expect(valueOf(await scrape(), `dala_refused_requests_total{code="${error.code}"}`)).toBe(1)
  })

  test('counts statements and their errors by class', async () => {
    await expect(context.database.query(sql`select 1 / 0`)).rejects.toThrow(/zero/)
    const text = await scrape()
    expect(valueOf(text, 'dala_database_errors_total{class="22"}')).toBe(1)
    expect(valueOf(text, 'dala_database_errors_total{class="connection"}')).toBe(0)
    expect(valueOf(text, 'dala_database_statement_duration_seconds_count{operation="select"}')).toBeGreaterThan(0)
  })

  test('shows jobs and letters that wait, run, end and fail, and uploaded bytes', async () => {
    await context.database.query(sql`
      insert into mails (recipient, locale, template) values ('someone@example.org', 'en', 'reset')`)
    emitSignal('job', { kind: 'imports', step: 'begun' })
    emitSignal('job', { kind: 'bulk', step: 'begun' })
    emitSignal('job', { kind: 'bulk', step: 'failed' })
    emitSignal('letter', { outcome: 'failed' })
    emitSignal('upload', { way: 'form', bytes: 1_500 })
    const text = await scrape()
    expect(valueOf(text, 'dala_letters_waiting')).toBe(1)
    expect(valueOf(text, 'dala_letters_total{outcome="failed"}')).toBe(1)
    expect(valueOf(text, 'dala_upload_bytes_total{way="form"}')).toBe(1_500)
    expect(valueOf(text, 'dala_upload_bytes_total{way="resumable"}')).toBe(0)
    expect(valueOf(text, 'dala_jobs_running{kind="imports"}')).toBe(1)
    expect(valueOf(text, 'dala_jobs_running{kind="bulk"}')).toBe(0)
    expect(valueOf(text, 'dala_jobs_total{kind="bulk",outcome="failed"}')).toBe(1)
    expect(valueOf(text, 'dala_jobs_waiting{kind="bulk"}')).toBe(0)
    expect(text).not.toContain('someone')
  })
})

test.each([
  ['GET', '/'],
  ['GET', '/metrics/more'],
  ['POST', '/metrics'],
  ['HEAD', '/metrics'],
])('answers %s %s on the port of metrics with 404', async (method, path) => {
  expect((await request(path, { method })).status).toBe(404)
})

test('refuses a port that is in use', async () => {
  await expect(openPort(watching.port)).rejects.toThrow(/EADDRINUSE/)
})

test('frees its port and ends the counting when it is closed', async () => {
  const { port } = watching
  expect(isWatched('statement')).toBe(true)
  await watching.close()
  expect(isWatched('statement')).toBe(false)
  watching = await openPort(port)
  expect(watching.port).toBe(port)
})
