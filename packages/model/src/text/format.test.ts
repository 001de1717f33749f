import { parse, type Token } from '@messageformat/parser'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Locale, locales } from '../locales.ts'
import { figureText, intervalText } from './figures.ts'
import { formatDay, formatMomentIn, formatPercent, type Translate } from './format.ts'
import { formatMessage } from './message.ts'

const catalogueOf = (locale: Locale) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../labels/${locale}.json`), 'utf8')) as Record<string, string>
const translateIn =
  (locale: Locale): Translate =>
  (id, values) =>
    formatMessage(catalogueOf(locale)[id] ?? id, locale, values)
const nb = '\u00A0'

describe('formatMomentIn', () => {
  it.each([
    ['Asia/Tashkent', '01.01.2027 04:30'],
    ['UTC', '31.12.2026 23:30'],
    ['America/New_York', '31.12.2026 18:30'],
  ])('formats a moment in %s whatever the zone of the process', (zone, text) => {
    expect(formatMomentIn('2026-12-31T23:30:00.000Z', zone)).toBe(text)
    expect(formatMomentIn(new Date('2026-12-31T23:30:00.000Z'), zone)).toBe(text)
  })
  it('formats nothing for an invalid moment', () => {
    expect(formatMomentIn('no moment', 'UTC')).toBe('')
  })
})

describe('formatDay, intervalText and formatPercent', () => {
  it('formats days, intervals and shares', () => {
    expect(formatDay('2026-03-01')).toBe('01.03.2026')
    expect(formatDay('2026-3-1')).toBe('')
    expect(intervalText('2026-03-02', 'week')).toBe('02.03.2026')
    expect(intervalText('2026-03-01', 'month')).toBe('03.2026')
    expect(intervalText(null, 'day')).toBe('')
    expect(formatPercent('kaa', 12.5)).toBe(`12,5${nb}%`)
  })
})

describe('figureText', () => {
  it.each([
    ['en', 'minutes', 125, '2 h 05 min'],
    ['ru', 'days', 12, '12 дней'],
    ['uz', 'percent', 87.54, `87,5${nb}%`],
    ['kaa', 'count', 1904, `1${nb}904`],
    ['ru', 'rating', 4.333, '4,3 из 5'],
    ['en', 'count', null, 'No data'],
  ] as const)('formats in %s the unit %s of %s', (locale, unit, value, text) => {
    expect(figureText(translateIn(locale), locale, unit, value)).toBe(text)
  })
})

describe('formatMessage', () => {
  it.each([
    [0, '0 дней'],
    [1, '1 день'],
    [3, '3 дня'],
    [11, '11 дней'],
    [13, '13 дней'],
    [21, '21 день'],
    [104, '104 дня'],
    [1111, `1${nb}111 дней`],
  ])('chooses the Russian plural of %d', (count, text) => {
    expect(translateIn('ru')('unit.day', { count })).toBe(text)
  })
  it('prefers the case of an exact number, and fills the number sign', () => {
    const message = '{n, plural, =0 {no rows} one {# row of {all}} other {# rows of {all}}}.'
    expect([0, 1, 1_200].map((amount) => formatMessage(message, 'en', { n: amount, all: 'x' }))).toEqual([
      'no rows.',
      '1 row of x.',
      '1,200 rows of x.',
    ])
  })
  it.each(locales)('fills every message of the catalogue of %s without leaving a placeholder', (locale) => {
    const unfilledMessages = Object.entries(catalogueOf(locale)).filter(([, message]) => {
      const names = new Set<string>()
      const collectNames = (tokens: readonly Token[]) => {
        for (const token of tokens) {
          if (!('arg' in token)) continue
          names.add(token.arg)
          if ('cases' in token) for (const { tokens: caseTokens } of token.cases) collectNames(caseTokens)
        }
      }
      collectNames(parse(message))
      const text = formatMessage(message, locale, Object.fromEntries([...names].map((name) => [name, 7])))
      return /[{}]|plural,/.test(text)
    })
    expect(unfilledMessages).toEqual([])
  })
})
