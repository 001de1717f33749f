import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { resources } from '../resources/index.ts'
import { validateRecord } from '../validation/validate.ts'
import { type Field, isLink, isScalar } from './field.ts'
import { readSchema, writeSchema } from './schema.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const values: unknown[] = [
  [null, true, false, 'true', 'false', 'yes'],
  [0, 1, 7, -1, 1.5, 80.004, 1e6, 2_147_483_647, 2_147_483_648, 1e15],
  ['0', '7', ' 7 ', '+3', '1.5', '1.', '1e3', '12345678901'],
  ['', ' ', 'a', 'abc', 'Ali', 'ʻoʻzbekcha', '🌾'.repeat(30), 'x'.repeat(300), 'x'.repeat(10_001)],
  ['a@b.uz', ' Ali@Example.ORG ', 'a@b', 'https://example.org', 'http://example.org', 'two-words', 'Two Words'],
  ['#12abEF', '#12345', 'en', 'news', 'draft', '2026-03-01', '2026-13-01', '2026-3-1'],
  ['2026-03-01T10:00', '2026-03-01T10:00:00.5+05:00', '2026-03-01 10:00', '/a1.png', '/uploads/a1.png', '/x/a1.png'],
  [{}, { en: 'a', kaa: null }, { fr: 'a' }, { en: 1 }, { id: 5 }, { id: '5' }, { id: 'x' }],
  [[], [1, '2', { id: 3 }], ['x'], [0]],
  [{ set: [1] }, { set: null }, { connect: 1 }, { connect: [1], disconnect: [2] }, { disconnect: 'x' }],
].flat(1)

/** Errors that no schema describes: days that do not exist, a name on the list of common passwords. */
const allowedBeyondSchema = new Set([
  'validation.control',
  'validation.url',
  'validation.date',
  'validation.dateTime',
  'validation.passwordCommon',
])
/** Limits of numbers that are written as text. */
const digitCodes = new Set([
  'validation.integer',
  'validation.above',
  'validation.min',
  'validation.max',
  'validation.relation',
])

const allFields = Object.values(resources).flatMap((resource) =>
  Object.entries<Field>(resource.fields)
    .filter(([, field]) => !field.readOnly && field.kind !== 'count')
    .map(([name, field]) => ({ resource, name, field, title: `${resource.name}.${name}` })),
)

describe.each(allFields)('$title', ({ resource, name, field }) => {
  const check = (value: unknown) => validateRecord(resource, { [name]: value }, 'update')

  test('accepts exactly the values that the write schema of the field describes', () => {
    const isDescribed = ajv.compile<unknown>(writeSchema(field))
    const differentValues = values.filter((value) => {
      const code = check(value).issues[0]?.code
      const isKnownCode =
        code !== undefined && (allowedBeyondSchema.has(code) || (typeof value === 'string' && digitCodes.has(code)))
      return !isKnownCode && isDescribed(value) !== (code === undefined)
    })
    expect(differentValues).toEqual([])
  })

  test('reads values that match the read schema of the field', () => {
    if (isLink(field)) return
    const isReadable = ajv.compile<unknown>(readSchema(field))
    // Values that the server fills in or hides are not read as they were written.
    const isStored = isScalar(field) && !field.private
    const storedValues = values
      .map(check)
      .flatMap((checkResult) => (checkResult.issues.length === 0 ? [checkResult.values[name]] : []))
    const isFilledIn = (value: unknown) => field.kind === 'slug' && value === null
    expect(isStored ? storedValues.filter((value) => !isFilledIn(value) && !isReadable(value)) : []).toEqual([])
  })
})
