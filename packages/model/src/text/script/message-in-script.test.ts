import { parse, type Token } from '@messageformat/parser'
import { describe, expect, it } from 'vitest'
import kaa from '../../labels/kaa.json' with { type: 'json' }
import uz from '../../labels/uz.json' with { type: 'json' }
import { messageInScript } from './message-in-script.ts'

/** Everything in a message but its literal text: names, keywords and keys of cases, in their order. */
function skeleton(tokens: readonly Token[]): unknown[] {
  return tokens.flatMap((token): unknown[] => {
    if (token.type === 'content') return []
    if (token.type === 'octothorpe') return ['#']
    if ('cases' in token) return [token.type, token.arg, token.cases.map((one) => [one.key, skeleton(one.tokens)])]
    return [token.type, token.arg]
  })
}

describe('messageInScript', () => {
  it.each([
    ['Saqlash', 'Сақлаш'],
    ['{name} yangi yozuv', '{name} янги ёзув'],
    ['{count, plural, one {# kun} other {# kun}} qoldi', '{count, plural, one {# кун} other {# кун}} қолди'],
    ['{kind, select, one {{name}ga} other {boshqa}}', '{kind, select, one {{name}га} other {бошқа}}'],
  ])('converts the literal text of %s', (message, converted) => {
    expect(messageInScript(message, 'uz', 'cyrillic')).toBe(converted)
  })
  it.each([
    ['uz', uz],
    ['kaa', kaa],
  ] as const)('leaves placeholders, keywords and keys of every message of %s', (locale, catalogue) => {
    for (const [id, message] of Object.entries(catalogue)) {
      const converted = messageInScript(message, locale, 'cyrillic')
      expect({ id, parts: skeleton(parse(converted)) }).toEqual({ id, parts: skeleton(parse(message)) })
    }
  })
})
