import { describe, expect, it } from 'vitest'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  buildUser,
  buildTranslation,
} from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()

interface One {
  data: { id: number; attributes: Record<string, unknown> }
  meta: { dropped?: unknown }
}
interface History {
  data: { id: number; operation: string; locale: string | null; changes: Record<string, unknown> }[]
}
const readAttributes = (path: string) => resourceApp.read<One>(path).then(({ data }) => data.attributes)
const linesOf = async (path: string, query = '') => (await resourceApp.read<History>(`${path}/history${query}`)).data
/** Finds the newest revision of a record with a change of the given field. */
const newestRevision = async (path: string, field: string) => {
  const [line] = await linesOf(path, `?field=${field}`)
  if (!line) throw new Error(`${path} has no revision of ${field}`)
  return line.id
}
const revertField = (path: string, data: object) => resourceApp.ask('POST', `${path}/revert`, { data })
const change = (path: string, data: object) => resourceApp.ask('PUT', path, { data })

describe('POST /api/:wire/:id/revert', () => {
  it('restores the whole record of a revision, whatever was saved since that revision', async () => {
    const [nukus, khiva] = [await buildRegion(resourceApp.database), await buildRegion(resourceApp.database)]
    const [firstTag, secondTag] = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    const id = await buildNews(resourceApp.database, {
      title: 'A',
      views: 1,
      region: nukus,
      tags: [firstTag, secondTag],
      date: '2026-01-02',
    })
    await change(`/news/${id}`, { title: 'B', views: 2 })
    const revision = await newestRevision(`/news/${id}`, 'title')
    const formerNews = await readAttributes(`/news/${id}?populate=*`)
    await change(`/news/${id}`, {
      title: 'C',
      region: khiva,
      tags: [secondTag],
      date: null,
      link: 'https://example.org',
    })
    await change(`/news/${id}`, { views: 9, tags: [], featured: true })
    const { status, body } = await revertField(`/news/${id}`, { revision, to: 'after' })
    expect([status, (body as One).meta]).toEqual([200, { dropped: [] }])
    const now = await readAttributes(`/news/${id}?populate=*`)
    expect({ ...now, version: 0, updatedAt: '' }).toEqual({ ...formerNews, version: 0, updatedAt: '' })
    expect(await linesOf(`/news/${id}`)).toMatchObject(
      [
        { operation: 'update', changes: { title: { before: 'C', after: 'B' } } },
        { operation: 'update', locale: null, changes: { views: { before: 9, after: 2 } } },
        {},
        {},
        {},
        {},
        {},
        {},
        {},
      ].slice(0, (await linesOf(`/news/${id}`)).length),
    )
  })
  it('reverts the revisions of one save as one step, on both sides', async () => {
    const id = await buildNews(resourceApp.database, { title: 'A', views: 1 })
    await change(`/news/${id}`, { title: 'B', views: 2 })
    const sharedRevision = await newestRevision(`/news/${id}`, 'views')
    await change(`/news/${id}`, { title: 'C', views: 3 })
    expect((await revertField(`/news/${id}`, { revision: sharedRevision, to: 'after' })).status).toBe(200)
    expect(await readAttributes(`/news/${id}`)).toMatchObject({ title: 'B', views: 2 })
    expect((await revertField(`/news/${id}`, { revision: sharedRevision, to: 'before' })).status).toBe(200)
    expect(await readAttributes(`/news/${id}`)).toMatchObject({ title: 'A', views: 1 })
  })
  it('reverts only the named fields of a revision', async () => {
    const id = await buildNews(resourceApp.database, { title: 'A', views: 1 })
    await change(`/news/${id}`, { title: 'B', views: 2 })
    const revision = await newestRevision(`/news/${id}`, 'title')
    await revertField(`/news/${id}`, { revision, to: 'before', fields: ['title'] })
    expect(await readAttributes(`/news/${id}`)).toMatchObject({ title: 'A', views: 2 })
  })
  it('reverts a language with the shared part, and no other language', async () => {
    const id = await buildNews(resourceApp.database, { title: 'E', views: 1 })
    const ru = await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    await change(`/news/${ru}`, { title: 'С', views: 2 })
    await change(`/news/${id}`, { title: 'F' })
    await revertField(`/news/${ru}`, { revision: await newestRevision(`/news/${ru}`, 'title'), to: 'before' })
    expect(await readAttributes(`/news/${ru}`)).toMatchObject({ title: 'Р', views: 1 })
    expect(await readAttributes(`/news/${id}`)).toMatchObject({ title: 'F', views: 1 })
  })
  it('keeps a language that was added after the revision of a revert', async () => {
    const id = await buildNews(resourceApp.database, { views: 1 })
    await change(`/news/${id}`, { views: 2 })
    const revision = await newestRevision(`/news/${id}`, 'views')
    const ru = await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    await change(`/news/${id}`, { views: 3 })
    expect((await revertField(`/news/${ru}`, { revision, to: 'after' })).status).toBe(200)
    expect(await readAttributes(`/news/${ru}`)).toMatchObject({ title: 'Р', views: 2 })
  })
  it('changes nothing when a record already equals the revision', async () => {
    const id = await buildNews(resourceApp.database, { title: 'A' })
    await change(`/news/${id}`, { title: 'B' })
    const newsBefore = await readAttributes(`/news/${id}`)
    expect(
      (await revertField(`/news/${id}`, { revision: await newestRevision(`/news/${id}`, 'title'), to: 'after' }))
        .status,
    ).toBe(200)
    expect(await readAttributes(`/news/${id}`)).toEqual(newsBefore)
    expect(await linesOf(`/news/${id}`, '?field=title')).toHaveLength(2)
  })
  it('drops links whose target no longer exists in a revert, and returns them', async () => {
    const [region, goneRegion] = [await buildRegion(resourceApp.database), await buildRegion(resourceApp.database)]
    const [tag, removedTag] = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    const id = await buildNews(resourceApp.database, { region: goneRegion, tags: [removedTag, tag] })
    await change(`/news/${id}`, { region, tags: [] })
    const revision = await newestRevision(`/news/${id}`, 'region')
    for (const path of [`/regions/${goneRegion}`, `/tags/${removedTag}`])
      await resourceApp.ask('DELETE', `${path}?locale=all`)
    const { body } = await revertField(`/news/${id}`, { revision, to: 'before' })
    expect(body).toMatchObject({
      meta: {
        dropped: [
          { field: 'region', count: 1 },
          { field: 'tags', count: 1 },
        ],
      },
    })
    expect(await readAttributes(`/news/${id}?populate=*`)).toMatchObject({
      region: { data: null },
      tags: { data: [{ id: tag }] },
    })
  })
  it('runs a revert once for one Idempotency-Key', async () => {
    const id = await buildTag(resourceApp.database, { name: 'A' })
    await change(`/tags/${id}`, { name: 'B' })
    const revision = await newestRevision(`/tags/${id}`, 'name')
    const admin = await buildPerson(resourceApp, 'admin')
    const sendRevert = () =>
      admin.ask('POST', `/tags/${id}/revert`, { data: { revision, to: 'before' } }, { 'idempotency-key': 'revert-1' })
    const [firstAnswer, secondAnswer] = [await sendRevert(), await sendRevert()]
    expect(secondAnswer.body).toEqual(firstAnswer.body)
    expect(secondAnswer.headers['idempotent-replayed']).toBe('true')
  })
  it('reverts an account without returning its password', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated', { phone: '1' })
    await resourceApp.ask('PUT', `/users/${id}`, { phone: '2', password: 'Harvest-2027' })
    const revision = await newestRevision(`/users/${id}`, 'phone')
    const answer = await resourceApp.ask('POST', `/users/${id}/revert`, { data: { revision, to: 'before' } })
    expect(answer).toMatchObject({ status: 200, body: { id, phone: '1' } })
    expect(JSON.stringify(answer.body)).not.toContain('password')
  })
})

describe('refusals of POST /api/:wire/:id/revert', () => {
  it('returns 422 for a revert to a time at which the record did not exist', async () => {
    const id = await buildNews(resourceApp.database, { views: 1 })
    for (const { id: revision } of await linesOf(`/news/${id}`))
      expect(await revertField(`/news/${id}`, { revision, to: 'before' })).toMatchObject({
        status: 422,
        body: { error: { code: 'history.no-record' } },
      })
    await resourceApp.ask('DELETE', `/news/${id}`)
    await resourceApp.ask('POST', `/news/${id}/restore`)
    const [restoreLine, deletionLine] = await linesOf(`/news/${id}`, '?field=title')
    expect((await revertField(`/news/${id}`, { revision: restoreLine?.id, to: 'before' })).status).toBe(422)
    expect((await revertField(`/news/${id}`, { revision: deletionLine?.id, to: 'after' })).status).toBe(422)
    expect((await revertField(`/news/${id}`, { revision: deletionLine?.id, to: 'before' })).status).toBe(200)
  })
  it('returns 404 for a revert to a revision of another record or language, or to an unknown revision', async () => {
    const [id, otherId] = [await buildNews(resourceApp.database), await buildNews(resourceApp.database)]
    const ru = await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    const revisions = [
      await newestRevision(`/news/${otherId}`, 'title'),
      await newestRevision(`/news/${ru}`, 'title'),
      9_999_999,
    ]
    for (const revision of revisions)
      expect((await revertField(`/news/${id}`, { revision, to: 'after' })).status).toBe(404)
  })
  it('returns 409 for a revert of a stale version, with the user who changed it', async () => {
    const id = await buildNews(resourceApp.database, { title: 'A' })
    await change(`/news/${id}`, { title: 'B' })
    const revision = await newestRevision(`/news/${id}`, 'title')
    expect(await revertField(`/news/${id}`, { revision, to: 'before', version: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: 'record.stale', details: { changedBy: { username: 'admin' } } } },
    })
    expect((await revertField(`/news/${id}`, { revision, to: 'after', version: 1 })).status).toBe(409)
    expect((await revertField(`/news/${id}`, { revision, to: 'before', version: 2 })).status).toBe(200)
  })
  it('checks the rules of the record in a revert, like in any other update', async () => {
    const [region, otherRegion] = [await buildRegion(resourceApp.database), await buildRegion(resourceApp.database)]
    const [district, otherDistrict] = [
      await buildDistrict(resourceApp.database, { region }),
      await buildDistrict(resourceApp.database, { region: otherRegion }),
    ]
    const branch = await buildRecord(resourceApp.database, 'branches', { name: 'B', address: 'A', region, district })
    await change(`/branches/${branch}`, { region: otherRegion, district: otherDistrict })
    const revision = await newestRevision(`/branches/${branch}`, 'region')
    const answer = await revertField(`/branches/${branch}`, { revision, to: 'before', fields: ['district'] })
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'rule.whole' } } })
    expect((await revertField(`/branches/${branch}`, { revision, to: 'before' })).status).toBe(200)
  })
  it.each([
    ['no revision', { to: 'after' }],
    ['no side', { revision: 1 }],
    ['an unknown side', { revision: 1, to: 'then' }],
    ['a revision that is not a number', { revision: 'x', to: 'after' }],
    ['no fields in the list', { revision: 1, to: 'after', fields: [] }],
    ['an unknown field', { revision: 1, to: 'after', fields: ['nosuch'] }],
  ])('returns 422 for a revert with %s', async (_what, data) => {
    expect((await revertField('/news/1', data)).status).toBe(422)
  })
  it('returns the same for a revert of a private field as for a revert of an unknown field', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated')
    const [hiddenAnswer, unknownAnswer] = await Promise.all(
      ['password', 'nosuch'].map((field) => revertField(`/users/${id}`, { revision: 1, to: 'after', fields: [field] })),
    )
    expect(hiddenAnswer).toEqual(unknownAnswer)
    expect(hiddenAnswer?.status).toBe(422)
  })
  it.each([
    ['authenticated', 403],
    ['public', 401],
  ] as const)('returns to a caller %s the status %i for a revert', async (role, status) => {
    const id = await buildNews(resourceApp.database)
    const answer = await resourceApp.ask('POST', `/news/${id}/revert`, { data: { revision: 1, to: 'after' } }, role)
    expect(answer.status).toBe(status)
  })
  it('reverts only own records of an author, without fields that the author may not write', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const type = await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    const ownPost = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: type,
      user: author.id,
      views: 1,
    })
    await change(`/tradinposts/${ownPost}`, { title: 'Q', public_note: 'N' })
    const revision = await newestRevision(`/tradinposts/${ownPost}`, 'title')
    const otherPost = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: type,
      user: resourceApp.people.admin,
    })
    const sendRevert = (id: number) =>
      author.ask('POST', `/tradinposts/${id}/revert`, { data: { revision, to: 'before' } })
    expect((await sendRevert(otherPost)).status).toBe(404)
    expect((await sendRevert(ownPost)).status).toBe(200)
    expect(await readAttributes(`/tradinposts/${ownPost}`)).toMatchObject({ title: 'P', public_note: 'N' })
  })
})
