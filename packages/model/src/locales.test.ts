import { describe, expect, it } from 'vitest'
import { fallbackOrder, isLocale, readTranslations } from './locales.ts'

describe('readTranslations', () => {
  it.each([
    [{ en: 'a', ru: 'b' }, 'ru', 'b'],
    [{ en: 'a', ru: 'b' }, 'uz', 'a'],
    [{ ru: 'b', kaa: 'd' }, 'uz', 'b'],
    [{ kaa: 'd' }, 'en', 'd'],
    [{ en: '', kaa: 'd' }, 'en', 'd'],
    [{}, 'en', null],
    ['plain', 'kaa', 'plain'],
    [null, 'en', null],
    [undefined, 'en', null],
  ] as const)('reads the translations %j in the language %s as %j', (value, locale, text) => {
    expect(readTranslations(value, locale)).toBe(text)
  })
})

describe('fallbackOrder and isLocale', () => {
  it('puts the requested languages first, then the others in a fixed order', () => {
    expect(fallbackOrder('kaa', 'ru')).toEqual(['kaa', 'ru', 'en', 'uz'])
    expect(fallbackOrder()).toEqual(['en', 'ru', 'uz', 'kaa'])
  })
  it('accepts only the codes of the four languages', () => {
    expect(['en', 'ru', 'uz', 'kaa', 'de', 'EN', '', null].map(isLocale)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
