import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressesOf, type Resource, screensOf } from '../declaration/define-resource.ts'
import { helpAddresses, helpKey, helpOfPage, helpOfScreen, helpPages, lowestAllowedRole } from './help.ts'
import { type Locale, locales } from '../locales.ts'
import { resources } from '../resources/index.ts'

type Texts = Readonly<Record<string, string>>

const readTexts = (...path: string[]): Texts =>
  JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8')) as Texts

const texts = Object.fromEntries(locales.map((locale) => [locale, readTexts('help', `${locale}.json`)])) as Record<
  Locale,
  Texts
>
const catalogue = readTexts('en.json')

const screens = Object.values<Resource>(resources).flatMap(screensOf)
const helpTopics = [
  ...screens.flatMap((screen) => addressesOf(screen).map((address) => helpOfScreen(screen, address))),
  ...helpPages.map(helpOfPage),
]
const findScreen = (path: string) => {
  const matchingScreen = screens.find((screen) => screen.path === path)
  if (!matchingScreen) throw new Error(`No screen has the path ${path}`)
  return matchingScreen
}
const readHelpTexts = (path: string) => helpOfScreen(findScreen(path)).pageFacts.map(({ text }) => text)

describe.each([...locales])('the help in %s', (locale) => {
  it('has for each screen and page a help text on its purpose, and three things to know', () => {
    const missingTexts = helpTopics.flatMap(({ key, pageFacts: helpFacts }) =>
      [`${key}.for`, ...helpFacts.map(({ text }) => text)].filter((text) => !texts[locale][text]),
    )
    expect(missingTexts).toEqual([])
    expect(
      helpTopics.filter(({ pageFacts: helpFacts }) => new Set(helpFacts.map(({ text }) => text)).size !== 3),
    ).toEqual([])
  })

  it('has only help texts that are shown', () => {
    const shownKeys = new Set(
      helpTopics.flatMap(({ key, pageFacts: helpFacts }) => [`${key}.for`, ...helpFacts.map(({ text }) => text)]),
    )
    const titles = new Set(helpAddresses.map((address) => `${helpKey(address)}.title`))
    expect(Object.keys(texts[locale]).filter((key) => !shownKeys.has(key) && !titles.has(key))).toEqual([])
  })

  it('names controls in help texts by labels that exist and have no placeholders', () => {
    const names = Object.values(texts[locale]).flatMap((text) =>
      [...text.matchAll(/\[([^\]]+)\]/g)].map(([, key]) => key),
    )
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((key) => key === undefined || !catalogue[key] || catalogue[key].includes('{'))).toEqual([])
  })

  it('names the same controls as the English help text', () => {
    const namesIn = (text = '') => [...text.matchAll(/\[([^\]]+)\]/g)].map(([, key = '']) => key).sort()
    const differentTexts = Object.keys(texts.en).filter(
      (key) => namesIn(texts[locale][key]).join() !== namesIn(texts.en[key]).join(),
    )
    expect(differentTexts).toEqual([])
  })

  it('has sentences of at most 25 words in help texts', () => {
    const sentences = Object.values(texts[locale]).flatMap((text) => text.split(/(?<=[.!?:;]) /))
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([])
  })
})

describe('the help of a reference list', () => {
  it('begins the help of a reference list with its own text, then adds the shared ones', () => {
    expect(readHelpTexts('settings/tags')).toEqual(['settings.tags.1', 'shared.cleared', 'shared.languages'])
    expect(readHelpTexts('settings/gender')).toEqual(['settings.gender.1', 'shared.cleared', 'shared.order'])
    expect(readHelpTexts('settings/moderation-words')).toEqual([
      'settings.moderation-words.1',
      'shared.trash',
      'shared.hide',
    ])
  })

  it('has a help text that a list item which records require cannot be deleted', () => {
    expect(readHelpTexts('settings/product')[1]).toBe('shared.held')
    expect(readHelpTexts('settings/unit')[1]).toBe('shared.held')
  })

  it("has only the list's own help texts where no record refers to the reference list", () => {
    expect(readHelpTexts('settings/slider')).toEqual(['settings.slider.1', 'settings.slider.2', 'settings.slider.3'])
  })
})

describe('helpOfScreen', () => {
  it('returns separate help for an address below a list that opens another tool', () => {
    expect(helpOfScreen(findScreen('price-list'), 'price-list/$index').key).toBe('price-list.index')
    expect(helpOfScreen(findScreen('news'), 'news/$index').key).toBe('news')
  })

  it('has help only for addresses that screens have', () => {
    const knownAddresses = new Set(screens.flatMap(addressesOf))
    expect(helpAddresses.filter((address) => !knownAddresses.has(address))).toEqual([])
  })
})

describe('lowestAllowedRole', () => {
  it.each([
    ['news', 'update', 'admin'],
    ['staff', 'create', 'super-admin'],
    ['replytemplates', 'create', 'consultant'],
    ['consultations', 'create', 'authenticated'],
    ['audit', 'remove', undefined],
  ] as const)('returns for %s and the operation %s the least role %s', (name, operation, role) => {
    expect(lowestAllowedRole(operation, resources[name])).toBe(role)
  })

  it('returns the least role that a help text names itself', () => {
    expect(lowestAllowedRole('super-admin', undefined)).toBe('super-admin')
  })
})
