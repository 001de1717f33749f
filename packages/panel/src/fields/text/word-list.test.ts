import { expect, it } from 'vitest'
import { addWords, listOf } from './word-list.ts'

it('adds to a list of texts the lines of a column, and parts separated by commas', () => {
  expect(addWords(['bugʻdoy'], 'пшеница\r\nwheat, biyday;\n\n durum  wheat ')).toEqual([
    'bugʻdoy',
    'пшеница',
    'wheat',
    'biyday',
    'durum wheat',
  ])
})

it('stores each word of a word list once, in any spelling', () => {
  expect(addWords(['Bugʻdoy'], "bug'doy, WHEAT, wheat")).toEqual(['Bugʻdoy', 'WHEAT'])
  expect(addWords(['a'], ' , ')).toEqual(['a'])
})

it('reads a list of texts and rejects any other value', () => {
  expect(listOf(['a', 1, null, 'b'])).toEqual(['a', 'b'])
  expect(listOf({ a: 1 })).toEqual([])
  expect(listOf(null)).toEqual([])
})
