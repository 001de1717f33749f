import { describe, expect, it } from 'vitest'
import { kindOf, type ScalarField } from './field.ts'
import { colour, email, link, longText, password, rich, slug, text } from './text-kinds.ts'

const acceptValue = (field: ScalarField, value: unknown) => kindOf(field).accept(value, field)
const letters = (count: number, letter = 'a') => letter.repeat(count)
// A letter of one code point and two UTF-16 units, because limits of length count code points.
const wideSign = '🌾'

const fields = {
  text: text(),
  short: text({ minLength: 3, maxLength: 5 }),
  longText: longText(),
  rich: rich(),
  email: email(),
  link: link(),
  slug: slug(),
  colour: colour(),
  password: password(),
  strictPassword: password({ minLength: 15, maxLength: 64, deniedPasswords: new Set(['passwordpassword']) }),
}
type Name = keyof typeof fields

describe('texts that are accepted', () => {
  it.each<[field: Name, given: string, stored: string]>([
    ['text', 'Oʻzbekiston', 'Oʻzbekiston'],
    ['text', '', ''],
    ['text', '  kept as typed  ', '  kept as typed  '],
    ['text', letters(255), letters(255)],
    ['text', wideSign.repeat(255), wideSign.repeat(255)],
    ['short', wideSign.repeat(3), wideSign.repeat(3)],
    ['short', wideSign.repeat(5), wideSign.repeat(5)],
    ['longText', letters(10_000), letters(10_000)],
    ['longText', 'line\r\nline\ttab', 'line\r\nline\ttab'],
    ['rich', letters(200_000), letters(200_000)],
    ['email', 'a@b.uz', 'a@b.uz'],
    ['email', '  Aygul.K+news@Example.ORG ', 'aygul.k+news@example.org'],
    ['link', 'https://example.org/a?b=1#c', 'https://example.org/a?b=1#c'],
    ['link', ' https://example.org ', 'https://example.org'],
    ['slug', 'cotton-2026', 'cotton-2026'],
    ['slug', ' cotton ', 'cotton'],
    ['colour', '#1A2B3C', '#1a2b3c'],
    ['colour', '#ffffff', '#ffffff'],
    ['password', 'abcd', 'abcd'],
    ['strictPassword', wideSign.repeat(64), wideSign.repeat(64)],
    ['password', ' a b ', ' a b '],
    ['password', wideSign.repeat(16), wideSign.repeat(16)],
  ])('accepts for a %s field the text %j', (field, typedText, storedText) => {
    expect(acceptValue(fields[field], typedText)).toEqual({ value: storedText })
  })
})

describe('texts that are rejected', () => {
  const nonTexts = [5, true, {}, ['a'], { en: 'a' }]
  it.each((Object.keys(fields) as Name[]).flatMap((name) => nonTexts.map((value) => [name, value] as const)))(
    'rejects for a %s field the value %j, which is no text',
    (name, value) => {
      expect(acceptValue(fields[name], value)).toMatchObject({ code: 'validation.text' })
    },
  )

  const storedAsTyped = ['text', 'longText', 'rich', 'link', 'slug', 'colour'] as const
  it.each(storedAsTyped.flatMap((name) => ['a\0b', 'a\uD800b', '\uDC00'].map((value) => [name, value] as const)))(
    'rejects for a %s field the text %j, which a database cannot store',
    (name, value) => {
      expect(acceptValue(fields[name], value)).toEqual({ code: 'validation.control' })
    },
  )

  it.each<[field: Name, given: string, refusal: object]>([
    ['text', letters(256), { code: 'validation.maxLength', params: { max: 255 } }],
    ['text', wideSign.repeat(256), { code: 'validation.maxLength', params: { max: 255 } }],
    ['short', wideSign.repeat(2), { code: 'validation.minLength', params: { min: 3 } }],
    ['short', letters(6), { code: 'validation.maxLength', params: { max: 5 } }],
    ['longText', letters(10_001), { code: 'validation.maxLength', params: { max: 10_000 } }],
    ['rich', letters(200_001), { code: 'validation.maxLength', params: { max: 200_000 } }],
    ['email', 'a@b', { code: 'validation.emailLength' }],
    ['email', 'plain', { code: 'validation.emailInvalid' }],
    ['email', 'a@b@c.uz', { code: 'validation.emailInvalid' }],
    ['email', 'a b@c.uz', { code: 'validation.emailInvalid' }],
    ['email', 'a@localhost', { code: 'validation.emailInvalid' }],
    ['email', 'a@b..uz', { code: 'validation.emailInvalid' }],
    ['email', `${letters(251)}@b.uz`, { code: 'validation.maxLength', params: { max: 255 } }],
    ['email', 'ab@c.u\0', { code: 'validation.control' }],
    ['link', 'http://example.org', { code: 'validation.url' }],
    ['link', 'javascript:alert(1)', { code: 'validation.url' }],
    ['link', 'example.org', { code: 'validation.url' }],
    ['link', '//example.org', { code: 'validation.url' }],
    ['link', `https://example.org/${letters(2_048)}`, { code: 'validation.maxLength', params: { max: 2_048 } }],
    ['slug', 'Cotton', { code: 'validation.slug' }],
    ['slug', 'cot ton', { code: 'validation.slug' }],
    ['slug', '-cotton', { code: 'validation.slug' }],
    ['slug', 'cot--ton', { code: 'validation.slug' }],
    ['slug', 'paxta-ʻ', { code: 'validation.slug' }],
    ['colour', '#123', { code: 'validation.colour' }],
    ['colour', '123456', { code: 'validation.colour' }],
    ['colour', '#12345g', { code: 'validation.colour' }],
    ['colour', 'red', { code: 'validation.colour' }],
    ['strictPassword', letters(14), { code: 'validation.passwordLength', params: { min: 15, max: 64 } }],
    ['strictPassword', wideSign.repeat(65), { code: 'validation.passwordLength', params: { min: 15, max: 64 } }],
    ['strictPassword', 'PasswordPassword', { code: 'validation.passwordCommon' }],
    ['password', 'abc', { code: 'validation.passwordLength', params: { min: 4, max: 16 } }],
    ['password', letters(17), { code: 'validation.passwordLength', params: { min: 4, max: 16 } }],
    ['password', wideSign.repeat(17), { code: 'validation.passwordLength', params: { min: 4, max: 16 } }],
  ])('rejects for a %s field the text %j', (field, typedText, refusal) => {
    expect(acceptValue(fields[field], typedText)).toEqual(refusal)
  })
})

describe('the columns of texts', () => {
  it.each<[Name, string]>([
    ['text', 'varchar(255)'],
    ['short', 'varchar(5)'],
    ['longText', 'varchar(10000)'],
    ['rich', 'varchar(200000)'],
    ['link', 'varchar(2048)'],
    ['colour', 'varchar(7)'],
  ])('stores a %s field in a column of type %s', (name, column) => {
    expect(kindOf(fields[name]).column(fields[name])).toBe(column)
  })
})
