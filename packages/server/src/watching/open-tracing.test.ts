import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import { queueMail } from '../domain/delivery/mails.ts'
import { Mailer } from '../features/mail/mailer.ts'
import { readSettings } from '../settings.ts'
import { isWatched, runFollowed } from '../signals.ts'
import { openTestApp, type TestApp, tokenOf } from '../testing/app.ts'
import { waitUntil } from '../testing/eventually.ts'
import { buildUser } from '../testing/factories.ts'
import { type ReceivedSpan, startCollector, type TraceCollector } from '../testing/trace-collector.ts'
import { openTracing, type Tracing, type TracingOptions } from './open-tracing.ts'

const [server, consumer, client] = [2, 5, 3]
const errorStatus = 2

let collector: TraceCollector
let tracing: Tracing
let failures: unknown[]
let context: TestApp

const openTraces = (options: Partial<TracingOptions> = {}) =>
  openTracing({
    endpoint: collector.endpoint,
    headers: {},
    serviceName: 'dala',
    share: 1,
    onFailure: (error) => void failures.push(error),
    ...options,
  })

beforeEach(async () => {
  failures = []
  collector = await startCollector()
  tracing = openTraces()
  context = await openTestApp({ observeApp: (app) => tracing.observeApp(app) })
})
afterEach(async () => {
  await tracing.close()
  await collector.close()
})

/** Ends the tracing and returns what the collector has received. */
async function receivedSpans(): Promise<ReceivedSpan[]> {
  await tracing.close()
  return collector.spans()
}
const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)
const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)

describe('the trace of a request', () => {
  test('has the template of the route, the status and the request id, and the statements below it', async () => {
    await buildUser(context.database, 'admin', { email: 'reader@example.org' })
    const token = await tokenOf(context.app, 'reader@example.org')
    const answer = await context.app.inject({
      url: '/api/news?pagination[pageSize]=5',
      headers: { authorization: `Bearer ${token}` },
    })
    const spans = await receivedSpans()
    const [request, ...others] = named(spans, 'GET /api/news')
    expect(others).toEqual([])
    const statements = childrenOf(spans, request)
    expect(statements.length).toBeGreaterThan(0)
    expect(request).toMatchObject({
      kind: server,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/news',
        'http.response.status_code': 200,
        'dala.request_id': answer.headers['x-request-id'],
        'dala.statements': statements.length,
      },
      status: { code: 0 },
    })
    expect(request?.parentSpanId ?? '').toBe('')
    for (const statement of statements) {
      expect(statement).toMatchObject({
        traceId: request?.traceId,
        kind: client,
        name: expect.stringMatching(/^statement (select|insert|update|delete|with|other)$/) as unknown,
        attributes: {
          'db.system.name': 'postgresql',
          'dala.statement': expect.stringMatching(/^dala_[0-9a-f]{32}$/) as unknown,
        },
      })
      expect(statement.startTimeUnixNano).toBeGreaterThanOrEqual(request?.startTimeUnixNano ?? 0n)
      expect(statement.endTimeUnixNano).toBeGreaterThanOrEqual(statement.startTimeUnixNano)
      expect(statement.endTimeUnixNano).toBeLessThanOrEqual(request?.endTimeUnixNano ?? 0n)
    }
  })

  test('has the statements of a request with a body, and those of other requests in their own traces', async () => {
    await buildUser(context.database, 'admin', { email: 'reader@example.org' })
    await Promise.all([1, 2, 3].map(() => tokenOf(context.app, 'reader@example.org')))
    const spans = await receivedSpans()
    const requests = named(spans, 'POST /api/auth/local')
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3)
    for (const request of requests) {
      const statements = childrenOf(spans, request)
      expect(statements.length).toBeGreaterThan(1)
      expect(statements).toHaveLength(Number(request.attributes['dala.statements']))
    }
  })

  test('names the code of a refusal, and the method alone for an unknown path', async () => {
    await context.app.inject({ url: '/api/users/me' })
    await context.app.inject({ method: 'DELETE', url: '/api/marker-of-a-path' })
    const spans = await receivedSpans()
    expect(named(spans, 'GET /api/users/me')[0]?.attributes).toMatchObject({
      'http.response.status_code': 401,
      'dala.refusal': 'auth.unauthorized',
    })
    const [unknown] = named(spans, 'DELETE')
    expect(unknown?.attributes['http.response.status_code']).toBe(404)
    expect(unknown?.attributes['http.route']).toBeUndefined()
  })

  test('ends with an error when the client goes away', async () => {
    await context.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = context.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const head = ['POST /api/auth/local HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 99']
    const received = once(context.app.server, 'request')
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await received
    socket.destroy()
    const closed = () =>
      new Promise<number>((resolve, reject) =>
        context.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    await waitUntil(async () => expect(await closed()).toBe(0))
    const [request] = named(await receivedSpans(), 'POST /api/auth/local')
    expect([request?.attributes['error.type'], request?.status.code]).toEqual(['aborted', errorStatus])
  })

  test('begins anew, whatever trace the request names', async () => {
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    await context.app.inject({ url: '/health', headers: { traceparent: `00-${traceId}-${spanId}-01` } })
    const [request] = named(await receivedSpans(), 'GET /health')
    expect(request).toBeDefined()
    expect(request?.traceId).not.toBe(traceId)
    expect(collector.texts.join('')).not.toContain(spanId)
  })

  test('contains nothing that was typed, no id of a record and no address of a client', async () => {
    const marker = 'marker7391'
    const email = `${marker}@example.org`
    await buildUser(context.database, 'admin', { email })
    const token = await tokenOf(context.app, email)
    const headers = { authorization: `Bearer ${token}`, 'user-agent': marker, 'x-forwarded-for': '203.0.113.77' }
    const remoteAddress = '203.0.113.78'
    await context.app.inject({ url: `/api/news?filters[title][$eq]=${marker}`, headers, remoteAddress })
    await context.app.inject({ url: `/api/news/987654321?_q=${marker}`, headers, remoteAddress })
    await context.app.inject({ url: `/${marker}/${token}`, headers, remoteAddress })
    const payload = { data: { username: marker } }
    await context.app.inject({ method: 'PUT', url: '/api/users/987654321', headers, remoteAddress, payload })
    await expect(context.database.query(sql`select ${marker}::text::int`)).rejects.toThrow(marker)
    expect(named(await receivedSpans(), 'GET /api/news/:id')).toHaveLength(1)
    const text = collector.texts.join('\n')
    for (const secret of [marker, token, '987654321', '203.0.113', 'example.org']) expect(text).not.toContain(secret)
  })
})

describe('the trace of work in the background', () => {
  test('has a job that the queue runs, with its statements, and not the statements of the queue', async () => {
    const { queue, database } = context
    const finished = new Promise<void>((resolve) => {
      queue.register('counting', {
        findUnfinished: () => Promise.resolve([1]),
        run: async () => {
          await database.query(sql`select 1 as one`)
          await database.transaction((trx) => trx.query(sql`select 2 as two`))
          resolve()
        },
      })
    })
    await queue.start((error) => void failures.push(error))
    await finished
    await queue.stop()
    const spans = await receivedSpans()
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['job counting', 'statement select', 'statement select'])
    const [job] = named(spans, 'job counting')
    expect([job?.kind, job?.status.code]).toEqual([consumer, 0])
    expect(childrenOf(spans, job)).toHaveLength(2)
  })

  test('has the code of the error with which a job ends, and the class of a failed statement', async () => {
    const divide = () => context.database.query(sql`select 1 / 0`)
    await expect(runFollowed('job', 'dividing', divide)).rejects.toThrow(/zero/)
    const spans = await receivedSpans()
    const [job] = named(spans, 'job dividing')
    expect([job?.attributes['error.type'], job?.status.code]).toEqual(['22012', errorStatus])
    const [statement] = childrenOf(spans, job)
    expect([statement?.attributes['error.type'], statement?.status.code]).toEqual(['22', errorStatus])
  })

  test('has each letter that is handed over, without its recipient and without the text of a refusal', async () => {
    const settings = readSettings({ DATA_DIR: mkdtempSync(join(tmpdir(), 'dala-traced-')), NODE_ENV: 'test' })
    let attempts = 0
    const transport = (recipient: string) => {
      attempts += 1
      if (attempts > 1) return Promise.resolve(undefined)
      return Promise.reject(Object.assign(new Error(`550 ${recipient} is unknown`), { code: 'EENVELOPE' }))
    }
    const mailer = new Mailer(context.database, settings, { sent: () => {}, failed: () => {} }, transport)
    for (const recipient of ['jamila@example.org', 'askar@example.org'])
      await context.database.transaction((trx) => queueMail(trx, recipient, 'en', 'test', { name: recipient }))
    await mailer.deliver()
    const letters = named(await receivedSpans(), 'letter test')
    expect(letters.map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
      ['EENVELOPE', errorStatus],
      [undefined, 0],
    ])
    expect(collector.texts.join('')).not.toMatch(/example\.org|unknown/)
  })

  test('has its statements within the job when the time of day is corrected meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (const correction of [-3_600_000, -0.999, 3_600_000])
        await runFollowed('job', 'long', async () => {
          vi.setSystemTime(Date.now() + correction)
          await context.database.query(sql`select 1 as one`)
        })
    } finally {
      vi.useRealTimers()
    }
    const spans = await receivedSpans()
    const jobs = named(spans, 'job long')
    expect(jobs).toHaveLength(3)
    for (const job of jobs) {
      const [statement] = childrenOf(spans, job)
      expect(statement?.startTimeUnixNano).toBeGreaterThanOrEqual(job.startTimeUnixNano)
      expect(statement?.endTimeUnixNano).toBeLessThanOrEqual(job.endTimeUnixNano)
    }
  })

  test('has a bounded number of statements, and counts the others', async () => {
    const runMany = async () => {
      for (let turn = 0; turn < 200; turn += 1) await context.database.query(sql`select 1 as one`)
    }
    await runFollowed('job', 'long', runMany)
    const spans = await receivedSpans()
    const [job] = named(spans, 'job long')
    expect(job?.attributes['dala.statements']).toBe(200)
    expect(childrenOf(spans, job)).toHaveLength(128)
  })

  test('lacks statements that belong to nothing, and those of a timer after the end of its request', async () => {
    let runLate = () => Promise.resolve<unknown>(undefined)
    await runFollowed('job', 'early', async () => {
      await context.database.query(sql`select 1 as one`)
      const { AsyncResource } = await import('node:async_hooks')
      runLate = AsyncResource.bind(() => context.database.query(sql`select 2 as two`))
    })
    await runLate()
    await context.database.query(sql`select 3 as three`)
    expect((await receivedSpans()).map(({ name }) => name).toSorted()).toEqual(['job early', 'statement select'])
  })
})

describe('the delivery of traces', () => {
  test('names the installation and its version, with the headers that the collector asks for', async () => {
    await tracing.close()
    tracing = openTraces({
      endpoint: `${collector.endpoint}/`,
      headers: { authorization: 'Bearer abc' },
      serviceName: 'dala-nukus',
    })
    await runFollowed('job', 'any', () => Promise.resolve())
    await tracing.close()
    expect(collector.resource()).toEqual({
      'service.name': 'dala-nukus',
      'service.version': expect.stringMatching(/^\d/) as unknown,
    })
    expect(collector.requests).toEqual([
      {
        url: 'POST /v1/traces',
        headers: expect.objectContaining({
          authorization: 'Bearer abc',
          'content-type': 'application/json',
        }) as unknown,
      },
    ])
  })

  test('goes on while the process runs', async () => {
    await tracing.close()
    tracing = openTraces({ limits: { interval: 10 } })
    await runFollowed('job', 'first', () => Promise.resolve())
    await waitUntil(() => expect(named(collector.spans(), 'job first')).toHaveLength(1))
  })

  test('is left out for the share of traces that is not recorded', async () => {
    await tracing.close()
    tracing = openTraces({ share: 0 })
    await runFollowed('job', 'any', () => context.database.query(sql`select 1 as one`))
    expect(await receivedSpans()).toEqual([])
  })

  test('is reported once while the collector is away, and the work goes on', async () => {
    await tracing.close()
    // A port that was free a moment ago.
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    await new Promise((resolve) => listener.close(resolve))
    tracing = openTraces({ endpoint: `http://127.0.0.1:${port}`, limits: { interval: 1, delivery: 100 } })
    const work = () => context.database.query(sql<{ one: number }>`select 1 as one`)
    await waitUntil(async () => {
      expect(await runFollowed('job', 'any', work)).toEqual([{ one: 1 }])
      expect(failures).toHaveLength(1)
    })
    for (let turn = 0; turn < 20; turn += 1) await runFollowed('job', 'any', work)
    await tracing.close()
    expect(failures).toHaveLength(1)
    expect(collector.texts).toEqual([])
  })

  test('ends with the tracing, which then listens to nothing', async () => {
    expect(isWatched('statement')).toBe(true)
    await tracing.close()
    expect(isWatched('statement')).toBe(false)
    await runFollowed('job', 'any', () => context.database.query(sql`select 1 as one`))
    expect(collector.texts).toEqual([])
  })
})
