import type { Entry } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { partsOf, textsOf } from './texts.ts'

const russian = {
  id: 1,
  locale: 'ru',
  kind: 'single',
  title: 'Урок',
  content: '<p>Текст</p>',
  videourl: 'https://youtu.be/ruruururuur',
  link: null,
}
const kaa = { id: 2, locale: 'kaa', title: 'Sabaq', content: '<p></p>', videourl: '' }
const lesson = (lessonFields: object = {}, otherEntries: object[] = [kaa]): Entry => ({
  ...russian,
  localizations: otherEntries,
  ...lessonFields,
})

describe('textsOf', () => {
  it('returns the lesson texts of the wanted language, whichever localization was loaded', () => {
    expect(textsOf(lesson(), 'kaa').title).toEqual({ value: 'Sabaq', locale: 'kaa' })
    expect(textsOf(lesson(), 'ru').content).toEqual({ value: '<p>Текст</p>', locale: 'ru' })
  })
  it('borrows a missing video of a lesson and names its language, but borrows no text', () => {
    const { video, content } = textsOf(lesson(), 'kaa')
    expect(video).toEqual({ value: russian.videourl, locale: 'ru' })
    expect(content).toBeUndefined()
  })
  it('plays the uploaded file of a lesson if no language has an address, in the language of its first text', () => {
    const silentLesson = lesson({ videourl: null, video: { file: 'a1.mp4' } })
    expect(textsOf(silentLesson, 'kaa').video).toEqual({ value: '/a1.mp4', locale: 'ru' })
  })
  it('returns the texts of the next language entirely if the wanted language is missing', () => {
    const english = { id: 3, locale: 'en', title: 'Lesson', content: '<p>Text</p>' }
    const texts = textsOf(lesson({}, [kaa, english]), 'uz')
    expect([texts.title.locale, texts.content?.locale, texts.video?.locale]).toEqual(['en', 'en', 'ru'])
  })
  it('returns parts of a lesson instead of one body if there are several', () => {
    const parts = [{ id: 'a', title: 'A' }, 'x', { content: '<p>b</p>', videourl: null }]
    const texts = textsOf(lesson({ kind: 'multi', parts }), 'ru')
    expect([texts.content, texts.video]).toEqual([undefined, undefined])
    expect(texts.parts?.value).toEqual([
      { id: 'a', title: 'A', content: '', videourl: '' },
      { id: 'part-2', title: '', content: '<p>b</p>', videourl: '' },
    ])
    expect(textsOf(lesson({ parts }), 'ru').parts).toBeUndefined()
  })
  it('counts a picture as text, and empty markup as no text', () => {
    expect(textsOf(lesson({ content: '<p><img src="https://x.org/a.png"></p>' }), 'ru').content).toBeDefined()
    expect(textsOf(lesson({ content: '<p>&nbsp;</p><p><br></p>' }), 'ru').content).toBeUndefined()
  })
  it.each([null, 'x', {}, 5])('finds no lesson parts in %j', (value) => {
    expect(partsOf(value)).toEqual([])
  })
})
