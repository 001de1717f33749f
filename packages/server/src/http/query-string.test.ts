import fc from 'fast-check'
import { Fault } from '@dala/model'
import { expect, test } from 'vitest'
import { parseQueryString, queryTextOf } from './query-string.ts'

/** The expected outcomes of a query string are parsed or refused with 400; the test names any other. */
function outcomeOf(text: string): string {
  try {
    parseQueryString(text)
    return 'expected'
  } catch (error) {
    return error instanceof Fault && error.status === 400 ? 'expected' : String(error)
  }
}

const plainCopy = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const numberTexts = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test.each<[text: string, value: unknown]>([
  ['', {}],
  ['&', {}],
  ['a=1&', { a: '1' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[]=1', { a: ['1'] }],
  ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
  ['a%5B0%5D=x', { a: ['x'] }],
  ['filters%5Bname%5D%5B%24eq%5D=a%26b', { filters: { name: { $eq: 'a&b' } } }],
  ['filters[name][$eq]=a+b%2Bc', { filters: { name: { $eq: 'a b+c' } } }],
  ['filters[name]_eq=x', { filters: { name: 'x' } }],
  ['sort=a:asc,b:desc', { sort: 'a:asc,b:desc' }],
  ['populate[region][fields][0]=name', { populate: { region: { fields: ['name'] } } }],
  [
    'a[b][c][d][e][f][g][h][i][j][k][l][m]=1',
    { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: { l: { m: '1' } } } } } } } } } } } } },
  ],
  [
    numberTexts(100)
      .map((index) => `a[${index}]=${index}`)
      .join('&'),
    { a: numberTexts(100) },
  ],
  [
    numberTexts(100)
      .map((index) => `a[]=${index}`)
      .join('&'),
    { a: numberTexts(100) },
  ],
  [
    numberTexts(100)
      .map((index) => `f[id][$in][${index}]=${index}`)
      .join('&'),
    { f: { id: { $in: numberTexts(100) } } },
  ],
  ['name=%D0%A2%D0%B0%D1%88%D0%BA%D0%B5%D0%BD%D1%82', { name: 'Ташкент' }],
])('parses the query string: %s', (text, value) => {
  expect(plainCopy(parseQueryString(text))).toEqual(value)
})

test.each<[what: string, text: string]>([
  ['13 brackets', `a${'[b]'.repeat(13)}=1`],
  ['20 brackets', `a${'[b]'.repeat(20)}=1`],
  ['20 encoded brackets', `a${'%5Bb%5D'.repeat(20)}=1`],
  ['open brackets', `a${'['.repeat(40)}=1`],
  [
    '101 values',
    numberTexts(101)
      .map((index) => `a[]=${index}`)
      .join('&'),
  ],
  [
    '101 repeated values',
    numberTexts(101)
      .map((index) => `a=${index}`)
      .join('&'),
  ],
  [
    '101 numbered values',
    numberTexts(101)
      .map((index) => `a[${index}]=${index}`)
      .join('&'),
  ],
  [
    '301 parameters',
    numberTexts(301)
      .map((index) => `a${index}=1`)
      .join('&'),
  ],
  ['8 KB and more', `a=${'x'.repeat(8_192)}`],
  ['__proto__', '__proto__[x]=1'],
  ['__proto__ inside', 'filters[__proto__][x]=1'],
  ['encoded __proto__', 'filters%5B__proto__%5D=1'],
  ['double encoded letters', '%5f%5fproto%5f%5f=1'],
  ['constructor', 'a[constructor][prototype][x]=1'],
  ['prototype', 'prototype=1'],
  ['a null byte', 'a=%00'],
  ['a null byte in a key', 'a%00=1'],
  ['a broken escape', 'a=%ZZ'],
  ['half an escape', 'a=%'],
  ['half a letter', 'a=%D0'],
  ['a lone surrogate', 'a=%ED%A0%80'],
])('refuses a query string with %s with status 400', (_what, text) => {
  expect(() => parseQueryString(text)).toThrow(expect.objectContaining({ status: 400 }))
})

test('parses query strings into objects without a prototype, at any depth', () => {
  const parsedQuery = parseQueryString('a[b][c]=1')
  expect(Object.getPrototypeOf(parsedQuery)).toBe(null)
  expect(Object.getPrototypeOf(parsedQuery.a)).toBe(null)
})

test('parses or refuses any query string, and fails in no other way', () => {
  const queryPieces = fc.constantFrom(
    'a',
    '[',
    ']',
    '=',
    '&',
    '%',
    '5B',
    '%5D',
    '0',
    '.',
    '$in',
    '__proto__',
    'ё',
    '+',
    ',',
    '#',
    '\u0000',
  )
  fc.assert(
    fc.property(fc.array(queryPieces, { maxLength: 60 }), (parts) => {
      expect(outcomeOf(parts.join(''))).toBe('expected')
      expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
    }),
  )
})

test('preserves values through the encoding of a query string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (value) => {
      fc.pre(!value.includes('\0'))
      expect(parseQueryString(`a[b]=${encodeURIComponent(value)}`)).toMatchObject({ a: { b: value } })
    }),
  )
})

test.each([
  ['/api/news', ''],
  ['/api/news?a=1', 'a=1'],
  ['/api/news?a=1?b', 'a=1?b'],
  ['/api/news?a=1#b', 'a=1'],
])('finds the query string of the address %s', (url, text) => {
  expect(queryTextOf(url)).toBe(text)
})
