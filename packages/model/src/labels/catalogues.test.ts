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

/** Characters that no text of a language contains: other alphabets, and apostrophes of other spellings. */
const foreignSigns: Readonly<Partial<Record<Locale, RegExp>>> = {
  // In Uzbek, oʻ and gʻ have U+02BB, the tutuq belgisi is U+02BC.
  uz: /[\u0400-\u04ff'`‘’]/,
  // The Karakalpak alphabet of 2016 needs no apostrophe.
  kaa: /[\u0400-\u04ff'`‘’ʻʼ]/,
}

/** The messages of the interface, and the texts of the help. */
const folders = { catalogue: '.', help: 'help' } as const
type Folder = keyof typeof folders
type Texts = Readonly<Record<string, string>>

function readCatalogue(folder: Folder, locale: Locale): Texts {
  const path = join(import.meta.dirname, folders[folder], `${locale}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Texts
}

const readAllMessages = (folder: Folder) =>
  Object.fromEntries(locales.map((locale) => [locale, readCatalogue(folder, locale)])) as Record<Locale, Texts>

const messagesByFolder = { catalogue: readAllMessages('catalogue'), help: readAllMessages('help') }
const folderNames = ['catalogue', 'help'] as const

function placeholdersOf(tokens: readonly Token[], names = new Set<string>()): Set<string> {
  for (const token of tokens) {
    if (!('arg' in token)) continue
    names.add(token.arg)
    if ('cases' in token) for (const { tokens: caseTokens } of token.cases) placeholdersOf(caseTokens, names)
  }
  return names
}

function pluralsOf(tokens: readonly Token[]): string[][] {
  return tokens.flatMap((token) =>
    'cases' in token
      ? [
          ...(token.type === 'plural' ? [token.cases.map(({ key }) => key).filter((key) => !key.startsWith('='))] : []),
          ...token.cases.flatMap(({ tokens: caseTokens }) => pluralsOf(caseTokens)),
        ]
      : [],
  )
}

describe.each(folderNames.flatMap((folder) => locales.map((locale) => [folder, locale] as const)))(
  'the %s of %s',
  (folder, locale) => {
    const catalogues = messagesByFolder[folder]
    const localeMessages = catalogues[locale]
    const entries = Object.entries(localeMessages)

    it('has the sorted keys of the English catalogue', () => {
      expect(Object.keys(localeMessages)).toEqual(Object.keys(catalogues.en).sort())
    })

    it('has no empty text in the catalogue', () => {
      expect(entries.filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
    })

    it('uses only letters of the language in its catalogue', () => {
      const signs = foreignSigns[locale]
      // Each language is named in its own language.
      const foreignEntries = entries.filter(([key, text]) => !key.startsWith('value.language.') && signs?.test(text))
      expect(foreignEntries).toEqual([])
    })

    it('has valid ICU messages with the placeholders of the English messages', () => {
      const differentTexts = entries.filter(([key, text]) => {
        const english = [...placeholdersOf(parse(catalogues.en[key] ?? ''))].sort()
        return english.join() !== [...placeholdersOf(parse(text))].sort().join()
      })
      expect(differentTexts).toEqual([])
    })

    it('has exactly the plural forms of the language in its messages', () => {
      const wrongEntries = entries.flatMap(([key, text]) =>
        pluralsOf(parse(text))
          .filter((forms) => [...forms].sort().join() !== [...pluralForms[locale]].sort().join())
          .map((forms) => `${key}: ${forms.join(' ')}`),
      )
      expect(wrongEntries).toEqual([])
    })
  },
)
