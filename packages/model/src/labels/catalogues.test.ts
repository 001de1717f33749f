import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Token } from '@messageformat/parser'
import { describe, expect, it } from 'vitest'
import { locales, type Locale } from '../locales.ts'

/** CLDR's plural forms; kaa is not in CLDR and counts like Kazakh. */
const pluralForms: Record<Locale, readonly string[]> = {
  en: ['one', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  uz: ['one', 'other'],
  kaa: ['one', 'other'],
}

function readCatalogue(locale: Locale): Record<string, string> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${locale}.json`), 'utf8')) as Record<string, string>
}

const catalogues = Object.fromEntries(locales.map((locale) => [locale, readCatalogue(locale)])) as Record<
  Locale,
  Record<string, string>
>

function placeholdersOf(tokens: readonly Token[], names = new Set<string>()): Set<string> {
  for (const token of tokens) {
    if (!('arg' in token)) continue
    names.add(token.arg)
    if ('cases' in token) for (const { tokens: inner } of token.cases) placeholdersOf(inner, names)
  }
  return names
}

function pluralsOf(tokens: readonly Token[]): string[][] {
  return tokens.flatMap((token) =>
    'cases' in token
      ? [
          ...(token.type === 'plural' ? [token.cases.map(({ key }) => key).filter((key) => !key.startsWith('='))] : []),
          ...token.cases.flatMap(({ tokens: inner }) => pluralsOf(inner)),
        ]
      : [],
  )
}

describe.each([...locales])('the catalogue of %s', (locale) => {
  const words = catalogues[locale]
  const entries = Object.entries(words)

  it('has the keys of the English one, sorted', () => {
    expect(Object.keys(words)).toEqual(Object.keys(catalogues.en).sort())
  })

  it('has no empty word', () => {
    expect(entries.filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
  })

  it('has valid ICU messages with the placeholders of the English ones', () => {
    const different = entries.filter(([key, text]) => {
      const english = [...placeholdersOf(parse(catalogues.en[key] ?? ''))].sort()
      return english.join() !== [...placeholdersOf(parse(text))].sort().join()
    })
    expect(different).toEqual([])
  })

  it('has every plural form of the language, and no other', () => {
    const wrong = entries.flatMap(([key, text]) =>
      pluralsOf(parse(text))
        .filter((forms) => [...forms].sort().join() !== [...pluralForms[locale]].sort().join())
        .map((forms) => `${key}: ${forms.join(' ')}`),
    )
    expect(wrong).toEqual([])
  })
})
