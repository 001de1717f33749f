import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { registerErrors } from './errors.ts'
import { registerJson } from './json.ts'
import { registerLoadShedding } from './load-shedding.ts'
import { registerStreamedBodies } from './streamed-bodies.ts'

let app: FastifyInstance
afterEach(() => app.close())

/** Builds an application whose route `/api/slow` answers when `release` is called. */
async function buildSlowApp(bounds: { requests: number; bodyBytes: number }) {
  app = fastify()
  registerErrors(app)
  registerJson(app)
  registerStreamedBodies(app)
  registerLoadShedding(app, bounds)
  const releases: (() => void)[] = []
  app.post('/api/slow', { config: { bodies: ['image'] } }, async () => {
    await new Promise<void>((resolve) => releases.push(resolve))
    return { done: true }
  })
  app.get('/api/quick', async () => ({ done: true }))
  app.get('/ready', async () => ({ status: 'ok' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = app.listeningOrigin
  const post = (body: string, type = 'application/json') =>
    fetch(`${url}/api/slow`, { method: 'POST', headers: { 'content-type': type }, body })
  /** Waits until this number of requests has reached the route. */
  const begun = (count: number) => expect.poll(() => releases.length).toBe(count)
  const release = () => {
    for (const end of releases.splice(0)) end()
  }
  return { url, post, begun, release }
}

const quick = (url: string) => fetch(`${url}/api/quick`)

test('refuses the request after the last place with 503 and Retry-After, and accepts it when one is free', async () => {
  const { url, post, begun, release } = await buildSlowApp({ requests: 2, bodyBytes: 1_000 })
  const answers = [post('{}'), post('{}')]
  await begun(2)
  const refused = await quick(url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ error: { code: 'server.busy' } })
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  release()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(async () => (await quick(url)).status).toBe(200)
})

test('refuses a body that does not fit beside those of other requests', async () => {
  const { post, begun, release } = await buildSlowApp({ requests: 10, bodyBytes: 100 })
  const body = JSON.stringify({ text: 'a'.repeat(60) })
  const firstAnswer = post(body)
  await begun(1)
  expect((await post(body)).status).toBe(503)
  const smallAnswer = post('{}')
  const streamedAnswer = post('a'.repeat(500), 'image/png')
  await begun(3)
  release()
  expect((await Promise.all([firstAnswer, smallAnswer, streamedAnswer])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
})

test('frees the place of a client that leaves before its answer', async () => {
  const { url, begun, release } = await buildSlowApp({ requests: 1, bodyBytes: 1_000 })
  const leaving = new AbortController()
  const answer = fetch(`${url}/api/slow`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: leaving.signal,
  })
  await begun(1)
  expect((await quick(url)).status).toBe(503)
  leaving.abort()
  await expect(answer).rejects.toThrow('aborted')
  await expect.poll(async () => (await quick(url)).status).toBe(200)
  release()
})
