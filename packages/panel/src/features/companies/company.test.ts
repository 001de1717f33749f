import { expect, it } from 'vitest'
import { textIn } from './company.ts'

const record = {
  id: 1,
  locale: 'ru',
  slogan: 'Свежее',
  description: '',
  localizations: [
    { id: 2, locale: 'uz', slogan: '', description: 'Sabzavot' },
    { id: 3, locale: 'kaa', slogan: null, description: null },
  ],
}

it('returns the text in the wanted language, otherwise the first one, and names the language found', () => {
  expect(textIn(record, 'slogan', 'ru')).toEqual({ text: 'Свежее', lang: 'ru' })
  expect(textIn(record, 'slogan', 'uz')).toEqual({ text: 'Свежее', lang: 'ru' })
  expect(textIn(record, 'description', 'kaa')).toEqual({ text: 'Sabzavot', lang: 'uz' })
  expect(textIn(record, 'address', 'en')).toBeUndefined()
})
