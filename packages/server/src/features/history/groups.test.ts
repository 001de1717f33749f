import { describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildRegion, nextNumber, buildTranslation } from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

interface Groups {
  data: { value: unknown; label: string | null; count: number }[]
  meta: { total: number }
}
interface List {
  data: { id: number; attributes: Record<string, unknown> }[]
  meta: { pagination: { total: number } }
}

const regions: number[] = []
const resourceApp = startResourceApp(async ({ database }) => {
  for (const name of ['Nukus', 'Ámiwdárya', 'Khiva']) {
    const id = await buildRegion(database, { name })
    await buildTranslation(database, 'regions', id, 'ru', { name: `${name} р` })
    regions.push(id)
  }
  const kinds = ['news', 'announcement', 'event']
  for (let number = 0; number < 24; number += 1) {
    const id = await buildNews(
      database,
      {
        title: number % 5 === 0 ? `Cotton ${number}` : `Item ${number}`,
        kind: kinds[(number * number) % 3],
        active: number % 4 !== 0,
        region: number % 6 === 0 ? null : regions[number % 3],
      },
      number % 2 === 0 ? 'en' : 'ru',
    )
    if (number % 3 === 0) await buildTranslation(database, 'news', id, 'kaa', { title: `K ${number}` })
    if (number % 8 === 0) await resourceApp.ask('PUT', `/news/${id}`, { data: { description: 'changed' } })
  }
})
const groups = (query: string) => resourceApp.read<Groups>(`/news/groups?${query}`)

const languages = ['', 'locale=ru', 'locale=all', 'locale=kaa&fallback=true', 'locale=nosuch']
const narrowingQueries = [
  '',
  '_q=cotton',
  '_q=co',
  'filters[active]=true',
  'filters[title][$contains]=1',
  'filters[region][name][$notNull]=true',
  'missing_locale=kaa',
  'outdated_locale=kaa',
  'filters[$or][0][views]=0&filters[$or][1][region][$null]=true&_q=item',
]
const queries = languages.flatMap((language) =>
  narrowingQueries.map((narrowingQuery) => [language, narrowingQuery].filter(Boolean).join('&')),
)

/** Collects the statements of a call, without those that read the session. */
const sentStatements = async (runCall: () => Promise<unknown>) =>
  (await statementsOf(resourceApp.database, runCall)).filter((text) => !/\bsessions\b/.test(text))

describe('groups of a list', () => {
  it.each(queries)('counts groups like a recount of the list for %s', async (query) => {
    const { data, meta } = await resourceApp.read<List>(`/news?${query}&populate=region&pagination[pageSize]=100`)
    for (const groupField of ['kind', 'active', 'region']) {
      const foundGroups = await groups(`${query}&by=${groupField}`)
      expect(foundGroups.meta.total).toBe(meta.pagination.total)
      const countedValues = new Map<unknown, number>()
      for (const { attributes } of data) {
        const link = attributes.region as { data: { attributes: { name: string } } | null }
        const value =
          groupField === 'region' ? (link.data?.attributes.name.replace(' р', '') ?? null) : attributes[groupField]
        countedValues.set(value, (countedValues.get(value) ?? 0) + 1)
      }
      const shownGroups = foundGroups.data.map(({ value, label, count }): [unknown, number] => [
        groupField === 'region' ? (label?.replace(' р', '') ?? null) : value,
        count,
      ])
      expect(new Map(shownGroups)).toEqual(countedValues)
    }
  })
  it('sorts groups in the order of the choice, yes before no, or by name with none last', async () => {
    expect((await groups('by=kind&locale=all')).data.map(({ value }) => value)).toEqual(['news', 'announcement'])
    expect((await groups('by=active&locale=all')).data.map(({ value }) => value)).toEqual([true, false])
    const { data } = await groups('by=region&fallback=true')
    expect(data.map(({ label }) => label)).toEqual(['Ámiwdárya', 'Khiva', 'Nukus', null])
    expect(data.map(({ value }) => value)).toEqual([regions[1], regions[2], regions[0], null])
  })
  it('names the linked record of a group by its id in the language of the list', async () => {
    const { data } = await resourceApp.read<List>('/news?locale=ru&populate=region&pagination[pageSize]=100')
    const listedValues = new Set(
      data.flatMap(({ attributes }) => (attributes.region as { data: { id: number } | null }).data?.id ?? []),
    )
    const foundGroups = await groups('locale=ru&by=region')
    expect(new Set(foundGroups.data.flatMap(({ value }) => value ?? []))).toEqual(listedValues)
  })
  it('reads the groups of a list in one statement', async () => {
    await groups('by=region')
    expect(await sentStatements(() => groups('by=region'))).toHaveLength(1)
  })
  it('groups only the caller’s rows, and by records that the caller may see', async () => {
    const reader = await buildPerson(resourceApp, 'authenticated')
    const [shownCategory, hiddenCategory] = [
      await buildRecord(resourceApp.database, 'productcategories', { name: 'Shown' }),
      await buildRecord(resourceApp.database, 'productcategories', { name: 'Hidden', active: false }),
    ]
    for (const productcategory of [shownCategory, hiddenCategory, hiddenCategory, null])
      await buildRecord(resourceApp.database, 'products', { name: `P${nextNumber()}`, productcategory })
    const { data, meta } = (await reader.ask('GET', '/news/groups?by=active')).body as Groups
    expect(data.map(({ value }) => value)).toEqual([true])
    expect((await reader.ask('GET', '/news')).body).toMatchObject({ meta: { pagination: { total: meta.total } } })
    const products = (await reader.ask('GET', '/products/groups?by=productcategory')).body
    expect(products).toEqual({
      data: [
        { value: shownCategory, label: 'Shown', count: 1 },
        { value: null, label: null, count: 3 },
      ],
      meta: { total: 4 },
    })
    const allGroups = await resourceApp.read<Groups>('/products/groups?by=productcategory')
    expect(allGroups.data.map(({ label, count }) => [label, count])).toEqual([
      ['Hidden', 2],
      ['Shown', 1],
      [null, 1],
    ])
  })
  it('groups accounts and computed values too', async () => {
    await buildRecord(resourceApp.database, 'consultations', { question: 'Q', user: resourceApp.people.authenticated })
    const status = await resourceApp.read<Groups>('/consultations/groups?by=status')
    expect(status).toEqual({ data: [{ value: 'new', label: null, count: 1 }], meta: { total: 1 } })
    const { status: code, body } = await resourceApp.ask('GET', '/users/groups?by=role', undefined, 'owner')
    expect([code, (body as Groups).data.length]).toEqual([200, 4])
  })
})

describe('groups are refused', () => {
  it.each([
    '',
    'by=',
    'by=title',
    'by=tags',
    'by=date',
    'by=image',
    'by=nosuch',
    'by=id',
    'by=locale',
    'by[a]=kind',
    'by=kind&filters[nosuch]=1',
    'by=kind&missing_locale=xx',
  ])('returns 400 for groups with the query “%s”', async (query) => {
    expect((await resourceApp.ask('GET', `/news/groups?${query}`)).status).toBe(400)
  })
  it('refuses groups by a field of stronger roles like those by an unknown field', async () => {
    const reader = await buildPerson(resourceApp, 'authenticated')
    const [hiddenAnswer, unknownAnswer] = await Promise.all(
      ['owner', 'nosuch'].map((groupField) => reader.ask('GET', `/companies/groups?by=${groupField}`)),
    )
    expect(JSON.stringify(hiddenAnswer?.body).replaceAll('owner', 'nosuch')).toBe(JSON.stringify(unknownAnswer?.body))
    expect((await resourceApp.ask('GET', '/companies/groups?by=owner')).status).toBe(200)
  })
  it.each([
    ['public', '/news/groups?by=kind', 401],
    ['authenticated', '/roles/groups?by=type', 403],
  ] as const)('refuses groups to the role %s: %s with %i', async (role, url, status) => {
    expect((await resourceApp.ask('GET', url, undefined, role)).status).toBe(status)
  })
})
