import { expect, it } from 'vitest'
import { type ScriptLocale, scriptLocales, toCyrillic, toLatin } from '../../../packages/model/src/index.ts'
import { readTexts } from './texts.ts'

/** The capital of ı is Í, but these words are written with I; they come back with Í. */
const unequal: Readonly<Record<ScriptLocale, RegExp>> = { uz: /^$/u, kaa: /^(?:Issı\p{L}*|Ishtıxan|Izbasqan)$/u }

it.each(scriptLocales)('finds each word of all texts in %s equal after Cyrillic and Latin', async (locale) => {
  const words = new Set<string>()
  for (const text of await readTexts()) {
    if (text.locale !== locale) continue
    for (const [word] of text.text.matchAll(/[\p{L}\p{M}ʻʼ]+/gu)) if (/\p{Script=Latin}/u.test(word)) words.add(word)
  }
  expect(words.size).toBeGreaterThan(2_000)
  const lostWords = [...words].filter((word) => toLatin(toCyrillic(word, locale), locale) !== word)
  expect(lostWords.filter((word) => !unequal[locale].test(word))).toEqual([])
})
