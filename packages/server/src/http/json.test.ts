import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

const bytes = (text: string) => Buffer.from(text)
const nestedText = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))

test.each<[what: string, body: Uint8Array, code: string]>([
  ['half a body', bytes('{'), 'request.json'],
  ['text', bytes('hello'), 'request.json'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'request.json'],
  ['33 levels', bytes(nestedText(33)), 'request.too-deep'],
  ['100,000 levels of lists', bytes('['.repeat(100_000) + ']'.repeat(100_000)), 'request.too-deep'],
  ['1,001 keys', bytes(keys(1_001)), 'request.too-many-keys'],
  ['__proto__', bytes('{"a":{"__proto__":{"x":1}}}'), 'request.forbidden-key'],
  ['escaped __proto__', bytes(String.raw`{"\u005f_proto__":1}`), 'request.forbidden-key'],
  ['constructor', bytes('[{"constructor":1}]'), 'request.forbidden-key'],
  ['prototype', bytes('{"prototype":1}'), 'request.forbidden-key'],
  ['a null byte', bytes(String.raw`{"a":"x\u0000"}`), 'request.text'],
  ['a lone surrogate', bytes(String.raw`{"a":["\ud800"]}`), 'request.text'],
  ['a broken key', bytes(String.raw`{"\udc00":1}`), 'request.text'],
])('refuses a JSON body with %s', (_what, body, code) => {
  expect(() => parseJson(body)).toThrow(expect.objectContaining({ code, status: 400 }))
})

test.each<[what: string, body: string, value: unknown]>([
  ['nothing', '', undefined],
  ['null', 'null', null],
  ['an object', '{"data":{"a":[1,"ё",null]}}', { data: { a: [1, 'ё', null] } }],
  ['a pair of surrogates', String.raw`{"a":"\ud83c\udf3e"}`, { a: '🌾' }],
])('parses a JSON body with %s', (_what, body, value) => {
  expect(parseJson(bytes(body))).toEqual(value)
})

test('accepts JSON bodies exactly at the limits', () => {
  expect(() => parseJson(bytes(nestedText(32)))).not.toThrow()
  expect(() => parseJson(bytes(keys(1_000)))).not.toThrow()
})
