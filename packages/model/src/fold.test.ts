import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { caseTable, foldCase, foldSearch, searchTable } from './fold.ts'

/** Letters of the four languages and their look-alikes, more often than chance would give them. */
const letters = fc.constantFrom(...caseTable.from, ...caseTable.to, ...searchTable.from, 'I', 'İ', 'ß', '🌾')
const texts = fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'grapheme' }))

describe('foldCase', () => {
  it.each([
    ['ОʻZBEKISTON', 'оʻzbekiston'],
    ['ҚАРАҚАЛПАҚ', 'қарақалпақ'],
    ['NÓKIS', 'nókis'],
    ['QÍZÍLORDA', 'qızılorda'],
    ['İ', 'i'],
    ['Ёлка', 'ёлка'],
    ['123 %_', '123 %_'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldCase(text)).toBe(folded)
  })
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(foldCase(foldCase(text))).toBe(foldCase(text))
      }),
    )
  })
})

describe('foldSearch', () => {
  it.each([
    ['Oʻzbekiston', 'ozbekiston'],
    ["O'zbekiston", 'ozbekiston'],
    ['O‘zbekiston', 'ozbekiston'],
    ['Ёлка', 'елка'],
    ['Nókis', 'nokis'],
    ['qızıl', 'qizil'],
    ['Úrgenish', 'urgenish'],
  ])('%s is looked for as %s', (text, folded) => {
    expect(foldSearch(text)).toBe(folded)
  })
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(foldSearch(foldSearch(text))).toBe(foldSearch(text))
      }),
    )
  })
  it('does not mind case', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(foldSearch(foldCase(text))).toBe(foldSearch(text))
      }),
    )
  })
})

describe('the tables', () => {
  it('have one small letter for each capital, and no letter twice', () => {
    expect([...caseTable.to]).toHaveLength([...caseTable.from].length)
    for (const { from } of [caseTable, searchTable]) expect(new Set(from).size).toBe([...from].length)
  })
})
