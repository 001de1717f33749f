import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildNews, nextNumber } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
const sendRequest = async (key: string | undefined, data: unknown, url = '/api/tags', callerRole = 'admin') => {
  const answer = await resourceApp.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${await tokenOf(resourceApp.app, callerRole)}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: data as object,
  })
  return { status: answer.statusCode, text: answer.body, replayed: answer.headers['idempotent-replayed'] }
}
const nameDraft = (name: string) => ({ data: { name } })
const count = async (name: string) => {
  const [row] = await resourceApp.database.query(
    sql<{ count: number }>`select count(*)::int as count from tags_texts where name = ${name}`,
  )
  return row?.count
}
const createKey = () => `key-${nextNumber()}`

describe('Idempotency-Key (contract §4)', () => {
  it('returns the first answer again for the same idempotency key and request, and writes once', async () => {
    const [key, name] = [createKey(), `Once ${nextNumber()}`]
    const firstAnswer = await sendRequest(key, nameDraft(name))
    const secondAnswer = await sendRequest(key, nameDraft(name))
    expect([firstAnswer.status, firstAnswer.replayed, secondAnswer.replayed]).toEqual([200, undefined, 'true'])
    expect([secondAnswer.status, secondAnswer.text]).toEqual([firstAnswer.status, firstAnswer.text])
    expect(await count(name)).toBe(1)
  })
  it('writes once when a request with an idempotency key arrives many times concurrently', async () => {
    const [key, name] = [createKey(), `Race ${nextNumber()}`]
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendRequest(key, nameDraft(name))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await count(name)).toBe(1)
  })
  it('repeats the answer of a new translation for the same idempotency key', async () => {
    const id = await buildNews(resourceApp.database)
    const key = createKey()
    const body = { locale: 'uz', title: 'U' }
    const firstAnswer = await sendRequest(key, body, `/api/news/${id}/localizations`)
    expect((await sendRequest(key, body, `/api/news/${id}/localizations`)).text).toBe(firstAnswer.text)
    expect(firstAnswer.status).toBe(200)
  })
  it.each<[what: string, url: string, body: object]>([
    ['another body', '/api/tags', nameDraft('other')],
    ['another address', '/api/regions', nameDraft('first')],
  ])('refuses a used idempotency key with 422 for %s', async (_what, url, body) => {
    const key = createKey()
    expect((await sendRequest(key, nameDraft('first'))).status).toBe(200)
    expect((await sendRequest(key, body, url)).status).toBe(422)
  })
  it('stores the idempotency keys of each user separately', async () => {
    const [key, name] = [createKey(), `Mine ${nextNumber()}`]
    await sendRequest(key, nameDraft(name))
    expect((await sendRequest(key, nameDraft(name), '/api/tags', 'owner')).replayed).toBeUndefined()
    expect(await count(name)).toBe(2)
  })
  it('accepts an idempotency key again after a refused request', async () => {
    const key = createKey()
    expect((await sendRequest(key, nameDraft(''))).status).toBe(400)
    expect((await sendRequest(key, nameDraft(`Better ${nextNumber()}`))).status).toBe(200)
  })
  it('forgets an idempotency key after 24 hours', async () => {
    const [key, name] = [createKey(), `Late ${nextNumber()}`]
    await sendRequest(key, nameDraft(name))
    await resourceApp.database.query(
      sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}`,
    )
    expect((await sendRequest(key, nameDraft(name))).replayed).toBeUndefined()
    expect(await count(name)).toBe(2)
  })
  it('accepts an idempotency key of 255 characters', async () => {
    expect((await sendRequest('k'.repeat(255), nameDraft(`Long ${nextNumber()}`))).status).toBe(200)
    expect((await sendRequest('k'.repeat(256), nameDraft('x'))).status).toBe(400)
  })
})
