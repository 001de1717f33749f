import { describe, expect, it } from 'vitest'
import { buildDistrict, buildRegion, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  const andijon = await buildRegion(database, { name: 'Andijon', order: 2 })
  const navoiy = await buildRegion(database, { name: 'Navoiy', order: 1 })
  await buildTranslation(database, 'regions', andijon, 'ru', { name: 'Я-Андижан' })
  await buildTranslation(database, 'regions', navoiy, 'ru', { name: 'А-Навои' })
  const drafts = [
    { name: 'Ельня', code: '1', region: navoiy, order: 3 },
    { name: 'ёлка', code: '2', region: andijon, order: 1 },
    { name: 'Жар', code: '3', region: navoiy, order: 1 },
    { name: 'Дон', code: '4', order: 2 },
  ]
  for (const draft of drafts) {
    const id = await buildDistrict(database, draft)
    if (draft.code === '1') await buildTranslation(database, 'districts', id, 'ru', { name: 'Ельня' })
    if (draft.code === '2') await buildTranslation(database, 'districts', id, 'ru', { name: 'Ёлка' })
  }
})

interface List {
  data: { id: number; attributes: Record<string, unknown> }[]
}
const codes = async (query: string) => {
  const { data } = await resourceApp.read<List>(`/districts?${query}`)
  return data.map(({ attributes }) => attributes.code).join('')
}

describe('sort (contract §6)', () => {
  it.each([
    ['sort=code', '1234'],
    ['sort=code:desc', '4321'],
    ['sort=code:DESC', '4321'],
    ['sort=order:desc,code:desc', '1432'],
    ['sort[0]=order&sort[1]=code:desc', '3241'],
    ['sort[]=order&sort[]=code:desc', '3241'],
    ['sort=order&sort=code:desc', '3241'],
    ['sort[0][order]=asc&sort[1][code]=desc', '3241'],
    ['sort[order]=desc', '1423'],
    // The letter ё sorts next to е, in either case.
    ['sort=name', '4213'],
    ['sort=name:desc', '3124'],
    // Nulls are last in ascending order, first in descending order.
    ['sort=region.name:asc,code', '2134'],
    ['sort=region.name:desc,code', '4132'],
    ['sort[region][name]=asc', '2134'],
    ['sort[0][region][order]=asc', '1324'],
    ['sort=region.order,code', '1324'],
    ['sort=region,code', '2134'],
    // The name of a related record is compared in the language that is shown.
    ['sort=region.name&locale=ru', '12'],
    ['sort=id:desc', '4321'],
    ['sort=createdAt,id', '1234'],
    ['sort=', '1234'],
  ])('orders records by "%s" as %s', async (query, order) => {
    expect(await codes(query)).toBe(order)
  })

  it('orders records by a list of relations through the related record that comes first', async () => {
    const { data } = await resourceApp.read<List>('/regions?sort=districts.code&fields=name')
    expect(data.map(({ attributes }) => attributes.name)).toEqual(['Navoiy', 'Andijon'])
  })

  it.each([
    ['sort=bogus', 'Invalid parameter bogus'],
    ['sort=code:up', 'Invalid sort direction up'],
    ['sort=region.bogus', 'Invalid parameter bogus'],
    ['sort=code.name', 'Invalid parameter code'],
    ['sort[region][name]=up', 'Invalid sort direction up'],
    ['sort=a,b,c,d,e,f', 'The query is too large: 6 sorts'],
    ['sort=__proto__', 'Invalid parameter __proto__'],
  ])('refuses the sort query "%s"', async (query, message) => {
    expect(await resourceApp.ask('GET', `/districts?${query}`)).toMatchObject({
      status: 400,
      body: { error: { message } },
    })
  })
})

describe('fields (contract §6)', () => {
  const readShownNames = async (query: string) => {
    const { data } = await resourceApp.read<List>(`/districts?${query}`)
    return Object.keys(data[0]?.attributes ?? {}).sort()
  }
  const allFields = [
    'code',
    'createdAt',
    'lat',
    'lng',
    'locale',
    'name',
    'order',
    'outdated',
    'type',
    'updatedAt',
    'version',
  ]

  it.each([
    ['', allFields],
    ['fields=*', allFields],
    ['fields=name', ['name']],
    ['fields[0]=name&fields[1]=locale', ['locale', 'name']],
    ['fields[]=name&fields[]=createdAt', ['createdAt', 'name']],
    ['fields=name,code', ['code', 'name']],
    ['fields=id', []],
    ['fields=name&populate=region', ['name', 'region']],
  ])('returns for the query "%s" the fields %j', async (query, names) => {
    expect(await readShownNames(query)).toEqual(names)
  })
  it('applies the fields parameter to one record and to writes as well', async () => {
    const { data } = await resourceApp.read<List>('/districts?filters[code]=1')
    const id = data[0]?.id ?? 0
    expect(await resourceApp.read(`/districts/${id}?fields=code`)).toEqual({
      data: { id, attributes: { code: '1' } },
      meta: {},
    })
    expect((await resourceApp.ask('PUT', `/districts/${id}?fields=code`, { data: {} })).body).toEqual({
      data: { id, attributes: { code: '1' } },
      meta: {},
    })
  })
  it.each(['fields=bogus', 'fields=region', 'fields[0]=name&fields[1]=bogus', 'fields[a][b]=c'])(
    'refuses the fields query "%s"',
    async (query) => {
      expect((await resourceApp.ask('GET', `/districts?${query}`)).status).toBe(400)
    },
  )
})
