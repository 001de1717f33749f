import { type Locale, locales, searchNeedles } from '@dala/model'
import type { FoundRecord } from '@dala/model/api/search'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildRole,
  buildTag,
  buildUser,
  buildTranslation,
} from '../../testing/factories.ts'
import { statementsOf } from '../../testing/statements.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { findByName } from './routes.ts'

const ids: Record<string, number> = {}
/** Finds the resource of an id: ids are unique within their resource only. */
const resourceOf: Readonly<Record<string, string>> = {
  district: 'districts',
  districtRu: 'districts',
  tag: 'tags',
  percent: 'tags',
  person: 'users',
  namelessUser: 'users',
  mine: 'consultations',
  othersRecord: 'consultations',
  report: 'statistics',
}
const resourceApp = startResourceApp(async ({ database, people }) => {
  ids.district = await buildDistrict(database, { name: 'Qońırat' }, 'kaa')
  ids.districtRu = await buildTranslation(database, 'districts', ids.district, 'ru', { name: 'Кунградский район' })
  ids.news = await buildNews(database, { title: 'Вода для Қоңырат' }, 'ru')
  ids.tag = await buildTag(database, { name: 'Qońırat qawını' }, 'kaa')
  ids.inside = await buildNews(database, { title: 'Жаңақоңырат' }, 'kaa')
  ids.elsewhere = await buildNews(database, { title: 'Nothing of it', description: 'Qońırat' }, 'en')
  ids.hidden = await buildNews(database, { title: 'Qońırat hidden', active: false }, 'en')
  ids.person = await buildUser(database, 'authenticated', {
    username: 'zx-login',
    name: 'Gúlnara',
    surname: 'Qońıratova',
    is_consultant: true,
  })
  ids.nameless = await buildUser(database, 'admin', { username: 'zx-second' })
  ids.mine = await buildRecord(database, 'consultations', { question: 'Qońırat sorawı', user: people.authenticated })
  ids.others = await buildRecord(database, 'consultations', { question: 'Qońırat sorawı 2', user: ids.person })
  ids.report = await buildRecord(database, 'statistics', {
    key: 'consultations',
    title: { en: 'Overview', kaa: 'Ulıwma kórinis' },
  })
  ids.percent = await buildTag(database, { name: '100% organic' }, 'en')
})

const search = async (
  searchText: string,
  role: 'owner' | 'admin' | 'authenticated' = 'owner',
  locale: Locale = 'ru',
) => {
  const { status, body } = await resourceApp.ask(
    'GET',
    `/search?locale=${locale}&q=${encodeURIComponent(searchText)}`,
    undefined,
    role,
  )
  expect([searchText, status]).toEqual([searchText, 200])
  return (body as { data: FoundRecord[] }).data
}
const nameRecords = (resultRecords: readonly FoundRecord[]) =>
  resultRecords.map(
    ({ id, resource }) =>
      Object.keys(ids).find((name) => ids[name] === id && (resourceOf[name] ?? 'news') === resource) ??
      `${resource} ${id}`,
  )

describe('GET /api/search', () => {
  it.each(['kongirat', 'Қоңырат', 'qońırat', 'QOŃÍRAT', 'qonirat', 'Қонырат', ' kongirat  '])(
    'finds the district first for "%s", named in the language of the caller',
    async (text) => {
      const [firstMatch] = await search(text)
      expect(firstMatch).toEqual({
        resource: 'districts',
        id: ids.districtRu,
        name: 'Кунградский район',
        locale: 'ru',
        rank: 0,
      })
    },
  )
  it('ranks equal names first, then names that begin with the text, then words, then other matches', async () => {
    const foundRecords = await search('kongirat')
    expect(foundRecords.map(({ rank }) => rank)).toEqual(foundRecords.map(({ rank }) => rank).toSorted((a, b) => a - b))
    const rankOf = (name: string) => foundRecords[nameRecords(foundRecords).indexOf(name)]?.rank
    expect(['districtRu', 'tag', 'hidden', 'news', 'person', 'inside'].map(rankOf)).toEqual([0, 1, 1, 2, 1, 3])
    expect(nameRecords(foundRecords)).not.toContain('elsewhere')
  })
  it('names a found record in the fallback language when the requested one is missing', async () => {
    const findDistrict = async (locale: Locale) =>
      (await search('kongirat', 'owner', locale)).find(({ resource }) => resource === 'districts')
    expect(await findDistrict('uz')).toMatchObject({ id: ids.districtRu, locale: 'ru' })
    expect(await findDistrict('kaa')).toMatchObject({ id: ids.district, name: 'Qońırat', locale: 'kaa' })
  })
  it('finds users by their names in either order, and by user name', async () => {
    for (const text of ['Gúlnara Qońıratova', 'Қоңыратова Гүлнара', 'zx-login'])
      expect(await search(text)).toMatchObject([{ id: ids.person, name: 'Gúlnara Qońıratova', rank: 0 }])
    expect(await search('zx-sec')).toMatchObject([{ id: ids.nameless, name: 'zx-second', rank: 1 }])
  })
  it('finds texts that are stored in several languages', async () => {
    expect(await search('ulıwma', 'owner', 'en')).toMatchObject([{ resource: 'statistics', name: 'Overview', rank: 1 }])
  })
  it('matches only beginnings for one or two letters, and nothing for none', async () => {
    expect(nameRecords(await search('ко'))).not.toContain('news')
    expect(nameRecords(await search('ко'))).toContain('districtRu')
    for (const text of ['', '  ', "ʻ'", '\u001f']) expect(await search(text)).toEqual([])
  })
  it('treats pattern characters of a search as plain text', async () => {
    expect(nameRecords(await search('100%'))).toEqual(['percent'])
    for (const text of ['%', '_', '%%%', '___', '\\', '1%0']) expect(await search(text)).toEqual([])
  })
  it('limits found records to the rows and fields of the caller', async () => {
    const foundNames = nameRecords(await search('kongirat', 'authenticated'))
    expect(foundNames).toEqual(expect.arrayContaining(['districtRu', 'tag', 'news', 'person', 'mine']))
    for (const name of ['hidden', 'others']) expect(foundNames).not.toContain(name)
    // The response does not reveal which of the guessed names exist.
    expect(await search('zx-second', 'authenticated')).toEqual([])
    expect(await search('owner', 'admin')).toEqual([])
    expect(await search('owner', 'owner')).toMatchObject([{ resource: 'users' }])
    await buildRole(resourceApp.database, 'public')
    expect(await search('public', 'authenticated')).toEqual([])
  })
  it('returns at most five found records of a resource and thirty in total', async () => {
    for (let number = 1; number <= 7; number += 1)
      await buildTag(resourceApp.database, { name: `Zuraat ${number}` }, 'en')
    expect(nameRecords(await search('zuraat'))).toHaveLength(5)
    expect((await search('a')).length).toBeLessThanOrEqual(30)
  })
  it('searches all resources in one statement', async () => {
    const caller = { id: ids.person ?? 0, role: 'admin', isConsultant: false, language: 'ru', sessionId: '' } as const
    const sentStatements = await statementsOf(resourceApp.database, () =>
      findByName(resourceApp.database, caller, 'kongirat', 'ru'),
    )
    expect(sentStatements).toHaveLength(1)
  })
  it.each(['locale=xx&q=a', `q=${'a'.repeat(201)}`, 'q[a]=b', 'locale[]=ru&q=a'])(
    'refuses a search with the query %s',
    async (query) => {
      expect((await resourceApp.ask('GET', `/search?${query}`)).status).toBe(400)
    },
  )
  it('refuses a search of callers without a session', async () => {
    expect((await resourceApp.ask('GET', '/search?q=a', undefined, 'public')).status).toBe(401)
  })
  it('finds each record of each list by its own name, in every language', async () => {
    const rows = await resourceApp.database.query(sql<{ name: string; locale: Locale; id: number }>`
      select name, locale, id from districts_texts union all select name, locale, id from tags_texts`)
    for (const { name, id, locale } of rows) {
      const foundRecords = await search(name, 'owner', locale)
      expect([name, foundRecords.some((foundRecord) => foundRecord.id === id && foundRecord.rank === 0)]).toEqual([
        name,
        true,
      ])
      expect(searchNeedles(name).length).toBeGreaterThan(0)
    }
    expect(locales).toHaveLength(4)
  })
})
