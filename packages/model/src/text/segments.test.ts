import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { segmentKey, segmentsOf, shareOf, stemsOf } from './segments.ts'

describe('segmentsOf', () => {
  it.each([
    ['Цены', false, [['Цены']]],
    ['Первая строка. Вторая фраза!\nДальше', false, [['Первая строка.', 'Вторая фраза!'], ['Дальше']]],
    ['Живёт в г. Нукус, ул. Садовая. Работает.', false, [['Живёт в г. Нукус, ул. Садовая.', 'Работает.']]],
    ['Цена 12.5 сума. 3 мешка', false, [['Цена 12.5 сума.', '3 мешка']]],
    ['«Вода!» Сказал он.', false, [['«Вода!»', 'Сказал он.']]],
    ['— — —', false, []],
    ['', true, []],
    ['<p>a &amp; b&nbsp;&#8212; &lt;c&gt;</p>', true, [['a & b — <c>']]],
    ['<h2>Suw</h2><ul><li>bir <b>eki</b></li><li>úsh</li></ul>', true, [['Suw'], ['bir eki'], ['úsh']]],
    ['<p>Bir.<br />Eki.</p><img src="https://example.org/a.png" alt="x" />', true, [['Bir.'], ['Eki.']]],
  ] as const)('cuts %j', (text, isRich, expected) => {
    expect(segmentsOf(text, isRich)).toEqual(expected)
  })

  it('reads each letter of a long sentence of abbreviations a few times only', () => {
    const text = 'А. '.repeat(100_000)
    expect(segmentsOf(text, false)).toEqual([[text.trim()]])
  })
})

describe('shareOf', () => {
  it('is the same in both directions, and 100 for the same text alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(shareOf(one, other, 0)).toBe(shareOf(other, one, 0))
        expect(shareOf(one, one, 0)).toBe(100)
      }),
    )
  })

  it.each([
    ['Paxta baǵası', 'Paxta  baǵası', 100],
    ['Paxta baǵası', 'ПАХТА БАҒАСЫ', 99],
    ['Salı egiw waqtı', 'Salı egiw waqıtı', 93],
    ['Salı', 'Mákke', 0],
  ])('compares %j with %j', (one, other, share) => {
    expect(shareOf(one, other, 60)).toBe(share)
  })
})

describe('stemsOf', () => {
  it('keeps beginnings of words once, and no numbers', () => {
    expect(stemsOf(segmentKey('Хлопок, хлопка: 25 кг в 2026'), 'ru')).toEqual(['ru xlopo', 'ru xlopk', 'ru kg'])
  })
})

describe('editDistance', () => {
  it('counts changed, added and left out letters up to the limit', () => {
    expect(editDistance('kitap', 'kitabı', 9)).toBe(2)
    expect(editDistance('', 'abc', 9)).toBe(3)
    expect(editDistance('abcdef', 'uvwxyz', 4)).toBe(4)
    expect(editDistance('a', 'abcdefgh', 3)).toBe(3)
  })
})
