import { describe, expect, it } from 'vitest'
import { type Query, toQueryString } from './query-string.ts'

describe('formats the query %s', () => {
  it.each<[string, Query | undefined, string]>([
    ['nothing', undefined, ''],
    ['an empty object', {}, ''],
    ['plain values', { locale: 'ru', limit: 15, count: true }, '?locale=ru&limit=15&count=true'],
    ['nested objects', { pagination: { page: 2, pageSize: 15 } }, '?pagination[page]=2&pagination[pageSize]=15'],
    ['deep filters', { filters: { region: { id: { $eq: 3 } } } }, '?filters[region][id][$eq]=3'.replace('$', '%24')],
    [
      'lists by number',
      { sort: ['title', 'id:desc'], populate: ['a'] },
      '?sort[0]=title&sort[1]=id%3Adesc&populate[0]=a',
    ],
    [
      'lists of objects',
      { filters: { $or: [{ a: { $in: [1, 2] } }] } },
      '?filters[%24or][0][a][%24in][0]=1&filters[%24or][0][a][%24in][1]=2',
    ],
    ['values that need encoding', { q: 'a&b=c d#é[ʻ]' }, '?q=a%26b%3Dc%20d%23%C3%A9%5B%CA%BB%5D'],
    ['null as an empty value', { a: null }, '?a='],
    ['undefined left out', { a: undefined, b: { c: undefined, d: 1 } }, '?b[d]=1'],
  ])('formats as a query string %s', (_what, query, text) => {
    expect(toQueryString(query)).toBe(text)
  })
})
