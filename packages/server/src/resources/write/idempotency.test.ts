import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildNews, nextNumber } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const here = startResourceApp()
const send = async (key: string | undefined, data: unknown, url = '/api/tags', who = 'admin') => {
  const answer = await here.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${await tokenOf(here.app, who)}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: data as object,
  })
  return { status: answer.statusCode, text: answer.body, replayed: answer.headers['idempotent-replayed'] }
}
const named = (name: string) => ({ data: { name } })
const count = async (name: string) => {
  const [row] = await here.database.query(
    sql<{ count: number }>`select count(*)::int as count from tags_texts where name = ${name}`,
  )
  return row?.count
}
const fresh = () => `key-${nextNumber()}`

describe('Idempotency-Key (contract §4)', () => {
  it('returns the first answer again for the same idempotency key and request, and writes once', async () => {
    const [key, name] = [fresh(), `Once ${nextNumber()}`]
    const first = await send(key, named(name))
    const second = await send(key, named(name))
    expect([first.status, first.replayed, second.replayed]).toEqual([200, undefined, 'true'])
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(await count(name)).toBe(1)
  })
  it('writes once when a request with an idempotency key arrives many times concurrently', async () => {
    const [key, name] = [fresh(), `Race ${nextNumber()}`]
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, named(name))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await count(name)).toBe(1)
  })
  it('repeats the answer of a new translation for the same idempotency key', async () => {
    const id = await buildNews(here.database)
    const key = fresh()
    const body = { locale: 'uz', title: 'U' }
    const first = await send(key, body, `/api/news/${id}/localizations`)
    expect((await send(key, body, `/api/news/${id}/localizations`)).text).toBe(first.text)
    expect(first.status).toBe(200)
  })
  it.each<[what: string, url: string, body: object]>([
    ['another body', '/api/tags', named('other')],
    ['another address', '/api/regions', named('first')],
  ])('refuses a used idempotency key with 422 for %s', async (_what, url, body) => {
    const key = fresh()
    expect((await send(key, named('first'))).status).toBe(200)
    expect((await send(key, body, url)).status).toBe(422)
  })
  it('stores the idempotency keys of each user separately', async () => {
    const [key, name] = [fresh(), `Mine ${nextNumber()}`]
    await send(key, named(name))
    expect((await send(key, named(name), '/api/tags', 'owner')).replayed).toBeUndefined()
    expect(await count(name)).toBe(2)
  })
  it('accepts an idempotency key again after a refused request', async () => {
    const key = fresh()
    expect((await send(key, named(''))).status).toBe(400)
    expect((await send(key, named(`Better ${nextNumber()}`))).status).toBe(200)
  })
  it('forgets an idempotency key after 24 hours', async () => {
    const [key, name] = [fresh(), `Late ${nextNumber()}`]
    await send(key, named(name))
    await here.database.query(
      sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}`,
    )
    expect((await send(key, named(name))).replayed).toBeUndefined()
    expect(await count(name)).toBe(2)
  })
  it('accepts an idempotency key of 255 characters', async () => {
    expect((await send('k'.repeat(255), named(`Long ${nextNumber()}`))).status).toBe(200)
    expect((await send('k'.repeat(256), named('x'))).status).toBe(400)
  })
})
