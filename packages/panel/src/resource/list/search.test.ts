import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { listQuery, readListSearch, writeListSearch } from './search.ts'

const { districts, news } = resources
const resourceByName: Record<string, (typeof resources)[keyof typeof resources]> = resources
const targetOf = (name: string) => resourceByName[name]

describe('the address of a list', () => {
  it('drops invalid parts of a list’s address', () => {
    expect(
      readListSearch(news, { page: 'x', size: '7', sort: 'password', lang: 'de', 'f.nothing': '1', q: '' }),
    ).toEqual({})
    expect(readListSearch(news, { page: -1, size: 15 })).toEqual({})
  })
  it('reads the address of a list back as it was written', () => {
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

describe('the query of a list', () => {
  it('requests only the shown columns, links by their titles, in the language of the user', () => {
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
  it('requests the fields that a linked record is shown with', () => {
    const { populate } = listQuery(resources.tradinposts, {}, 'ru', targetOf)
    expect(populate).toMatchObject({ tradingpostcategory: { fields: ['name', 'kind'] } })
  })
  it('sorts a link by the title of its record', () => {
    expect(listQuery(districts, { sort: 'region:desc' }, 'ru', targetOf).sort).toBe('region.name:desc')
  })
  it('formats search and filters of a list for the API', () => {
    expect(listQuery(news, { q: 'a', filter: { region: '5' } }, 'ru', targetOf)).toMatchObject({
      _q: 'a',
      filters: { region: { $eq: '5' } },
    })
  })
})
