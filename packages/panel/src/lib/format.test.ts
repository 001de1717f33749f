import { afterEach, describe, expect, it, vi } from 'vitest'
import { locales } from '@dala/model'
import {
  compareText,
  formatClock,
  formatDate,
  formatDateTime,
  formatDuration,
  formatList,
  formatLongDate,
  formatNumber,
  formatRelative,
  formatSpan,
  parseDate,
  parseNumber,
  parseTime,
  toMomentText,
  weekdayNames,
} from './format.ts'
import { activateLanguage, t } from './i18n.ts'

const nb = '\u00A0'

describe('numbers', () => {
  it.each([
    ['en', 1904, undefined, '1,904'],
    ['ru', 1904, undefined, `1${nb}904`],
    ['uz', 1234567.5, undefined, `1${nb}234${nb}567,5`],
    ['kaa', 1234567.5, 2, `1${nb}234${nb}567,50`],
    ['kaa', -0.004, 2, '0,00'],
    ['kaa', -12, undefined, '−12'],
    ['en', 999, undefined, '999'],
    ['en', Number.NaN, undefined, ''],
  ] as const)('formats in %s the number %d', (locale, value, decimals, text) => {
    expect(formatNumber(locale, value, decimals)).toBe(text)
  })

  it.each([
    ['1 904,5', 1904.5],
    [`1${nb}904`, 1904],
    ['1,904.5', 1904.5],
    ['1904.5', 1904.5],
    ['-3,25', -3.25],
    ['−3', -3],
    ['12abc', null],
    ['', null],
    ['1,2,3', null],
  ])('parses the number "%s" as %s', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })
})

describe('days and moments', () => {
  it.each([
    ['2026-03-01', '01.03.2026'],
    ['2026-02-28T20:30:00.000Z', '01.03.2026'],
    [null, ''],
    ['no date', ''],
  ])("formats the day of %s as %s in the user's zone", (value, text) => {
    expect(formatDate(value)).toBe(text)
  })

  it("formats a time in the user's zone", () => {
    expect(formatDateTime('2026-02-28T20:30:00.000Z')).toBe('01.03.2026 01:30')
  })

  it.each([
    ['1.3.2026', '2026-03-01'],
    ['01.03.2026', '2026-03-01'],
    ['29.02.2027', null],
    ['31.04.2026', null],
    ['2026-03-01', null],
    ['', null],
  ])('parses the date "%s" as %s', (text, day) => {
    expect(parseDate(text)).toBe(day)
  })

  it.each([
    ['en', '5 November 2026'],
    ['ru', '5 ноября 2026'],
    ['kaa', '2026-jıl 5-noyabr'],
  ] as const)('formats a long date in %s', async (locale, text) => {
    await activateLanguage(locale)
    expect(formatLongDate(t, '2026-11-05')).toContain(text)
  })

  it.each([
    ['en', '2026-11-05T09:58:00Z', '2 minutes ago'],
    ['ru', '2026-11-05T07:00:00Z', '3 часа назад'],
    ['ru', '2026-11-05T05:00:00Z', '5 часов назад'],
    ['kaa', '2026-11-05T05:00:00Z', '5 saat aldın'],
    ['kaa', '2026-10-01T05:00:00Z', '01.10.2026'],
  ] as const)('formats in %s the past moment %s as %s', async (locale, value, text) => {
    await activateLanguage(locale)
    expect(formatRelative(t, value, new Date('2026-11-05T10:00:00Z'))).toBe(text)
  })
})

describe('formatClock and formatSpan', () => {
  const now = new Date('2026-11-05T15:00:00')
  it.each([
    ['2026-11-05T09:05:00', '09:05'],
    ['2026-11-04T23:59:00', '04.11'],
    ['2025-11-05T09:05:00', '05.11.2025'],
    ['', ''],
  ])('formats the time of a message at "%s" as "%s"', (value, text) => expect(formatClock(value, now)).toBe(text))

  it.each([
    ['2026-11-05T14:59:50', '1 min'],
    ['2026-11-05T14:01:00', '59 min'],
    ['2026-11-05T13:00:00', '2 h'],
    ['2026-11-04T15:00:00', '1 day'],
    ['2026-10-04T15:00:00', '32 days'],
    ['2026-11-05T16:00:00', '1 min'],
  ])('formats the time since %s as %s', (value, text) => expect(formatSpan(t, value, now)).toBe(text))
})

describe('lists and plurals', () => {
  it('joins the items of a list with the word of the language', async () => {
    expect(formatList(t, ['a'])).toBe('a')
    await activateLanguage('kaa')
    expect(formatList(t, ['a', 'b', 'c'])).toBe('a, b hám c')
  })

  it.each([
    ['en', 1, '1 item'],
    ['en', 1904, '1,904 items'],
    ['ru', 21, '21'],
    ['kaa', 1904, `1${nb}904`],
  ] as const)('formats in %s the plural of %d items', async (locale, count, start) => {
    await activateLanguage(locale)
    expect(t('list.item', { count })).toMatch(new RegExp(`^${start}`))
  })
})

describe('sorting', () => {
  it('sorts names by the Karakalpak alphabet', () => {
    const sortedTexts = [
      'Chimbay',
      'Sharq',
      'Zaman',
      'Íqlas',
      'Iqlim',
      'Xojeli',
      'Hákis',
      'Ámiwdárya',
      'Awıl',
      'Nókis',
      'Ńaǵıs',
      'Biruniy',
    ]
    expect([...sortedTexts].sort((a, b) => compareText('kaa', a, b))).toEqual([
      'Awıl',
      'Ámiwdárya',
      'Biruniy',
      'Hákis',
      'Xojeli',
      'Íqlas',
      'Iqlim',
      'Nókis',
      'Ńaǵıs',
      'Zaman',
      'Sharq',
      'Chimbay',
    ])
  })

  it('sorts names by the Uzbek alphabet, for every kind of apostrophe', () => {
    const names = ['Chust', 'Shofirkon', 'Gʻijduvon', "O'rta", 'Oqqoʻrgʻon', 'Zomin', 'Guliston', 'Zarbdor']
    expect([...names].sort((a, b) => compareText('uz', a, b))).toEqual([
      'Guliston',
      'Oqqoʻrgʻon',
      'Zarbdor',
      'Zomin',
      "O'rta",
      'Gʻijduvon',
      'Shofirkon',
      'Chust',
    ])
  })

  it('sorts lower and upper case of one name together', () => {
    expect(compareText('kaa', 'ıqlas', 'Íqlas')).toBe(0)
  })
})

describe('formats of kaa and uz without the runtime', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(['kaa', 'uz'] as const)(
    'formats %s text the same with a runtime that refuses the language',
    async (locale) => {
      const requestedLocales: unknown[] = []
      const runtime = globalThis.Intl
      vi.stubGlobal('Intl', {
        ...runtime,
        PluralRules: function PluralRules(pluralLocales: string | string[], options?: Intl.PluralRulesOptions) {
          requestedLocales.push(...[pluralLocales].flat())
          return new runtime.PluralRules(pluralLocales, options)
        },
        NumberFormat: () => expect.unreachable('NumberFormat was asked'),
        DateTimeFormat: () => expect.unreachable('DateTimeFormat was asked'),
        Collator: () => expect.unreachable('Collator was asked'),
      })
      await activateLanguage(locale)
      const formatFigure = [
        formatNumber(locale, 12345.6),
        formatLongDate(t, '2026-11-05'),
        formatRelative(t, '2026-11-05T05:00:00Z', new Date('2026-11-05T10:00:00Z')),
        weekdayNames(t, 'short').join(),
        t('list.selected', { count: 3 }),
        ['b', 'a'].sort((left, right) => compareText(locale, left, right)).join(),
      ]
      expect(formatFigure).toMatchSnapshot()
      expect(requestedLocales.filter((language) => language !== 'en')).toEqual([])
    },
  )

  it('formats month names from the catalogue in every language', async () => {
    for (const locale of locales) {
      await activateLanguage(locale)
      expect(formatLongDate(t, '2026-05-09')).not.toContain('date.')
    }
  })
})

describe('parseTime and toMomentText', () => {
  it.each([
    ['9', '09:00'],
    ['0905', '09:05'],
    ['9.05', '09:05'],
    [' 23:59 ', '23:59'],
    ['24:00', null],
    ['12:60', null],
    ['9:5', null],
    ['noon', null],
    ['', null],
  ])('parses the time of day %j as %j', (text, time) => {
    expect(parseTime(text)).toBe(time)
  })

  it('returns a moment for an existing day only', () => {
    expect(toMomentText('2026-03-01', '15:30')).toBe(new Date(2026, 2, 1, 15, 30).toISOString())
    expect(toMomentText('2026-02-30', '15:30')).toBeNull()
    expect(toMomentText('31.2.2026', '15:30')).toBeNull()
  })
})

describe('formatDuration', () => {
  afterEach(() => activateLanguage('ru'))
  it.each([
    ['en', ['0 min', '45 min', '1 h 00 min', '2 h 05 min', '47 h 59 min', '2 d 0 h', '3 d 4 h', '12 days']],
    ['ru', ['0 мин', '45 мин', '1 ч 00 мин', '2 ч 05 мин', '47 ч 59 мин', '2 сут 0 ч', '3 сут 4 ч', '12 дней']],
    [
      'uz',
      [
        '0 daq',
        '45 daq',
        '1 soat 00 daq',
        '2 soat 05 daq',
        '47 soat 59 daq',
        '2 sutka 0 soat',
        '3 sutka 4 soat',
        '12 kun',
      ],
    ],
    [
      'kaa',
      [
        '0 min',
        '45 min',
        '1 saat 00 min',
        '2 saat 05 min',
        '47 saat 59 min',
        '2 sutka 0 saat',
        '3 sutka 4 saat',
        '12 kún',
      ],
    ],
  ] as const)('formats durations in %s', async (locale, texts) => {
    await activateLanguage(locale)
    expect([-3, 44.6, 59.7, 125, 2879, 2880, 4575, 17_000].map((minutes) => formatDuration(t, minutes))).toEqual(texts)
  })
})
