import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes } from './json-bytes.ts'

const unit = fc.oneof(
  fc.constantFrom('"', '\\', '\n', '\t', '\u0000', '\u001f', '\u007f', '\u2028', 'ı', 'Қ', '🌾'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
)

test('writes a text as JSON.stringify does, however small the expected size was', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit, maxLength: 200 })), fc.nat({ max: 64 }), (texts, expectedLength) => {
      const out = new JsonBytes(expectedLength)
      for (const text of texts) {
        const bytes = Buffer.from(`..${text}..`)
        out.string(bytes, 2, bytes.length - 2)
      }
      expect(out.written.toString()).toBe(texts.map((text) => JSON.stringify(text)).join(''))
    }),
  )
})
