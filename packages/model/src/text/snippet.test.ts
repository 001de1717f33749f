import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchKey } from './fold.ts'
import { searchWords, snippetOf } from './snippet.ts'

const hitsOf = (text: string, query: string) =>
  snippetOf(text, query)
    .filter(({ hit }) => hit)
    .map((snippetPart) => snippetPart.text)

describe('snippetOf', () => {
  it.each([
    ['Suv oʻtkazgich buzildi', "o'tkazgich", ['oʻtkazgich']],
    ['Сув ўтказгич бузилди', 'oʻtkazgich', ['ўтказгич']],
    ['Ещё раз: всё засохло', 'ещe', ['Ещё']],
    ['Qońıratta paxta', 'Қоңырат', ['Qońırat']],
    ['Paxta, paxta va PAXTA', 'paxta', ['Paxta', 'paxta', 'PAXTA']],
    ['Shira bor, barglar sargʻaydi', 'barg shira', ['Shira', 'barg']],
    ['Sogʻliq — bu oʻ', 'oʻ', ['o', 'oʻ']],
    ['Nothing of it', 'шўра', []],
  ])('marks in the text %j the matches of the query %j: %j', (text, query, hits) =>
    expect(hitsOf(text, query)).toEqual(hits),
  )

  it('starts a snippet near the match and marks the omitted text with an ellipsis', () => {
    const text = `${'sabzi '.repeat(100)}paxta${' kartoshka'.repeat(100)}`
    const parts = snippetOf(text, 'paxta')
    expect(parts.map((snippetPart) => snippetPart.text).join('')).toMatch(/^…sabzi .*paxta kart.*…$/)
    expect(Array.from(parts.map((snippetPart) => snippetPart.text).join('')).length).toBe(202)
  })
  it('returns the beginning of a text as the snippet when nothing matches', () =>
    expect(snippetOf('Salom', 'xyz')).toEqual([{ text: 'Salom', hit: false }]))
  it('splits a query into words and drops words without letters', () => {
    expect(searchWords('  paxta  ʻ shira ')).toEqual(['paxta', 'shira'])
  })
  it('returns a snippet that is a part of the text, with a match whenever the search key has one', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('абвoʻq ş一😀Yoё.')), maxLength: 400 })
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom(...Array.from('аvoq')), minLength: 1, maxLength: 3 }),
        (wholeText, query) => {
          const parts = snippetOf(wholeText, query)
          const shownText = parts
            .map((snippetPart) => snippetPart.text)
            .join('')
            .replace(/^…|…$/g, '')
          expect(wholeText).toContain(shownText)
          const isFound = searchKey(wholeText).includes(searchKey(query))
          expect(!isFound || parts.some(({ hit }) => hit)).toBe(true)
        },
      ),
    )
  })
})
