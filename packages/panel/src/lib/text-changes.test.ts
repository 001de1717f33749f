import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitAtMarks, textChanges } from './text-changes.ts'

const textOf = (textPieces: readonly { text: string }[]) => textPieces.map(({ text }) => text).join('')

describe('textChanges', () => {
  it('returns removed and added words of two texts', () => {
    const textPieces = textChanges('Late melons. Give 200 kg.', 'Late melons. From 500 kg.')
    const makePieceFilter = (kind: string) =>
      textOf(textPieces.filter((textPiece) => textPiece.kind === kind))
        .split(' ')
        .filter(Boolean)
    expect([makePieceFilter('removed'), makePieceFilter('added')]).toEqual([['Give200'], ['From500']])
  })
  it('preserves both compared texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'kg'), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (oldText, newText) => {
        const textPieces = textChanges(oldText, newText)
        expect(textOf(textPieces.filter(({ kind }) => kind !== 'added'))).toBe(oldText)
        expect(textOf(textPieces.filter(({ kind }) => kind !== 'removed'))).toBe(newText)
      }),
    )
  })
})

describe('splitAtMarks', () => {
  it('marks every occurrence of each piece and loses no text', () => {
    const textPieces = splitAtMarks('write @a or @a.b now', ['@a', '@a.b'])
    expect(textOf(textPieces)).toBe('write @a or @a.b now')
    expect(textPieces.filter(({ isMark }) => isMark).map(({ text }) => text)).toEqual(['@a', '@a.b'])
  })
})
