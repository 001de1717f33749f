import { describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildUser, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.uz = await buildNews(database, { title: 'Yongʻoq va paxta', description: 'Shoʻrlangan yer' }, 'uz')
  ids.cyrillic = await buildNews(database, { title: 'Ёнғоқ ва пахта', description: 'Шўрланган ер' }, 'uz')
  ids.kaa = await buildNews(database, { title: 'Suwǵarıw waqtı', link: 'https://example.org/paxta' }, 'kaa')
  ids.ru = await buildNews(database, { title: 'Лён и ячмень', kind: 'event' }, 'ru')
  ids.ruEnglish = await buildTranslation(database, 'news', ids.ru, 'en', { title: 'Flax event' })
  await buildUser(database, 'authenticated', {
    username: 'consultant-1',
    email: 'hidden-address@example.org',
    name: 'Гулнора',
    is_consultant: true,
  })
})

interface List {
  data: { id: number }[]
  meta: { pagination: { total: number } }
}
/** Returns the names of the found records, and compares their number with the total. */
const findTitles = async (query: string): Promise<string[]> => {
  const { data, meta } = await resourceApp.read<List>(`/news?locale=all&${query}`)
  expect(meta.pagination.total).toBe(data.length)
  return data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? String(id))
}
const searchQueryOf = (text: string) => `_q=${encodeURIComponent(text)}`

describe('a search (contract §6, chat §7)', () => {
  it.each<[text: string, names: string[]]>([
    // Uzbek texts in both alphabets, with the word typed in either.
    ['paxta', ['uz', 'cyrillic', 'kaa']],
    ['ПАХТА', ['uz', 'cyrillic', 'kaa']],
    ["yong'oq", ['uz', 'cyrillic']],
    ['ёнғоқ', ['uz', 'cyrillic']],
    ['shorlangan', ['uz', 'cyrillic']],
    ['шўрланган yer', ['uz', 'cyrillic']],
    // Karakalpak texts with and without accents, and Cyrillic ў for w.
    ['suwgariw', ['kaa']],
    ['суўғарыў', ['kaa']],
    ['лен', ['ru']],
    ['ЛЁН', ['ru']],
    // Search texts with words of fewer than three letters.
    ['ва', ['uz', 'cyrillic']],
    ['l', ['uz', 'cyrillic', 'kaa', 'ru', 'ruEnglish']],
    // No match spans two fields of a record.
    ['paxta shoʻrlangan', []],
    ['paxtashoʻr', []],
    ['%', []],
    ['_', []],
    ['\u001f', ['uz', 'cyrillic', 'kaa', 'ru', 'ruEnglish']],
  ])('finds by a search for "%s" the records %j', async (text, names) => {
    expect((await findTitles(searchQueryOf(text))).toSorted()).toEqual(names.toSorted())
  })
  it('finds a record once when its texts and its document both contain the searched word', async () => {
    expect(await findTitles(searchQueryOf('event'))).toEqual(['ru', 'ruEnglish'])
    expect(await findTitles(`${searchQueryOf('event')}&sort=title:desc`)).toEqual(['ru', 'ruEnglish'])
  })
  it('searches the language that is shown, and combines a search with filters, sorts and pages', async () => {
    const page = (number: number) =>
      resourceApp.read<List>(
        `/news?locale=ru&fallback=true&${searchQueryOf('a')}&sort=title&pagination[pageSize]=2&pagination[page]=${number}`,
      )
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 0])
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(4)
    expect(await findTitles(`${searchQueryOf('paxta')}&filters[link][$null]=true`)).toEqual(['uz', 'cyrillic'])
    expect((await resourceApp.read<List>(`/news?locale=ru&fallback=true&${searchQueryOf('flax')}`)).data).toEqual([])
  })
  it('finds by a searched number a number of the record, or a text that contains it', async () => {
    ids.counted = await buildNews(resourceApp.database, { title: 'Counted', views: 4711 })
    ids.named = await buildNews(resourceApp.database, { title: 'Room 4711' })
    expect(await findTitles(searchQueryOf('4711'))).toEqual(['counted', 'named'])
  })
  it('searches no more details of people than the reader may see', async () => {
    const count = async (text: string, role: 'owner' | 'authenticated') => {
      const { status, body } = await resourceApp.ask(
        'GET',
        `/users?${searchQueryOf(text)}&start=0&limit=15`,
        undefined,
        role,
      )
      expect(status).toBe(200)
      return (body as { count: number }).count
    }
    expect([await count('hidden-address', 'owner'), await count('hidden-address', 'authenticated')]).toEqual([1, 0])
    expect([await count('gulnora', 'owner'), await count('gulnora', 'authenticated')]).toEqual([1, 1])
    expect(await count('argon2', 'owner')).toBe(0)
  })
  it('searches only one language of texts that are stored together', async () => {
    await buildRecord(resourceApp.database, 'units', { name: { ru: 'мешок', en: 'sack' } })
    const units = async (text: string, locale: string) =>
      (await resourceApp.read<List>(`/units?locale=${locale}&${searchQueryOf(text)}`)).data.length
    expect([await units('meshok', 'ru'), await units('meshok', 'en'), await units('SACK', 'en')]).toEqual([1, 0, 1])
  })
})
