import { describe, expect, it } from 'vitest'
import { findTerms, missedTerms, termParts, termsOf } from './glossary.ts'

const ru = {
  'field.price': 'Цена',
  'prices.many': 'Прайс-листы',
  'regions.one': 'Регион',
  'districts.one': 'Район',
  'waters.one': 'Капельное орошение',
  'waterings.one': 'Орошение',
  'news.one': 'Новость',
  'list.item': '{count} записей',
  'action.save': 'Сохранить',
  'field.long': 'Вот это слишком длинное название поля',
  'field.same': 'Agro',
}
const kaa = {
  'field.price': 'Baha',
  'prices.many': 'Bahalar dizimleri',
  'regions.one': 'Region',
  'districts.one': 'Rayon',
  'waters.one': 'Tamshılatıp suwǵarıw',
  'waterings.one': 'Suwǵarıw',
  'news.one': 'Jańalıq',
  'list.item': '{count} jazıw',
  'action.save': 'Saqlaw',
  'field.long': 'Uzın',
  'field.same': 'Agro',
}
const terms = termsOf(ru, kaa)
const findTargets = (text: string) => findTerms(text, terms).map(({ target }) => target)

describe('the glossary of two languages', () => {
  it('collects names of things for the glossary, and no sentences, buttons or plurals', () => {
    expect(terms.map(({ source }) => source)).toEqual([
      'Цена',
      'Прайс-листы',
      'Регион',
      'Район',
      'Капельное орошение',
      'Орошение',
      'Новость',
    ])
  })
})

describe('termsIn', () => {
  it('finds a term of the glossary in any case of the word, and once', () => {
    expect(findTargets('В двух районах и в третьем районе')).toEqual(['Rayon'])
    expect(findTargets('Новости недели')).toEqual(['Jańalıq'])
  })

  it('prefers a term of several words to the terms within it', () => {
    expect(findTargets('О капельном орошении садов')).toEqual(['Tamshılatıp suwǵarıw'])
    expect(findTargets('Орошение садов; капельное орошение полей')).toEqual(['Tamshılatıp suwǵarıw', 'Suwǵarıw'])
  })

  it('ignores other words with the same beginning as a term', () => {
    expect(findTargets('Районированные сорта, ценный опыт')).toEqual([])
    expect(findTargets('Цена выросла')).toEqual(['Baha'])
  })

  it('returns at most as many terms as requested', () => {
    expect(findTerms('Цена, регион, район, новость', terms, 2)).toHaveLength(2)
    expect(findTargets('')).toEqual([])
  })
})

describe('missedTerms', () => {
  const missed = (source: string, target: string) =>
    missedTerms(findTerms(source, terms), target).map((term) => term.target)

  it('names the terms that a translation does not use', () => {
    expect(missed('Капельное орошение в районе', 'Rayonda suw')).toEqual(['Tamshılatıp suwǵarıw'])
    expect(missed('Цена района', 'Qımbat')).toEqual(['Rayon', 'Baha'])
  })

  it('accepts a term with its endings and in the other alphabet, and an empty translation', () => {
    expect(missed('Цена района', 'Rayonlarımızdaǵı bahalardıń ózgeriwi')).toEqual([])
    expect(missed('Цена района', 'Районның баҳасы')).toEqual([])
    expect(missed('Цена района', '')).toEqual([])
  })

  it('accepts the singular of a term in the plural', () => {
    const plurals = [
      { source: 'Районы', target: 'Rayonlar' },
      { source: 'Культуры', target: 'Eginler' },
    ]
    expect(missedTerms(plurals, 'Rayondaǵı egin')).toEqual([])
    expect(missedTerms(plurals, 'Rayon')).toEqual(plurals.slice(1))
  })
})

describe('termParts', () => {
  const marked = (text: string, names: readonly string[]) =>
    termParts(text, names)
      .map((part) => (part.isTerm ? `[${part.text}]` : part.text))
      .join('')

  it('marks each occurrence of a term, longer terms first, and keeps the whole text', () => {
    expect(marked('Капельное орошение и орошение, район.', ['Орошение', 'Капельное орошение', 'Район'])).toBe(
      '[Капельное орошение] и [орошение], [район].',
    )
    expect(marked('Bahalardıń ózgeriwi', ['Baha'])).toBe('[Bahalardıń] ózgeriwi')
    expect(marked('Rayonlardaǵı suw', ['Rayon'])).toBe('[Rayonlardaǵı] suw')
    expect(marked('Rayondaǵı suw', ['Rayonlar'])).toBe('[Rayondaǵı] suw')
    expect(marked('', ['Rayon'])).toBe('')
  })
})
