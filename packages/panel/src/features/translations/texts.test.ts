import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sourceOf, sourcesOf } from '../../resource/memory/source-language.ts'
import { progressOf, textFields } from './texts.ts'
import { sumOf } from './translations.ts'

const texts = { en: { title: 'Rain' }, uz: { title: 'Yomgʻir', text: '<p>…</p>' }, kaa: { title: '', text: '<p></p>' } }

describe('sourceOf', () => {
  it('returns a source language that has a text, and never the target language', () => {
    expect(sourcesOf(texts, 'uz')).toEqual(['en'])
    expect(sourceOf(texts, 'uz', 'uz')).toBe('en')
    expect(sourceOf({}, 'uz', 'ru')).toBeUndefined()
  })

  it('prefers the chosen source language, then the user’s, then Russian, then the first', () => {
    expect(sourceOf(texts, 'kaa', 'en', 'uz')).toBe('uz')
    expect(sourceOf(texts, 'kaa', 'en')).toBe('en')
    expect(sourceOf({ ...texts, ru: { title: 'Дождь' } }, 'kaa', 'kaa')).toBe('ru')
    expect(sourceOf(texts, 'kaa', 'kaa')).toBe('en')
  })
})

describe('translation progress', () => {
  it('counts in the progress of a translation the fields that the source has', () => {
    expect(progressOf(['title', 'text', 'note'], texts.uz, texts.kaa)).toEqual({ filled: 0, all: 2 })
    expect(progressOf(['title', 'text'], texts.uz, texts.en)).toEqual({ filled: 1, all: 2 })
  })

  it('adds the progress of several translations', () => {
    const languageCounts = { total: 3, current: 1, outdated: 1, missing: 1 }
    expect(sumOf([languageCounts, languageCounts])).toEqual({ total: 6, current: 2, outdated: 2, missing: 2 })
    expect(sumOf([])).toEqual({ total: 0, current: 0, outdated: 0, missing: 0 })
  })
})

it('lists the texts of a resource in the order of its form', () => {
  const names = textFields(resources.news).map(([name]) => name)
  const drawnFields = (resources.news.form?.sections ?? []).flatMap(({ fields }) => [...fields])
  expect(names.length).toBeGreaterThan(1)
  expect(names).toEqual(drawnFields.filter((name) => names.includes(name)))
})
