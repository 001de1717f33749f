import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

describe('excerptOf', () => {
  it('keeps a few words around each change of a text', () => {
    const numberedText = (firstNumber: number, count: number) =>
      Array.from({ length: count }, (_, index) => `w${firstNumber + index}`).join(' ')
    const [start, middleText, end] = [numberedText(0, 20), numberedText(20, 30), numberedText(50, 20)]
    expect(
      excerptOf(`${start} old ${middleText} gone ${end}`, `${start} new ${middleText} ${end}`)
        .map(({ text, kind }) => (kind === 'same' ? text : `[${kind} ${text.trim()}]`))
        .join(''),
    ).toBe(
      '… w16 w17 w18 w19 [removed old][added new] w20 w21 w22 w23… w46 w47 w48 w49 [removed gone]w50 w51 w52 w53 …',
    )
  })
  it('shows a short changed text whole', () => {
    expect(excerptOf('1 bar', '2 bar').map(({ text }) => text)).toEqual(['1', '2', ' bar'])
  })
})
