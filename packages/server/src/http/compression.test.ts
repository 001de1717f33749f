import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerCompression } from './compression.ts'

const [shortText, text, longText] = [300, 1_024, 300_000].map((length) =>
  'Dala '.repeat(length / 5 + 1).slice(0, length),
)
const json = 'application/json; charset=utf-8'

const app = fastify()
beforeAll(async () => {
  registerCompression(app)
  app.get('/short', (_request, reply) => reply.type(json).send(shortText))
  app.get('/text', (_request, reply) => reply.type(json).send(text))
  app.get('/bytes', (_request, reply) => reply.type('image/svg+xml').send(Buffer.from(text ?? '')))
  app.get('/long', (_request, reply) => reply.type('text/csv; charset=utf-8').send(longText))
  app.get('/stream', (_request, reply) => reply.type('text/csv').send(Readable.from([text, longText])))
  app.get('/picture', (_request, reply) => reply.type('image/webp').send(Buffer.from(text ?? '')))
  app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from([longText])))
  app.get('/part', (_request, reply) =>
    reply.status(206).header('content-range', 'bytes 0-1023/9000').type('text/plain').send(text),
  )
  app.get('/packed', (_request, reply) => reply.type(json).header('content-encoding', 'br').send(text))
  app.get('/stored', { config: { compress: false } }, (_request, reply) => reply.type('text/vtt').send(text))
  app.get('/varied', (_request, reply) => reply.type(json).header('vary', 'origin').send(text))
  app.get('/broken', (_request, reply) =>
    reply.type('text/csv').send(
      new Readable({
        read() {
          this.destroy(new Error('The source broke off'))
        },
      }),
    ),
  )
  app.get('/torn', (_request, reply) => {
    let turn = 0
    const source = new Readable({
      read() {
        turn += 1
        if (turn < 40) this.push(randomBytes(65_536))
        else this.destroy(new Error('The source broke off'))
      },
    })
    return reply.type('text/csv').send(source)
  })
  await app.ready()
})
afterAll(() => app.close())

const get = (url: string, encoding?: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

describe('the compression of answers', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['BR', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    [undefined, undefined],
  ])('answers clients that accept %s with the encoding %s', async (accepted, encoding) => {
    expect((await get('/text', accepted)).headers['content-encoding']).toBe(encoding)
  })

  it.each(['/text', '/bytes', '/long'])('sends what %s answers, with brotli and with gzip', async (url) => {
    const plainBody = (await get(url)).body
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get(url, encoding)
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
      expect(rawPayload.length).toBeLessThan(plainBody.length)
      expect(unpack(rawPayload).toString()).toBe(plainBody)
    }
  })

  it('tells the length of a short compressed answer, and none of a long one or a stream', async () => {
    const { headers, rawPayload } = await get('/text', 'br')
    expect(Number(headers['content-length'])).toBe(rawPayload.length)
    expect((await get('/long', 'br')).headers['content-length']).toBeUndefined()
    expect((await get('/stream', 'br')).headers['content-length']).toBeUndefined()
  })

  it('compresses a stream', async () => {
    const { headers, rawPayload } = await get('/stream', 'gzip')
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe(`${text}${longText}`)
  })

  it.each(['/short', '/picture', '/events', '/part', '/stored'])('sends what %s answers as it is', async (url) => {
    const { headers, body } = await get(url, 'br')
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
    expect(body).toBe((await get(url)).body)
  })

  it('does not compress an answer twice', async () => {
    expect((await get('/packed', 'gzip')).body).toBe(text)
  })

  it('keeps the other names by which caches distinguish an answer', async () => {
    expect((await get('/varied', 'br')).headers.vary).toBe('origin, accept-encoding')
    expect((await get('/varied')).headers.vary).toBe('origin')
  })

  it('answers HEAD without a body', async () => {
    const { statusCode, rawPayload } = await get('/text', 'br', 'HEAD')
    expect([statusCode, rawPayload.length]).toEqual([200, 0])
  })

  it('answers a source that breaks off before its first byte with an error that can be read', async () => {
    const { statusCode, headers, body } = await get('/broken', 'br')
    expect([statusCode, headers['content-encoding']]).toEqual([500, undefined])
    expect(JSON.parse(body)).toMatchObject({ message: 'The source broke off' })
  })

  it('breaks off an answer whose source breaks off later', async () => {
    await expect(get('/torn', 'gzip')).rejects.toThrow('destroyed before completion')
  })
})
