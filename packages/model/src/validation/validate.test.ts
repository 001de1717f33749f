import { describe, expect, it } from 'vitest'
import { defineResource } from '../declaration/define-resource.ts'
import { toErrorBody, validationFault } from '../errors/faults.ts'
import { localized, readOnly } from '../fields/field.ts'
import { pictures, relation, relations } from '../fields/link-kinds.ts'
import { email, longText, slug, text } from '../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer, translated, yesNoField } from '../fields/value-kinds.ts'
import { resources } from '../resources/index.ts'
import { validateRecord, validateField, type ValidationMode } from './validate.ts'

const sample = defineResource({
  name: 'samples',
  wire: 'samples',
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    note: localized(longText()),
    code: slug({ required: true }),
    email: email(),
    kind: choiceOf(['a', 'b'], { default: 'a' }),
    size: integer({ min: 1 }),
    area: decimalNumber({ digits: [6, 2] }),
    active: yesNoField({ default: true }),
    label: translated({ required: true, message: 'validation.name' }),
    seen: readOnly(integer({ default: 0 })),
    region: relation('regions', { required: true, message: 'validation.region' }),
  },
  access: { read: 'authenticated', write: 'admin' },
})

const goodValues = { title: 'T', code: 'c', label: { ru: 'Л' }, region: 1 }
const issuesOf = (draft: Record<string, unknown>, mode: ValidationMode) =>
  validateRecord(sample, draft, mode).issues.map(({ path, code }) => [path.join('.'), code])

describe('validate, required fields', () => {
  it.each<[ValidationMode, Record<string, unknown>, [string, string][]]>([
    [
      'create',
      {},
      [
        ['title', 'validation.required'],
        ['code', 'validation.required'],
        ['label', 'validation.required'],
        ['region', 'validation.required'],
      ],
    ],
    ['translate', {}, [['title', 'validation.required']]],
    ['update', {}, []],
    ['create', { ...goodValues, title: '' }, [['title', 'validation.title']]],
    ['create', { ...goodValues, title: '  ' }, [['title', 'validation.title']]],
    ['update', { title: ' ' }, [['title', 'validation.title']]],
    ['update', { title: null }, [['title', 'validation.null']]],
    ['create', { ...goodValues, code: null }, [['code', 'validation.required']]],
    ['update', { code: null }, [['code', 'validation.null']]],
    ['update', { code: '' }, [['code', 'validation.required']]],
    ['update', { label: { ru: ' ' } }, [['label', 'validation.name']]],
    ['update', { region: null }, [['region', 'validation.null']]],
    ['update', { region: [] }, [['region', 'validation.region']]],
  ])('reports the issues on %s of the body %j', (mode, draft, issues) => {
    expect(issuesOf(draft, mode)).toEqual(issues)
  })
})

describe('validate, required fields of a form', () => {
  const expectedIssues = [
    ['title', 'validation.title'],
    ['code', 'validation.required'],
    ['label', 'validation.name'],
    ['region', 'validation.region'],
  ]
  it.each([{}, { title: null, code: null, label: null, region: null }, { title: '', code: '', label: '', region: [] }])(
    'reports for the form %j the messages of the specification',
    (draft) => {
      const { issues } = validateRecord(sample, draft, 'create', { asForm: true })
      expect(issues.map(({ path, code }) => [path.join('.'), code])).toEqual(expectedIssues)
    },
  )
})

describe('validate, values of a body', () => {
  it('checks all values of a body in one pass and returns the valid ones beside the issues', () => {
    const { values, issues } = validateRecord(
      sample,
      { ...goodValues, title: 5, email: 'x', kind: 'c', size: 0, area: 'x', active: 'yes' },
      'create',
    )
    expect(issues.map(({ code }) => code)).toEqual([
      'validation.text',
      'validation.emailLength',
      'validation.choice',
      'validation.min',
      'validation.number',
      'validation.boolean',
    ])
    expect(values).toMatchObject({ code: 'c', label: { ru: 'Л' } })
  })
  it('fills in default values on create only', () => {
    expect(validateRecord(sample, goodValues, 'create').values).toMatchObject({ kind: 'a', active: true })
    expect(validateRecord(sample, {}, 'update').values).toEqual({})
    expect(validateRecord(sample, { title: 'T' }, 'translate').values).toEqual({ title: 'T' })
  })
  it('stores null for an emptied field, or fills in the default value of the field', () => {
    expect(validateRecord(sample, { note: null, kind: null, size: '', email: '' }, 'update')).toMatchObject({
      values: { note: null, kind: 'a', size: null, email: null },
      issues: [],
    })
  })
  it('stores an empty text of an optional field', () => {
    expect(validateRecord(sample, { note: '' }, 'update').values).toEqual({ note: '' })
  })
  it('ignores unknown and read-only keys of a body, whatever they contain', () => {
    const echoedRecord = {
      id: 'x',
      createdAt: 5,
      locale: [],
      localizations: [1],
      version: 1,
      bogus: {},
      seen: 'many',
      __proto__: { title: 'T' },
    }
    expect(validateRecord(sample, echoedRecord, 'update')).toEqual({ values: {}, links: {}, issues: [] })
  })
  it('sets read-only fields of a seeded record', () => {
    expect(validateRecord(sample, { seen: 3 }, 'update', { readOnlyToo: true }).values).toEqual({ seen: 3 })
  })
})

describe('validateField', () => {
  it.each<[name: string, value: unknown, code: string | undefined]>([
    ['title', 'T', undefined],
    ['title', '', 'validation.title'],
    ['title', undefined, 'validation.title'],
    ['size', 0, 'validation.min'],
    ['region', 'abc', 'validation.relation'],
  ])('reports for the field %s with the value %j: %s', (name, value, code) => {
    expect(validateField(sample, name, value, 'create')?.code).toBe(code)
  })
})

describe('the error body of invalid fields', () => {
  const bodyOf = (draft: Record<string, unknown>) =>
    toErrorBody(validationFault(validateRecord(resources.users, draft, 'create').issues)).error
  const person = { username: 'aziz', email: 'a@b.uz', password: 'abcd', role: 1 }

  it.each<[field: string, value: unknown, message: string]>([
    ['username', '', 'please enter a name'],
    ['email', 'abcd', 'please enter a valid email address'],
    ['email', '', 'please enter your email address'],
    ['email', 'a@b', 'email must be at least 4 characters'],
    ['password', '', 'please enter your password'],
    ['password', 'abc', 'password must be between 4 and 16 characters'],
    ['username', 'ab', 'username must be at least 3 characters'],
    ['role', undefined, 'role must be defined.'],
    ['role', 'abc', 'Invalid relations'],
    ['birthdate', '2026-02-30', 'birthdate must be a date'],
    ['language', 'de', 'language must be one of: en, ru, uz, kaa'],
    ['experience_years', 81, 'experience_years must be at most 80'],
  ])('reports for the field %s with the value %j the message %j', (field, value, message) => {
    const error = bodyOf({ ...person, [field]: value })
    expect(error).toMatchObject({ status: 400, name: 'ValidationError', message })
    expect(error.details.errors).toMatchObject([{ path: [field], message, name: 'ValidationError' }])
  })
  it('counts several issues in the error body and names each field', () => {
    const error = bodyOf({})
    expect(error).toMatchObject({ message: '4 errors occurred', code: 'validation.several' })
    expect(error.details.errors?.map(({ path }) => path)).toEqual([['username'], ['email'], ['password'], ['role']])
  })
})

describe('validate, a list with a limit', () => {
  const album = defineResource({
    name: 'albums',
    wire: 'albums',
    title: 'name',
    fields: { name: text(), images: pictures({ maxItems: 2 }), tags: relations('tags', { maxItems: 2 }) },
    access: { read: 'authenticated', write: 'admin' },
  })
  it.each<[draft: Record<string, unknown>, codes: string[]]>([
    [{ images: [1, 2] }, []],
    [{ images: [1, 2, 1, '2', { id: 2 }] }, []],
    [{ images: [] }, []],
    [{ images: [1, 2, 3] }, ['validation.maxItems']],
    [{ images: ['/a.png', '/b.png', '/c.png'] }, ['validation.maxItems']],
    [{ images: { set: [1, 2, 3] } }, ['validation.maxItems']],
    [{ images: { connect: [1, 2, 3] } }, ['validation.maxItems']],
    [{ images: { connect: [1, 2], disconnect: [3, 4, 5] } }, []],
    [{ tags: [1, 2, 3], images: [1, 2, 3] }, ['validation.maxItems', 'validation.maxItems']],
  ])('reports for the body %j with limited lists: %j', (draft, codes) => {
    expect(validateRecord(album, draft, 'update').issues.map(({ code }) => code)).toEqual(codes)
  })
  it('reports the maximum number of items of a list that exceeds it', () => {
    const { issues } = validateRecord(album, { images: [1, 2, 3] }, 'create')
    expect(toErrorBody(validationFault(issues)).error.message).toBe('images may hold at most 2 items')
  })
})

it('stores no value for an empty optional unique text, so that two of them do not conflict', () => {
  expect(validateRecord(resources.regions, { name: 'A', code: '' }, 'create').values).toMatchObject({ code: null })
  expect(validateRecord(resources.regions, { iso: '' }, 'update').values).toEqual({ iso: '' })
})
