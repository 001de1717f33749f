import { beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { openTestApp } from '../../testing/app.ts'

let app: FastifyInstance
beforeAll(async () => {
  ;({ app } = await openTestApp())
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('GET /guide', () => {
  test.each([
    ['kaa, ru;q=0.5', 'kaa'],
    ['de, uz-UZ;q=0.8, en;q=0.9', 'en'],
    ['en;q=0, uz;q=0.1', 'uz'],
    ['de', 'ru'],
    ['', 'ru'],
  ])('leads a reader with the languages "%s" to %s', async (languages, locale) => {
    const answer = await get('/guide', { 'accept-language': languages })
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe(`/guide/${locale}`)
    expect(answer.headers.vary).toContain('accept-language')
  })
})

describe('GET /guide/:locale/:chapter', () => {
  test('sends a chapter to a reader without a session, with the security headers of the panel', async () => {
    const answer = await get('/guide/ru/prices')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    expect(answer.headers['x-frame-options']).toBe('DENY')
    expect(answer.body).toContain('<h2 id="publish">Опубликовать день</h2>')
    expect(answer.body).toContain('<img src="/guide/pictures/ru/prices.webp" alt="Список дней с ценами и календарь"')
    expect(answer.body).toContain('<a href="/guide/kaa/prices" lang="kaa"')
  })

  test('sends the contents of the guide with links to its chapters', async () => {
    const answer = await get('/guide/en')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<a href="/guide/en/backups">Copies and recovery</a>')
  })

  test.each(['/guide/en/chat', '/guide/guide.css', '/guide/pictures/en/chats.webp'])(
    'answers 304 for %s when the reader has the present version',
    async (url) => {
      const { etag } = (await get(url)).headers
      const answer = await get(url, { 'if-none-match': `"other", W/${String(etag)}` })
      expect(answer.statusCode).toBe(304)
      expect(answer.body).toBe('')
    },
  )

  test('answers HEAD without a body', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/guide/uz/people' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })

  test.each([
    ['/guide/kaa/unknown', 'Bunday bet joq'],
    ['/guide/uz/index', 'Bunday sahifa yoʻq'],
    ['/guide/en/prices/more', 'This page does not exist'],
    ['/guide/de', 'This page does not exist'],
    ['/guide/de/prices', 'This page does not exist'],
  ])('refuses %s with a page in the language of the reader', async (url, title) => {
    const answer = await get(url, { 'accept-language': 'en' })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain(title)
  })
})

describe('GET /guide/pictures/:locale/:file', () => {
  test('sends a picture that browsers may store', async () => {
    const answer = await get('/guide/pictures/kaa/prices.webp')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/webp')
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })

  test.each([
    '/guide/pictures/kaa/none.webp',
    '/guide/pictures/de/prices.webp',
    '/guide/pictures/en/..%2F..%2Fen%2Fchat.md',
  ])('refuses %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})
