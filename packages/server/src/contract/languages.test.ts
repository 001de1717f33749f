import type { Locale } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildDistrict, buildNews, buildRegion, buildTranslation } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

interface Entry {
  id: number
  attributes: Record<string, unknown>
}
interface List {
  data: Entry[]
  meta: { pagination: { total: number } }
}
const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.en = await buildNews(database, { title: 'One', views: 3 }, 'en')
  ids.ru = await buildTranslation(database, 'news', ids.en, 'ru', { title: 'Один' })
  ids.uz = await buildTranslation(database, 'news', ids.en, 'uz', { title: 'Bir' })
  ids.onlyRu = await buildNews(database, { title: 'Два' }, 'ru')
  ids.onlyKaa = await buildNews(database, { title: 'Úsh' }, 'kaa')
})
const titles = async (query: string) => {
  const { data, meta } = await resourceApp.read<List>(`/news?sort=id&${query}`)
  expect(meta.pagination.total).toBe(data.length)
  return data.map(({ attributes }) => attributes.title)
}

describe('lists by language (contract §8)', () => {
  it.each([
    ['', ['One']],
    ['locale=en', ['One']],
    ['locale=ru', ['Один', 'Два']],
    ['locale=kaa', ['Úsh']],
    ['locale=all', ['One', 'Один', 'Bir', 'Два', 'Úsh']],
    ['locale=de', []],
    ['locale=', []],
    ['locale=ru&fallback=true', ['Один', 'Два', 'Úsh']],
    ['locale=kaa&fallback=true', ['One', 'Два', 'Úsh']],
    ['locale=uz&fallback=1', ['Bir', 'Два', 'Úsh']],
    ['locale=ru&fallback=false', ['Один', 'Два']],
    // Filters apply to the language row that the list shows.
    ['locale=ru&fallback=true&filters[title]=One', []],
    ['locale=ru&fallback=true&filters[title]=Один', ['Один']],
    ['locale=all&missing_locale=kaa', ['One', 'Один', 'Bir', 'Два']],
    ['locale=ru&fallback=true&missing_locale=ru', ['Úsh']],
    ['locale=ru&fallback=true&missing_locale=en', ['Два', 'Úsh']],
    ['locale=all&filters[localizations][locale]=uz', ['One', 'Один']],
  ])('lists for the language query "%s" the records %j', async (query, expectedTitles) => {
    expect(await titles(query)).toEqual(expectedTitles)
  })
  it.each(['missing_locale=de', 'outdated_locale=xx', 'fallback=maybe', 'locale[a]=b'])(
    'refuses the language parameter "%s"',
    async (query) => {
      expect((await resourceApp.ask('GET', `/news?${query}`)).status).toBe(400)
    },
  )
  it('ignores the requested language for resources without languages', async () => {
    await resourceApp.ask('POST', '/units', { data: { name: { en: 'Kilo' }, locale: 'de' } })
    const { data } = await resourceApp.read<List>('/units?locale=ru')
    expect(data).toHaveLength(1)
    expect(data[0]?.attributes).not.toHaveProperty('locale')
    expect((await resourceApp.ask('POST', `/units/${data[0]?.id}/localizations`, { locale: 'ru' })).status).toBe(404)
  })
})

describe('one record', () => {
  it('returns the record of the requested id, whatever the requested locale', async () => {
    expect(await resourceApp.read(`/news/${ids.ru}?locale=en`)).toMatchObject({
      data: { id: ids.ru, attributes: { title: 'Один', locale: 'ru' } },
    })
  })
  it('lists the other languages of a record, never the record itself', async () => {
    const { data } = await resourceApp.read<{ data: Entry }>(`/news/${ids.ru}?populate=localizations`)
    const { data: family } = data.attributes.localizations as { data: Entry[] }
    expect(family.map(({ id }) => id)).toEqual([ids.en, ids.uz])
  })
})

describe('GET /api/i18n/locales', () => {
  it('lists four languages, with the ids of the specification, even without a session', async () => {
    const { status, body } = await resourceApp.ask('GET', '/i18n/locales', undefined, 'public')
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 1, code: 'uz', isDefault: false },
      { id: 2, code: 'ru', isDefault: false },
      { id: 3, code: 'en', isDefault: true },
      { id: 4, code: 'kaa', isDefault: false },
    ])
  })
})

describe('creating in a language', () => {
  it.each([
    ['', { title: 'T' }, 'en'],
    ['', { title: 'T', locale: 'kaa' }, 'kaa'],
    ['?locale=ru', { title: 'T' }, 'ru'],
    ['?locale=ru', { title: 'T', locale: 'uz' }, 'uz'],
  ])('stores the record of POST /news%s %j in %s', async (query, data, locale) => {
    expect(await resourceApp.ask('POST', `/news${query}`, { data })).toMatchObject({
      status: 200,
      body: { data: { attributes: { locale } } },
    })
  })
  it.each(['de', 5, ['ru'], 'RU'])('refuses to create a record in the unknown language %j', async (locale) => {
    expect(await resourceApp.ask('POST', '/news', { data: { title: 'T', locale } })).toMatchObject({
      status: 400,
      body: { error: { name: 'ApplicationError', message: "This locale doesn't exist" } },
    })
  })
})

describe('adding a language', () => {
  const add = (body: unknown, id: unknown = ids.onlyRu) =>
    resourceApp.ask('POST', `/news/${String(id)}/localizations`, body)
  it.each<[body: unknown, status: number, message: string]>([
    [{ title: 'T' }, 400, 'locale is missing'],
    [{ title: 'T', locale: '' }, 400, 'locale is missing'],
    [{ title: 'T', locale: 'de' }, 400, 'locale is invalid'],
    [{ title: 'T', locale: 'ru' }, 400, 'locale is already used'],
    [{ locale: 'uz' }, 400, 'title must be defined.'],
    [{ locale: 'uz', title: '  ' }, 400, 'please enter a title'],
  ])('refuses the translation %j: %i %s', async (body, status, message) => {
    expect(await add(body)).toMatchObject({ status, body: { error: { message } } })
  })
  it.each([999_999, 0, 'abc', 2_147_483_648, '1e3', '-1'])('answers 404 for a translation of the id %s', async (id) => {
    expect((await add({ locale: 'uz', title: 'T' }, id)).status).toBe(404)
  })
  it('answers a translation flat, through any member of the family, and leaves shared fields unchanged', async () => {
    const id = await buildNews(resourceApp.database, { title: 'S', views: 7, kind: 'event' }, 'ru')
    const flatTranslation = await add({ locale: 'uz', title: 'U' }, id)
    expect(flatTranslation).toMatchObject({
      status: 200,
      body: { title: 'U', locale: 'uz', views: 7, kind: 'event', localizations: [{ id, title: 'S', locale: 'ru' }] },
    })
    const { id: secondId } = flatTranslation.body as { id: number }
    const thirdTranslation = await add({ data: { locale: 'en', title: 'E', views: 8 } }, secondId)
    expect(thirdTranslation.body).toMatchObject({ views: 8, localizations: [{ id }, { id: secondId }] })
    expect(await resourceApp.read(`/news/${id}`)).toMatchObject({ data: { attributes: { views: 8, version: 2 } } })
  })
})

describe('shared fields and relations', () => {
  let family: Record<Locale, number>
  const attributes = async (id: number, query = '') =>
    (await resourceApp.read<{ data: Entry }>(`/news/${id}?${query}`)).data.attributes
  beforeAll(async () => {
    const en = await buildNews(resourceApp.database, { title: 'E', description: 'D' }, 'en')
    family = { en, ru: 0, uz: 0, kaa: 0 }
    for (const locale of ['ru', 'uz', 'kaa'] as const)
      family[locale] = await buildTranslation(resourceApp.database, 'news', en, locale, { title: locale })
  })

  it('changes shared fields for the whole family, including its versions', async () => {
    await resourceApp.ask('PUT', `/news/${family.ru}`, { data: { views: 12, title: 'ru 2' } })
    for (const id of Object.values(family)) expect(await attributes(id)).toMatchObject({ views: 12, version: 2 })
    expect((await attributes(family.en)).title).toBe('E')
  })
  it('leaves shared fields unchanged by a localized change', async () => {
    await resourceApp.ask('PUT', `/news/${family.uz}`, { data: { description: 'uz' } })
    expect([await attributes(family.uz), await attributes(family.en)]).toMatchObject([
      { version: 3 },
      { version: 2, description: 'D' },
    ])
  })
  it('shows linked records in the language of the parent, else of the query, else in a fixed order', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'kaa R' }, 'kaa')
    await buildTranslation(resourceApp.database, 'regions', region, 'uz', { name: 'uz R' })
    await buildTranslation(resourceApp.database, 'regions', region, 'ru', { name: 'ru R' })
    await resourceApp.ask('PUT', `/news/${family.en}`, { data: { region } })
    const readShownTexts = async (locale: Locale, query: string) =>
      (await attributes(family[locale], `populate[region][fields]=name&${query}`)).region as { data: Entry }
    expect((await readShownTexts('kaa', '')).data.attributes.name).toBe('kaa R')
    expect((await readShownTexts('uz', 'locale=ru')).data.attributes.name).toBe('uz R')
    // Without an English name, a link shows the language of the query, else en → ru → uz → kaa.
    expect((await readShownTexts('en', 'locale=kaa')).data.attributes.name).toBe('kaa R')
    expect((await readShownTexts('en', '')).data.attributes.name).toBe('ru R')
  })
  it('tracks the source language and outdated translations separately', async () => {
    const readOutdatedLocales = async () =>
      Promise.all((['en', 'ru', 'uz'] as const).map(async (locale) => (await attributes(family[locale])).outdated))
    const total = async () =>
      (await resourceApp.read<List>('/news?locale=all&outdated_locale=uz&sort=id')).data.map(({ id }) => id)
    expect(await readOutdatedLocales()).toEqual([false, false, false])
    await resourceApp.ask('PUT', `/news/${family.en}`, { data: { title: 'E 2' } })
    expect(await readOutdatedLocales()).toEqual([false, true, true])
    expect(await total()).toEqual(Object.values(family))
    await resourceApp.ask('PUT', `/news/${family.uz}`, { data: { title: 'uz 2' } })
    expect(await readOutdatedLocales()).toEqual([false, true, false])
    expect(await total()).toEqual([])
    // Shared fields do not make translations outdated.
    await resourceApp.ask('PUT', `/news/${family.en}`, { data: { views: 99 } })
    expect(await readOutdatedLocales()).toEqual([false, true, false])
  })
})

describe('deleting', () => {
  const makeNews = async () => {
    const en = await buildNews(resourceApp.database, { title: 'E' }, 'en')
    const ru = await buildTranslation(resourceApp.database, 'news', en, 'ru', { title: 'R' })
    return { en, ru, uz: await buildTranslation(resourceApp.database, 'news', en, 'uz', { title: 'U' }) }
  }
  const status = async (id: number) => (await resourceApp.ask('GET', `/news/${id}`)).status

  it('deletes one language of a record, and the next becomes the source', async () => {
    const { en, ru, uz } = await makeNews()
    expect(await resourceApp.ask('DELETE', `/news/${en}`)).toMatchObject({
      status: 200,
      body: { data: { id: en, attributes: { title: 'E' } }, meta: {} },
    })
    expect([await status(en), await status(ru), await status(uz)]).toEqual([404, 200, 200])
    const { data } = await resourceApp.read<{ data: Entry }>(`/news/${ru}?populate=localizations`)
    expect(data.attributes.localizations).toMatchObject({ data: [{ id: uz }] })
    await resourceApp.ask('PUT', `/news/${ru}`, { data: { title: 'R 2' } })
    expect(await resourceApp.read(`/news/${uz}`)).toMatchObject({ data: { attributes: { outdated: true } } })
  })
  it('deletes the whole family of a record with locale=all', async () => {
    const { en, ru, uz } = await makeNews()
    expect((await resourceApp.ask('DELETE', `/news/${ru}?locale=all`)).status).toBe(200)
    expect([await status(en), await status(ru), await status(uz)]).toEqual([404, 404, 404])
    expect((await resourceApp.ask('DELETE', `/news/${ru}`)).status).toBe(404)
  })
  it('removes the links of a record only with its last language', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'R' })
    const secondRegion = await buildTranslation(resourceApp.database, 'regions', region, 'uz', { name: 'U' })
    const district = await buildDistrict(resourceApp.database, { region })
    const readShownNews = async () =>
      (await resourceApp.read<{ data: Entry }>(`/districts/${district}?populate=region`)).data.attributes
    await resourceApp.ask('DELETE', `/regions/${region}`)
    expect(await readShownNews()).toMatchObject({ version: 1, region: { data: { id: secondRegion } } })
    await resourceApp.ask('DELETE', `/regions/${secondRegion}`)
    expect(await readShownNews()).toMatchObject({ version: 2, region: { data: null } })
  })
})
