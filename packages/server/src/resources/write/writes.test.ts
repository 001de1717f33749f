import { describe, expect, it } from 'vitest'
import { buildRegion, buildTag } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
  meta: Record<string, never>
}
const createRecord = async (wire: string, data: Record<string, unknown>) => {
  const { status, body } = await resourceApp.ask('POST', `/${wire}`, { data })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as One).data
}
const attributes = async (path: string) => (await resourceApp.read<One>(path)).data.attributes

describe('request bodies (contract §4)', () => {
  it.each([undefined, {}, { data: null }, { data: 'text' }, { data: [] }, [], { title: 'T' }])(
    'refuses the body %j, which has no data',
    async (body) => {
      for (const [method, url] of [
        ['POST', '/news'],
        ['PUT', '/news/1'],
      ] as const) {
        expect(await resourceApp.ask(method, url, body)).toMatchObject({
          status: 400,
          body: { error: { message: 'Missing "data" payload in the request body' } },
        })
      }
    },
  )
  it('answers a write with 200, every scalar field and no links', async () => {
    const { id, attributes: answeredFields } = await createRecord('news', { title: 'T' })
    expect(answeredFields).toEqual({
      title: 'T',
      description: null,
      content: null,
      link: null,
      videourl: null,
      kind: 'news',
      date: null,
      views: 0,
      featured: false,
      active: true,
      createdAt: answeredFields.createdAt,
      updatedAt: answeredFields.updatedAt,
      version: 1,
      locale: 'en',
      outdated: false,
    })
    expect(await resourceApp.read(`/news/${id}`)).toEqual({ data: { id, attributes: answeredFields }, meta: {} })
    expect(await resourceApp.read(`/news/${id}/`)).toEqual(await resourceApp.read(`/news/${id}`))
  })
  it('refuses a body and names all of its invalid fields', async () => {
    const { status, body } = await resourceApp.ask('POST', '/news', {
      data: { views: -1, link: 'http://x', kind: 'x', region: 'abc', tags: [999_999], date: '2026-02-30' },
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message: '7 errors occurred' } })
    const { error } = body as { error: { details: { errors: { path: string[] }[] } } }
    expect(error.details.errors.map(({ path }) => path.join('.')).sort()).toEqual([
      'date',
      'kind',
      'link',
      'region',
      'tags',
      'title',
      'views',
    ])
  })
  it('accepts a whole record that a client sends back', async () => {
    const region = await buildRegion(resourceApp.database)
    const { id } = await createRecord('news', { title: 'T', region, tags: [await buildTag(resourceApp.database)] })
    const newsBefore = await attributes(`/news/${id}?populate=*`)
    const flatNews = {
      ...newsBefore,
      id,
      region: String(region),
      tags: (newsBefore.tags as { data: { id: number }[] }).data,
      image: null,
      gallery: [],
      localizations: [1, 2],
      locale: 'kaa',
      createdAt: 'x',
      publishedAt: null,
      createdBy: 1,
    }
    const { status, body } = await resourceApp.ask('PUT', `/news/${id}?populate=*`, { data: flatNews })
    expect({ status, attributes: (body as One).data.attributes }).toEqual({ status: 200, attributes: newsBefore })
  })
  it('changes only the fields that a body contains', async () => {
    const { id, attributes: formerFields } = await createRecord('news', { title: 'T', description: 'D', views: 2 })
    expect((await resourceApp.ask('PUT', `/news/${id}`, { data: {} })).body).toEqual({
      data: { id, attributes: formerFields },
      meta: {},
    })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { description: null, views: '3' } })
    expect(await attributes(`/news/${id}`)).toMatchObject({
      title: 'T',
      description: null,
      views: 3,
      version: 2,
      createdAt: formerFields.createdAt,
    })
    expect(await resourceApp.ask('PUT', `/news/${id}`, { data: { title: '' } })).toMatchObject({
      status: 400,
      body: { error: { message: 'please enter a title' } },
    })
    expect(await resourceApp.ask('PUT', `/news/${id}`, { data: { title: null } })).toMatchObject({ status: 400 })
  })
  it('rounds decimals of a body to their scale', async () => {
    const { attributes: answeredFields } = await createRecord('regions', {
      name: 'R',
      lat: '42.4600004',
      lng: 59.6150009,
    })
    expect(answeredFields).toMatchObject({ lat: 42.46, lng: 59.615001 })
    expect(await resourceApp.ask('POST', '/units', { data: { name: 'x', factor: 0.0000001 } })).toMatchObject({
      status: 400,
    })
  })
  it('removes scripts from the rich texts of a body', async () => {
    const { attributes: answeredFields } = await createRecord('news', {
      title: '<b>T</b>',
      content: '<p onclick="x()">a<script>b</script><a href="javascript:c">d</a></p>',
    })
    expect(answeredFields).toMatchObject({ title: '<b>T</b>', content: '<p>a<a rel="noopener noreferrer">d</a></p>' })
  })
})

describe('record versions', () => {
  it('refuses a write with a stale version, and returns the current record', async () => {
    const { id } = await createRecord('news', { title: 'T' })
    expect((await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'U', version: 1 } })).status).toBe(200)
    expect(await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'V', version: 1 } })).toMatchObject({
      status: 409,
      body: { error: { name: 'ConflictError', details: { current: { id, title: 'U', version: 2 } } } },
    })
    expect((await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'V', version: '2' } })).status).toBe(200)
    expect((await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'W' } })).status).toBe(200)
    expect((await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'W', version: 'abc' } })).status).toBe(409)
  })
})

describe('unique values', () => {
  const refusedField = (field: string) => ({
    status: 400,
    body: {
      error: {
        name: 'ValidationError',
        details: { errors: [{ path: [field], message: 'This attribute must be unique' }] },
      },
    },
  })

  it('compares unique values of shared fields with those of other families', async () => {
    const { id } = await createRecord('regions', { name: 'R', code: '1799' })
    expect(
      await resourceApp.ask('POST', '/regions', { data: { name: 'S', code: '1799', locale: 'ru' } }),
    ).toMatchObject(refusedField('code'))
    expect(
      (await resourceApp.ask('POST', `/regions/${id}/localizations`, { locale: 'ru', name: 'Р', code: '1799' })).status,
    ).toBe(200)
    expect((await resourceApp.ask('PUT', `/regions/${id}`, { data: { code: '1799' } })).status).toBe(200)
  })
  it('compares unique values of localized fields within one language', async () => {
    const { id } = await createRecord('tags', { name: 'x', slug: 'same' })
    expect(await resourceApp.ask('POST', '/tags', { data: { name: 'y', slug: 'same' } })).toMatchObject(
      refusedField('slug'),
    )
    expect((await resourceApp.ask('POST', '/tags', { data: { name: 'y', slug: 'same', locale: 'ru' } })).status).toBe(
      200,
    )
    expect(
      await resourceApp.ask('POST', `/tags/${id}/localizations`, { locale: 'ru', name: 'y', slug: 'same' }),
    ).toMatchObject(refusedField('slug'))
  })
  it('reports a taken unique value together with other faults', async () => {
    await createRecord('units', { name: 'q', code: 'taken' })
    const { body } = await resourceApp.ask('POST', '/units', { data: { code: 'taken', factor: -1 } })
    const { error } = body as { error: { details: { errors: { path: string[] }[] } } }
    expect(error.details.errors.map(({ path }) => path.join('.')).sort()).toEqual(['code', 'factor', 'name'])
  })
  it('accepts a unique value again after its record is deleted', async () => {
    const { id } = await createRecord('regions', { name: 'R', code: '1800' })
    await resourceApp.ask('DELETE', `/regions/${id}`)
    expect((await resourceApp.ask('POST', '/regions', { data: { name: 'R', code: '1800' } })).status).toBe(200)
  })
  it('accepts a unique value in one of several concurrent writes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => resourceApp.ask('POST', '/regions', { data: { name: 'R', code: 'race' } })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400])
  })
  it('leaves an existing slug unchanged when the name changes', async () => {
    const { id } = await createRecord('agrocultureareas', { name: 'Cotton', slug: 'cotton' })
    await resourceApp.ask('POST', `/agrocultureareas/${id}/localizations`, { locale: 'uz', name: 'Paxta' })
    await resourceApp.ask('PUT', `/agrocultureareas/${id}`, { data: { name: 'Cotton growing' } })
    expect(await resourceApp.read(`/agrocultureareas/${id}`)).toMatchObject({
      data: { attributes: { slug: 'cotton' } },
    })
    const emptiedAnswer = await resourceApp.ask('PUT', `/agrocultureareas/${id}`, {
      data: { name: 'Cotton growing', slug: '' },
    })
    expect(emptiedAnswer.body).toMatchObject({ data: { attributes: { slug: 'cotton-growing' } } })
  })
  it('makes unique slugs from the same name', async () => {
    const slugs = []
    for (let index = 0; index < 3; index += 1)
      slugs.push((await createRecord('tags', { name: 'Gʻoʻza Paxta' })).attributes.slug)
    expect(slugs).toEqual(['goza-paxta', 'goza-paxta-2', 'goza-paxta-3'])
  })
})

describe('invalid ids', () => {
  it.each(['999999', '0', '-1', 'abc', '1.5', '2147483648', '99999999999999999999', '1e3', '%20'])(
    'returns 404 for the invalid address /news/%s',
    async (id) => {
      const answers = await Promise.all([
        resourceApp.ask('GET', `/news/${id}`),
        resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'T' } }),
        resourceApp.ask('DELETE', `/news/${id}`),
      ])
      expect(answers).toMatchObject(
        Array.from({ length: 3 }, () => ({ status: 404, body: { data: null, error: { name: 'NotFoundError' } } })),
      )
    },
  )
})
