import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitAtMarks, textChanges } from './text-changes.ts'

const textOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('')

describe('textChanges', () => {
  it('returns removed and added words of two texts', () => {
    const pieces = textChanges('Late melons. Give 200 kg.', 'Late melons. From 500 kg.')
    const makePieceFilter = (kind: string) =>
      textOf(pieces.filter((piece) => piece.kind === kind))
        .split(' ')
        .filter(Boolean)
    expect([makePieceFilter('removed'), makePieceFilter('added')]).toEqual([['Give200'], ['From500']])
  })
  it('preserves both compared texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'kg'), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = textChanges(before, after)
        expect(textOf(pieces.filter(({ kind }) => kind !== 'added'))).toBe(before)
        expect(textOf(pieces.filter(({ kind }) => kind !== 'removed'))).toBe(after)
      }),
    )
  })
})

describe('splitAtMarks', () => {
  it('marks every occurrence of each piece and loses no text', () => {
    const pieces = splitAtMarks('write @a or @a.b now', ['@a', '@a.b'])
    expect(textOf(pieces)).toBe('write @a or @a.b now')
    expect(pieces.filter(({ isMark }) => isMark).map(({ text }) => text)).toEqual(['@a', '@a.b'])
  })
})
