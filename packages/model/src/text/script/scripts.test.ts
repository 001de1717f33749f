import { describe, expect, it } from 'vitest'
import { locales } from '../../locales.ts'
import {
  isScript,
  isScriptLocale,
  isWrittenLocale,
  localeOf,
  scriptOf,
  scripts,
  writtenLocale,
  writtenLocaleNames,
  writtenLocales,
} from './scripts.ts'
import { toCyrillic } from './convert.ts'

describe('languages of the interface', () => {
  it('are each language in each of its scripts', () => {
    const combinations = locales.flatMap((locale) => scripts.map((script) => writtenLocale(locale, script)))
    expect([...new Set(combinations)].toSorted()).toEqual([...writtenLocales].toSorted())
  })
  it.each(writtenLocales)('have their language and script back: %s', (written) => {
    expect(writtenLocale(localeOf(written), scriptOf(written))).toBe(written)
  })
  it.each(['uz', 'kaa'] as const)('have the converted name of %s', (locale) => {
    expect(writtenLocaleNames[`${locale}-Cyrl`]).toBe(toCyrillic(writtenLocaleNames[locale], locale))
  })
  it.each([null, undefined, 'latin'] as const)('are in Latin with the script %s', (script) => {
    expect(writtenLocale('uz', script)).toBe('uz')
  })
  it.each(['ru-Cyrl', 'kaa-Latn', '', 1, null])('do not include %s', (value) => {
    expect(isWrittenLocale(value)).toBe(false)
  })
  it('have a script only where the language has two', () => {
    expect(locales.filter(isScriptLocale)).toEqual(['uz', 'kaa'])
    expect(['latin', 'cyrillic', 'greek', null].filter(isScript)).toEqual(['latin', 'cyrillic'])
  })
})
