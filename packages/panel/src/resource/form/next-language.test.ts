import { resources } from '@dala/model'
import { expect, it } from 'vitest'
import { nextLanguage } from './next-language.ts'

const member = (isOutdated: boolean) => ({ id: 1, version: 1, outdated: isOutdated })
const texts = { en: { title: 'a' }, ru: { title: 'b' }, uz: { title: 'c' }, kaa: { title: 'd' } }
const findNextLanguage = (
  writtenTexts: object,
  family: Map<'en' | 'ru' | 'uz' | 'kaa', ReturnType<typeof member>>,
  fromLanguage: 'en' | 'uz',
) => nextLanguage(resources.news, { ...texts, ...writtenTexts }, family, fromLanguage)

it('returns the next missing or outdated language, starting over at the end', () => {
  expect(findNextLanguage({ uz: { title: '' } }, new Map(), 'en')).toEqual({ locale: 'uz', isWanting: true })
  expect(findNextLanguage({}, new Map([['en', member(true)]]), 'uz')).toEqual({ locale: 'en', isWanting: true })
  expect(findNextLanguage({ uz: {} }, new Map([['ru', member(true)]]), 'en').locale).toBe('ru')
})

it('returns the following language when no language is missing, never the current one', () => {
  expect(findNextLanguage({}, new Map([['uz', member(true)]]), 'uz')).toEqual({ locale: 'kaa', isWanting: false })
})
