/**
 * Contract §4, §8, §9, §13, §15: further rules of writes, languages, the single page and the panel's filters.
 */
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../testing/app.ts'
import {
  buildRecord,
  buildNews,
  buildRegion,
  buildTag,
  buildUpload,
  buildUser,
  buildTranslation,
} from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface Entry {
  id: number
  attributes: Record<string, unknown>
}
const attributes = async (path: string) => (await resourceApp.read<{ data: Entry }>(path)).data.attributes
const idsOf = (link: unknown) => {
  const { data } = link as { data: Entry | Entry[] | null }
  return (Array.isArray(data) ? data : data ? [data] : []).map(({ id }) => id)
}
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('fields that the server sets', () => {
  it('accepts no id, times, version or locale from the body of a PUT', async () => {
    const data = {
      id: 4_242,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      version: 9,
      createdBy: 1,
      updatedBy: 1,
      publishedAt: '2001-01-01',
      localizations: [1],
      outdated: true,
      bogus: { a: 1 },
      title: 'T',
    }
    const { status, body } = await resourceApp.ask('POST', '/news', { data })
    const { id, attributes: createdAttributes } = (body as { data: Entry }).data
    expect([
      status,
      id === 4_242,
      createdAttributes.version,
      createdAttributes.locale,
      createdAttributes.outdated,
    ]).toEqual([200, false, 1, 'en', false])
    expect(createdAttributes).not.toHaveProperty('bogus')
    expect([createdAttributes.createdAt, createdAttributes.updatedAt]).toEqual([
      expect.stringMatching(moment),
      createdAttributes.createdAt,
    ])
    expect(String(createdAttributes.createdAt) > '2020').toBe(true)
    await resourceApp.ask('PUT', `/news/${id}`, {
      data: { ...data, version: undefined, title: 'U', locale: 'ru', id: 1 },
    })
    expect(await attributes(`/news/${id}`)).toMatchObject({
      title: 'U',
      locale: 'en',
      createdAt: createdAttributes.createdAt,
      version: 2,
    })
  })
  it('changes updatedAt with each change only, and createdAt never', async () => {
    const id = await buildNews(resourceApp.database, { title: 'T', createdAt: '2024-01-01T00:00:00.000Z' })
    const readTimes = async () => {
      const { createdAt, updatedAt, version } = await attributes(`/news/${id}`)
      return { createdAt, updatedAt: String(updatedAt), version }
    }
    const firstTimes = await readTimes()
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'T', views: 0, tags: [], region: null } })
    expect(await readTimes()).toEqual(firstTimes)
    let lastTimes = firstTimes
    for (const data of [
      { title: 'U' },
      { views: 1 },
      { tags: [await buildTag(resourceApp.database)] },
      { region: await buildRegion(resourceApp.database) },
    ]) {
      await resourceApp.ask('PUT', `/news/${id}`, { data })
      const now = await readTimes()
      expect([
        now.createdAt,
        now.updatedAt >= lastTimes.updatedAt,
        now.updatedAt > firstTimes.updatedAt,
        now.version,
      ]).toEqual([firstTimes.createdAt, true, true, Number(lastTimes.version) + 1])
      lastTimes = now
    }
  })
  it('writes a day as YYYY-MM-DD, a time as ISO 8601 with milliseconds, an id as a positive integer', async () => {
    const id = await buildRecord(resourceApp.database, 'sliders', {
      image: await buildUpload(resourceApp.database),
      starts_at: '2026-03-01T10:00:00.000Z',
    })
    expect(await attributes(`/sliders/${id}`)).toMatchObject({ starts_at: '2026-03-01T10:00:00.000Z' })
    const newsId = await buildNews(resourceApp.database, { date: '2026-03-01' })
    expect(await attributes(`/news/${newsId}`)).toMatchObject({ date: '2026-03-01' })
    expect(Number.isInteger(id) && id > 0).toBe(true)
  })
  it('accepts a body whose media type names its charset', async () => {
    const answer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/news',
      headers: {
        authorization: `Bearer ${await tokenOf(resourceApp.app, 'admin')}`,
        'content-type': 'application/json; charset=utf-8',
      },
      payload: '{"data":{"title":"Ёлка á"}}',
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { data: { attributes: { title: 'Ёлка á' } } }])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

describe('a new translation', () => {
  const family = async () => {
    const [region, tag, image] = [
      await buildRegion(resourceApp.database),
      await buildTag(resourceApp.database),
      await buildUpload(resourceApp.database),
    ]
    const id = await buildNews(resourceApp.database, {
      region,
      tags: [tag],
      image,
      gallery: [image],
      views: 4,
      date: '2026-01-01',
    })
    return { id, region, tag, image }
  }
  it('creates a translation with the relations, pictures and shared fields of its family', async () => {
    const { id, region, tag, image } = await family()
    const { status, body } = await resourceApp.ask('POST', `/news/${id}/localizations`, { locale: 'ru', title: 'Р' })
    const translatedId = (body as { id: number }).id
    expect([status, body]).toMatchObject([200, { views: 4, date: '2026-01-01', description: null, version: 1 }])
    const shownNews = await attributes(`/news/${translatedId}?populate=*`)
    expect(
      [shownNews.region, shownNews.tags, shownNews.image, shownNews.gallery, shownNews.localizations].map(idsOf),
    ).toEqual([[region], [tag], [image], [image], [id]])
  })
  it('changes the whole family by the relations and shared fields that a new translation names', async () => {
    const { id } = await family()
    const region = await buildRegion(resourceApp.database)
    const body = { locale: 'uz', title: 'U', region, tags: [], image: null, views: 9 }
    expect((await resourceApp.ask('POST', `/news/${id}/localizations`, body)).status).toBe(200)
    const shownNews = await attributes(`/news/${id}?populate=*`)
    expect([shownNews.views, ...[shownNews.region, shownNews.tags, shownNews.image].map(idsOf)]).toEqual([
      9,
      [region],
      [],
      [],
    ])
  })
  it.each([undefined, [], 'text', { data: {} }, { data: { title: 'T' } }])(
    'refuses a translation without a locale: %j',
    async (body) => {
      const { id } = await family()
      const { status, body: refusal } = await resourceApp.ask('POST', `/news/${id}/localizations`, body)
      expect([status, refusal]).toMatchObject([400, { data: null, error: { status: 400 } }])
    },
  )
  it('names all missing required texts of a translation, and answers without data and attributes', async () => {
    const faq = await buildRecord(resourceApp.database, 'faqs', { question: 'Q', answer: 'A' })
    const { body } = await resourceApp.ask('POST', `/faqs/${faq}/localizations`, { locale: 'ru' })
    expect(body).toMatchObject({
      error: { message: '2 errors occurred', details: { errors: [{ path: ['question'] }, { path: ['answer'] }] } },
    })
    const flatTranslation = (
      await resourceApp.ask('POST', `/faqs/${faq}/localizations`, { locale: 'ru', question: 'В', answer: 'О' })
    ).body
    expect(flatTranslation).not.toHaveProperty('data')
    expect(flatTranslation).toMatchObject({ locale: 'ru', localizations: [{ id: faq, question: 'Q', locale: 'en' }] })
    expect(flatTranslation).not.toHaveProperty('localizations.0.attributes')
  })
})

describe('deletion and languages', () => {
  it('deletes a record without languages with locale=all as well', async () => {
    const unit = await buildRecord(resourceApp.database, 'units', { name: { en: 'kg' } })
    expect((await resourceApp.ask('DELETE', `/units/${unit}?locale=all`)).status).toBe(200)
    expect((await resourceApp.ask('GET', `/units/${unit}`)).status).toBe(404)
  })
  it('treats the ids of all languages of a target as the same link in a filter and a body', async () => {
    const region = await buildRegion(resourceApp.database)
    const ru = await buildTranslation(resourceApp.database, 'regions', region, 'ru', { name: 'Р' })
    const { body } = await resourceApp.ask('POST', '/districts', { data: { name: 'D', region: ru } })
    const { id } = (body as { data: Entry }).data
    for (const target of [region, ru]) {
      const { data } = await resourceApp.read<{ data: Entry[] }>(`/districts?filters[region]=${target}`)
      expect(data.map((entry) => entry.id)).toEqual([id])
    }
    expect(idsOf((await attributes(`/districts/${id}?populate=region`)).region)).toEqual([region])
  })
})

describe('the single page', () => {
  it('requires data for the single page, stores its id, accepts fields and populate, and has no pages', async () => {
    expect(await resourceApp.ask('PUT', '/about', { title: 'A' })).toMatchObject({
      status: 400,
      body: { error: { message: 'Missing "data" payload in the request body' } },
    })
    const image = await buildUpload(resourceApp.database)
    const aboutAnswer = await resourceApp.ask('PUT', '/about?populate=image&fields=title', {
      data: { title: 'A', image },
    })
    const { id } = (aboutAnswer.body as { data: Entry }).data
    expect(aboutAnswer).toMatchObject({
      status: 200,
      body: { data: { attributes: { title: 'A', image: { data: { id: image } } } } },
    })
    expect(await resourceApp.ask('PUT', '/about?locale=en', { data: { phone: '1' } })).toMatchObject({
      status: 200,
      body: { data: { id, attributes: { title: 'A', phone: '1' } }, meta: {} },
    })
    expect(await resourceApp.read('/about?fields=phone')).toEqual({
      data: { id, attributes: { phone: '1' } },
      meta: {},
    })
  })
})

describe('the labels of the panel as queries (contract §13)', () => {
  it.each([
    ['all', '', ['new', 'answered', 'finished']],
    ['finished, completed', 'filters[finished_at][$notNull]=true', ['finished']],
    ['unfinished', 'filters[finished_at][$null]=true', ['new', 'answered']],
    ['replayed, answered', 'filters[answered_at][$notNull]=true', ['answered', 'finished']],
    ['unreplayed, not answered', 'filters[answered_at][$null]=true', ['new']],
  ])(`filters consultations by the panel's label "%s": %s`, async (_label, query, questions) => {
    const { data } = await resourceApp.read<{ data: Entry[] }>('/consultations')
    if (data.length === 0) {
      const user = await buildUser(resourceApp.database, 'authenticated')
      const answeredAt = '2026-02-01T00:00:00.000Z'
      await buildRecord(resourceApp.database, 'consultations', { question: 'new', user })
      await buildRecord(resourceApp.database, 'consultations', {
        question: 'answered',
        user,
        answer: '<p>A</p>',
        answered_at: answeredAt,
      })
      await buildRecord(resourceApp.database, 'consultations', {
        question: 'finished',
        user,
        answer: '<p>A</p>',
        answered_at: answeredAt,
        finished_at: answeredAt,
      })
    }
    const shownList = await resourceApp.read<{ data: Entry[] }>(`/consultations?${query}`)
    expect(shownList.data.map((entry) => entry.attributes.question)).toEqual(questions)
  })
  it('filters active and inactive records', async () => {
    const [activeId, inactiveId] = [
      await buildNews(resourceApp.database),
      await buildNews(resourceApp.database, { active: false }),
    ]
    const ids = async (isActive: boolean) =>
      (
        await resourceApp.read<{ data: Entry[] }>(`/news?filters[active]=${isActive}&pagination[pageSize]=100`)
      ).data.map(({ id }) => id)
    expect(await ids(true)).toContain(activeId)
    expect(await ids(false)).toEqual([inactiveId])
  })
})

describe('pages', () => {
  it.each([8, 12, 15, 20])('returns pages of %i records on request', async (size) => {
    const { meta } = await resourceApp.read<{ meta: { pagination: unknown } }>(`/tags?pagination[pageSize]=${size}`)
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: size })
  })
  it.each([
    ['start=0&limit=500', { start: 0, limit: 100 }],
    ['limit=-1', { start: 0, limit: 100 }],
    ['start=-5&limit=0', { start: 0, limit: 1 }],
  ])('limits the pages of the list of users to their bounds: %s', async (query, pagination) => {
    const { body } = await resourceApp.ask('GET', `/users?${query}`, undefined, 'owner')
    expect(body).toMatchObject({ count: expect.any(Number) as number, meta: { pagination } })
  })
  it.each(['start=abc', 'limit=1.5', 'start=100001'])('refuses %s in the list of users', async (query) => {
    expect((await resourceApp.ask('GET', `/users?${query}`, undefined, 'owner')).status).toBe(400)
  })
  it('ignores start and limit in lists other than users', async () => {
    const body = await resourceApp.read<{ meta: { pagination: unknown } }>('/tags?start=5&limit=1')
    expect(body).not.toHaveProperty('count')
    expect(body.meta.pagination).toMatchObject({ page: 1, pageSize: 15 })
  })
})

describe('time limits', () => {
  it('allows a client 120 seconds for a request', () => {
    expect(resourceApp.app.initialConfig).toMatchObject({ requestTimeout: 120_000, keepAliveTimeout: 65_000 })
  })
})
