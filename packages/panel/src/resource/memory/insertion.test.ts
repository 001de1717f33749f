import { segmentsOf } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { hasSuggestion, withSuggestion } from './insertion.ts'

describe('withSuggestion', () => {
  it('replaces a plain text of one segment, and continues a longer one', () => {
    expect(withSuggestion('Sal', 'Salı bahası', { isRich: false, isWhole: true })).toBe('Salı bahası')
    expect(withSuggestion('Salı. ', 'Suw', { isRich: false, isWhole: false })).toBe('Salı. Suw')
    expect(withSuggestion(' ', 'Suw', { isRich: false, isWhole: false })).toBe('Suw')
  })

  it('never replaces a rich text, and writes a suggestion as text', () => {
    const present = '<p>Salı</p><figure><img src="https://example.org/a.webp"></figure>'
    expect(withSuggestion(present, 'N & P < K', { isRich: true, isWhole: true })).toBe(
      `${present}<p>N &amp; P &lt; K</p>`,
    )
    expect(withSuggestion('', 'Suw', { isRich: true, isWhole: true })).toBe('<p>Suw</p>')
  })
})

describe('hasSuggestion', () => {
  const has = (text: string, isRich: boolean, suggestion: string) =>
    hasSuggestion(segmentsOf(text, isRich).flat(), suggestion)

  it('compares whole segments, not parts of words', () => {
    expect(has('Suwǵarıw', false, 'Suw')).toBe(false)
    expect(has('Salı. Suw', false, 'Suw')).toBe(true)
  })

  it('finds a suggestion with signs of HTML, and one of several sentences', () => {
    expect(has('<p>N &amp; P &lt; K</p>', true, 'N & P < K')).toBe(true)
    expect(has('<p>Salı. Paxta!</p>', true, 'Salı. Paxta!')).toBe(true)
    expect(has('<p>Salı.</p>', true, 'Salı. Paxta!')).toBe(false)
  })

  it('finds no suggestion without letters', () => {
    expect(has('—', false, '—')).toBe(false)
  })
})
