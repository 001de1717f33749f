import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { listQuery, readListSearch, writeListSearch } from './search.ts'

const { districts, news } = resources
const all: Record<string, (typeof resources)[keyof typeof resources]> = resources
const targetOf = (name: string) => all[name]

describe('the address of a list', () => {
  it('drops what it cannot mean', () => {
    expect(
      readListSearch(news, { page: 'x', size: '7', sort: 'password', lang: 'de', 'f.nothing': '1', q: '' }),
    ).toEqual({})
    expect(readListSearch(news, { page: -1, size: 15 })).toEqual({})
  })
  it('comes back as it was written', () => {
    const search = {
      page: 3,
      size: 12,
      sort: 'title:desc',
      q: 'пахта',
      lang: 'kaa',
      filter: { active: 'true', region: '5' },
    } as const
    expect(readListSearch(news, writeListSearch(search))).toEqual(search)
  })
})

describe('listQuery', () => {
  it("asks for the shown columns only, links by their titles, in the reader's language", () => {
    const query = listQuery(districts, {}, 'ru', targetOf)
    expect(query).toMatchObject({
      locale: 'ru',
      fallback: true,
      sort: 'name:asc',
      pagination: { page: 1, pageSize: 15 },
      populate: { region: { fields: ['name'] }, localizations: { fields: ['locale', 'outdated'] } },
    })
    expect(query.fields).toEqual(['name', 'code', 'type', 'updatedAt', 'locale', 'outdated'])
  })
  it('asks for what a linked record is drawn by', () => {
    const { populate } = listQuery(resources.tradinposts, {}, 'ru', targetOf)
    expect(populate).toMatchObject({ tradingpostcategory: { fields: ['name', 'kind'] } })
  })
  it("sorts a link by its target's title", () => {
    expect(listQuery(districts, { sort: 'region:desc' }, 'ru', targetOf).sort).toBe('region.name:desc')
  })
  it('spells search and filters as the API does', () => {
    expect(listQuery(news, { q: 'a', filter: { region: '5' } }, 'ru', targetOf)).toMatchObject({
      _q: 'a',
      filters: { region: { $eq: '5' } },
    })
  })
})
