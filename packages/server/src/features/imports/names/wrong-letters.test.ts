import { describe, expect, it } from 'vitest'
import { wrongLetters } from './wrong-letters.ts'

describe('wrongLetters', () => {
  it.each<[string, readonly string[], number[]]>([
    // These names have Cyrillic letters that look like Latin ones, or Latin letters that look like Cyrillic
    // ones.
    ['Whe\u0430t', [], [3]],
    ['\u041d\u0443kus \u0440\u0430\u0439\u043e\u043d', [], [0, 1]],
    ['\u0422o\u043c\u0430\u0442\u044b', ['Tomatoes', '\u0422\u043e\u043c\u0430\u0442\u044b'], [1]],
    // The tested name has as many letters of both alphabets, so none is the wrong one.
    ['a\u0431', [], []],
    ['Naman', ['Namal', 'Mamon'], [4]],
    ['Chimbayy district', ['Chimbay district'], [7]],
    ['CHINBAY', ['Chimbay'], [3]],
    ['Chinbayy', ['Chimbay'], []],
    ['Chimba', ['Chimbay'], []],
    ['Chimbay', ['Chimbay'], []],
    ['', ['Chimbay'], []],
  ])('finds in %s, compared with the names %j, the wrong letters at %j', (text, names, expected) => {
    expect(wrongLetters(text, names)).toEqual(expected)
  })
})
