import { type Field, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildRegion, buildTag, buildTranslation } from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const resourceApp = startResourceApp()

interface Line {
  id: number
  at: string
  by: { id: number; username: string } | null
  operation: string
  locale: string | null
  job: number | null
  changes: Record<string, { before: unknown; after: unknown }>
}
interface History {
  data: Line[]
  meta: { pagination: { total?: number } }
}
const history = (path: string, query = '') => resourceApp.read<History>(`${path}/history${query}`)
const changesOf = async (path: string, query = '') => (await history(path, query)).data.map(({ changes }) => changes)

/** Collects the statements of a call, without those that read the session. */
const sentStatements = async (runCall: () => Promise<unknown>) =>
  (await statementsOf(resourceApp.database, runCall)).filter((text) => !/\bsessions\b/.test(text))

describe('GET /api/:wire/:id/history', () => {
  it('lists author, time and values of each change, newest first, of the shared part and its own language', async () => {
    const id = await buildNews(resourceApp.database, { title: 'E', views: 1 })
    const ru = await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'F', views: 2 } })
    await resourceApp.ask('PUT', `/news/${ru}`, { data: { title: 'С' } })
    const { data, meta } = await history(`/news/${id}`)
    expect(data.map(({ operation, locale, changes }) => [operation, locale, changes])).toMatchObject([
      ['update', 'en', { title: { before: 'E', after: 'F' } }],
      ['update', null, { views: { before: 1, after: 2 } }],
      ['create', 'en', { title: { before: null, after: 'E' } }],
      ['create', null, { views: { before: null, after: 1 } }],
    ])
    expect(data[0]).toMatchObject({ by: { id: resourceApp.people.admin, username: 'admin' }, job: null })
    expect(data[3]?.by).toBeNull()
    expect(meta.pagination).toMatchObject({ page: 1, total: 4 })
    const russian = await history(`/news/${ru}`)
    expect(russian.data.map(({ locale }) => locale)).toEqual(['ru', null, 'ru', null])
  })
  it('returns the history of a record in pages in every form of a list', async () => {
    const id = await buildTag(resourceApp.database, { name: 'T' })
    for (const name of ['U', 'V', 'W']) await resourceApp.ask('PUT', `/tags/${id}`, { data: { name } })
    const fullHistory = await history(`/tags/${id}`, '?field=name')
    const secondPage = await history(`/tags/${id}`, '?field=name&pagination[page]=2&pagination[pageSize]=2')
    expect(secondPage.data).toEqual(fullHistory.data.slice(2))
    expect(secondPage.meta.pagination).toEqual({ page: 2, pageSize: 2, pageCount: 2, total: 4 })
    const pageAfterEnd = await history(`/tags/${id}`, '?field=name&pagination[start]=50&pagination[limit]=5')
    expect(pageAfterEnd).toEqual({ data: [], meta: { pagination: { start: 50, limit: 5, total: 4 } } })
    const uncountedPage = await history(`/tags/${id}`, '?pagination[withCount]=false')
    expect(uncountedPage.meta.pagination).toEqual({ page: 1, pageSize: 15 })
  })
  it('names linked records in the user’s language, except deleted ones', async () => {
    const [region, tag] = [
      await buildRegion(resourceApp.database, { name: 'Nukus' }),
      await buildTag(resourceApp.database),
    ]
    const kaa = await buildTranslation(resourceApp.database, 'regions', region, 'kaa', { name: 'Nókis' })
    const id = await buildNews(resourceApp.database)
    await resourceApp.ask('PUT', `/news/${id}`, { data: { region, tags: [tag] } })
    const [regionChange] = await changesOf(`/news/${id}`, '?locale=kaa')
    expect(regionChange).toMatchObject({ region: { before: null, after: { id: kaa, name: 'Nókis' } } })
    expect(regionChange?.tags).toMatchObject({ before: [], after: [{ id: tag, name: expect.any(String) as string }] })
    await resourceApp.ask('DELETE', `/regions/${region}?locale=all`)
    const [unnamedChange] = await changesOf(`/news/${id}`, '?field=region&locale=kaa')
    expect(unnamedChange).toEqual({ region: { before: null, after: { id: null, name: null } } })
  })
  it('reads a history in two statements besides the session, with any number of links', async () => {
    const id = await buildNews(resourceApp.database, {
      region: await buildRegion(resourceApp.database),
      tags: [await buildTag(resourceApp.database)],
    })
    await resourceApp.ask('GET', `/news/${id}/history`)
    expect(await sentStatements(() => resourceApp.ask('GET', `/news/${id}/history`))).toHaveLength(2)
  })
  it('continues the history of a deleted and restored record', async () => {
    const region = await buildRegion(resourceApp.database)
    const id = await buildNews(resourceApp.database, { region })
    await resourceApp.ask('DELETE', `/news/${id}`)
    await resourceApp.ask('POST', `/news/${id}/restore`)
    const lines = await history(`/news/${id}`, '?field=region')
    expect(lines.data.map(({ operation }) => operation)).toEqual(['restore', 'remove', 'create'])
    expect(lines.data[1]?.changes.region).toMatchObject({ before: { id: region }, after: null })
  })
})

describe('the history and the rights of its reader', () => {
  const privateFields = Object.values(resources).flatMap((resource) =>
    Object.entries<Field>(resource.fields).flatMap(([name, field]) => (field.private ? [[resource.wire, name]] : [])),
  )
  it.each(privateFields)('hides the history of %s.%s from an owner too', async (wire, name) => {
    const draft = await resourceApp.ask('GET', `/${wire}?locale=all`, undefined, 'owner')
    const { data = [] } = draft.body as { data?: { id: number }[] }
    const id = data[0]?.id ?? 1
    const answer = await resourceApp.ask('GET', `/${wire}/${id}/history?field=${name}`, undefined, 'owner')
    const unknownField = await resourceApp.ask('GET', `/${wire}/${id}/history?field=nosuchfield`, undefined, 'owner')
    expect(JSON.stringify(answer).replaceAll(name, 'nosuchfield')).toBe(JSON.stringify(unknownField))
  })
  it('shows no password and no code in a history', async () => {
    const person = await buildPerson(resourceApp, 'authenticated')
    await resourceApp.ask('PUT', `/users/${person.id}`, { password: 'Harvest-2027', phone: '1' }, 'owner')
    const { body } = await resourceApp.ask('GET', `/users/${person.id}/history`, undefined, 'owner')
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|Harvest/)
    expect(body).toMatchObject({ data: [{ changes: { phone: { after: '1' } } }, { operation: 'create' }] })
  })
  it('gives a reader without the right the same response to a thousand guesses of a history', async () => {
    const record = await buildRegion(resourceApp.database)
    const reader = await buildPerson(resourceApp, 'authenticated')
    const author = await buildPerson(resourceApp, 'authenticated')
    const type = await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    const post = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: type,
      user: author.id,
    })
    expect((await author.ask('GET', `/tradinposts/${post}/history`)).status).toBe(200)
    const answers = new Set<string>()
    for (let guessNumber = 0; guessNumber < 125; guessNumber += 1) {
      for (const id of [post, 500_000 + guessNumber]) {
        for (const field of ['title', 'nosuchfield', 'appealed_at', '']) {
          const query = field === '' ? '' : `?field=${field}`
          const { status, body } = await reader.ask('GET', `/tradinposts/${id}/history${query}`)
          const isKnown = field === 'title' || field === ''
          answers.add(`${isKnown} ${status} ${JSON.stringify(body).replaceAll(/nosuchfield|appealed_at/g, '?')}`)
        }
      }
    }
    expect([...answers].map((answer) => answer.slice(0, 9)).toSorted()).toEqual(['false 400', 'true 404 '])
    for (const id of [record, 500_000]) expect((await reader.ask('GET', `/regions/${id}/history`)).status).toBe(403)
  })
  it('omits fields of stronger roles from a history, and revisions of these fields alone', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const id = author.id
    await resourceApp.ask('PUT', `/users/${id}`, { blocked: true }, 'owner')
    await resourceApp.ask('PUT', `/users/${id}`, { blocked: false, name: 'N' }, 'owner')
    const admin = await resourceApp.ask('GET', `/users/${id}/history?field=blocked`)
    expect(admin).toMatchObject({ status: 200, body: { meta: { pagination: { total: 3 } } } })
    const otherReader = await buildPerson(resourceApp, 'authenticated')
    await resourceApp.ask('PUT', `/users/${otherReader.id}`, { confirmed: false }, 'owner')
    const ownAnswer = await otherReader.ask('GET', `/users/${otherReader.id}/history`)
    expect(ownAnswer.status).toBe(200)
    expect(JSON.stringify(ownAnswer.body)).not.toMatch(/confirmed|blocked|email|role/)
    const answer = await otherReader.ask('GET', `/users/${otherReader.id}/history?field=confirmed`)
    const unknownField = await otherReader.ask('GET', `/users/${otherReader.id}/history?field=nosuch`)
    expect(JSON.stringify(answer.body).replaceAll('confirmed', 'nosuch')).toBe(JSON.stringify(unknownField.body))
  })
})

describe('refusals of GET /api/:wire/:id/history', () => {
  it.each([
    ['/news/999999/history', 404],
    ['/news/abc/history', 404],
    ['/news/99999999999/history', 404],
    ['/news/1/history?pagination[page]=x', 400],
    ['/news/1/history?pagination[page]=1&pagination[start]=1', 400],
  ])('returns for the history %s the status %i', async (url, status) => {
    expect((await resourceApp.ask('GET', url)).status).toBe(status)
  })
  it('requires a session for the history of a record', async () => {
    expect((await resourceApp.ask('GET', '/news/1/history', undefined, 'public')).status).toBe(401)
  })
})

describe('a save of a stale version', () => {
  it('returns who changed the record before, and when, for a save of a stale version', async () => {
    const id = await buildNews(resourceApp.database)
    const ru = await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'By admin' } })
    await resourceApp.ask('PUT', `/news/${ru}`, { data: { title: 'Р2' } }, 'owner')
    const staleAnswer = await resourceApp.ask(
      'PUT',
      `/news/${id}`,
      { data: { title: 'Late', version: 1 } },
      'super-admin',
    )
    expect(staleAnswer).toMatchObject({
      status: 409,
      body: {
        error: { code: 'record.stale', details: { current: { title: 'By admin' }, changedBy: { username: 'admin' } } },
      },
    })
    const [row] = await resourceApp.database.query(
      sql<{
        created_at: string
      }>`select created_at from revisions where locale = 'en' and operation = 'update' order by id desc limit 1`,
    )
    expect(staleAnswer).toMatchObject({ body: { error: { details: { changedAt: row?.created_at } } } })
  })
})
