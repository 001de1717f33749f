import { describe, expect, it } from 'vitest'
import kaaHelp from '../labels/help/kaa.json' with { type: 'json' }
import uzHelp from '../labels/help/uz.json' with { type: 'json' }
import kaa from '../labels/kaa.json' with { type: 'json' }
import uz from '../labels/uz.json' with { type: 'json' }
import { searchKey, searchNeedles } from './fold.ts'
import { toCyrillic } from './script/convert.ts'
import { protectedPattern, wordPattern } from './script/protected.ts'

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
/** The different words of the catalogue and of the help, without placeholders and codes. */
const wordsOf = (...catalogues: readonly unknown[]) => [
  ...new Set(
    catalogues.flatMap(textsOf).flatMap((text) => text.replaceAll(protectedPattern, ' ').match(wordPattern) ?? []),
  ),
]

/** Whether a search for a word finds a text. */
const isFound = (text: string, query: string) => searchNeedles(query).some((needle) => searchKey(text).includes(needle))

describe.each([
  ['uz', wordsOf(uz, uzHelp)],
  ['kaa', wordsOf(kaa, kaaHelp)],
] as const)('every word of the catalogue in %s', (locale, words) => {
  const pairs = words.map((latin) => ({ latin, cyrillic: toCyrillic(latin, locale) }))

  it('is found in Latin by its Cyrillic spelling', () => {
    expect(pairs.length).toBeGreaterThan(3_000)
    expect(pairs.filter(({ latin, cyrillic }) => !isFound(latin, cyrillic))).toEqual([])
  })

  it('is found in Cyrillic by its Latin spelling', () => {
    expect(pairs.filter(({ latin, cyrillic }) => !isFound(cyrillic, latin))).toEqual([])
  })
})
