import { describe, expect, it } from 'vitest'
import { kindOf, type ScalarField } from './field.ts'
import {
  choiceOf,
  day,
  decimalNumber,
  integer,
  moment,
  jsonField,
  toMoment,
  translated,
  yesNoField,
} from './value-kinds.ts'

const acceptValue = (field: ScalarField, value: unknown) => kindOf(field).accept(value, field)
const nestList = (depth: number): unknown => (depth === 0 ? 1 : [nestList(depth - 1)])

const fields = {
  int: integer(),
  bounded: integer({ min: 0, max: 80 }),
  money: decimalNumber({ digits: [14, 2], min: 0 }),
  factor: decimalNumber({ digits: [14, 6], min: 0, exclusiveMin: true }),
  lat: decimalNumber({ digits: [9, 6], min: -90, max: 90 }),
  small: decimalNumber({ digits: [3, 2] }),
  bool: yesNoField(),
  date: day(),
  dateTime: moment(),
  choice: choiceOf(['news', 'event']),
  json: jsonField(),
  translations: translated(),
} satisfies Record<string, ScalarField>
type Name = keyof typeof fields

describe('values that are accepted', () => {
  it.each<[field: Name, given: unknown, stored: unknown]>([
    ['int', 7, 7],
    ['int', '7', 7],
    ['int', ' -7 ', -7],
    ['int', '+7', 7],
    ['int', 2_147_483_647, 2_147_483_647],
    ['int', -2_147_483_647, -2_147_483_647],
    ['bounded', 0, 0],
    ['bounded', 80, 80],
    ['money', 12.5, 12.5],
    ['money', '12.50', 12.5],
    ['money', 999_999_999_999.99, 999_999_999_999.99],
    ['factor', 0.000001, 0.000001],
    ['factor', 0.0000005, 0.000001],
    ['lat', -90, -90],
    ['lat', 90.0000001, 90],
    ['small', 9.994, 9.99],
    ['small', 1.005, 1.01],
    ['small', -1.005, -1.01],
    ['small', '-0.001', 0],
    ['bool', true, true],
    ['bool', false, false],
    ['bool', 'true', true],
    ['bool', 'false', false],
    ['date', '2026-02-28', '2026-02-28'],
    ['date', '2024-02-29', '2024-02-29'],
    ['dateTime', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['dateTime', '2026-03-01T10:00:00+05:00', '2026-03-01T05:00:00.000Z'],
    ['dateTime', '2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
    ['dateTime', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['choice', 'event', 'event'],
    ['json', { a: [1, 'b', null, { c: true }] }, { a: [1, 'b', null, { c: true }] }],
    ['json', 'text', 'text'],
    ['json', false, false],
    ['json', nestList(32), nestList(32)],
    ['translations', { ru: 'Кг', uz: 'Kg' }, { ru: 'Кг', uz: 'Kg' }],
    ['translations', { ru: 'Кг', kaa: null }, { ru: 'Кг', kaa: null }],
    ['translations', 'kg', 'kg'],
  ])('accepts for a %s field the value %j as %j', (field, rawValue, storedValue) => {
    expect(acceptValue(fields[field], rawValue)).toEqual({ value: storedValue })
  })
})

describe('values that are rejected', () => {
  it.each<[field: Name, given: unknown, code: string]>([
    ['int', 'seven', 'validation.number'],
    ['int', '0x10', 'validation.number'],
    ['int', '1e3', 'validation.number'],
    ['int', true, 'validation.number'],
    ['int', [7], 'validation.number'],
    ['int', Number.NaN, 'validation.number'],
    ['int', Number.POSITIVE_INFINITY, 'validation.number'],
    ['int', 7.5, 'validation.integer'],
    ['int', 2_147_483_648, 'validation.integer'],
    ['int', '99999999999999999999', 'validation.integer'],
    ['bounded', -1, 'validation.min'],
    ['bounded', 81, 'validation.max'],
    ['money', -0.01, 'validation.min'],
    ['money', 1_000_000_000_000, 'validation.max'],
    ['money', '1,5', 'validation.number'],
    ['money', {}, 'validation.number'],
    ['factor', 0, 'validation.above'],
    ['factor', -1, 'validation.above'],
    ['factor', 0.0000001, 'validation.above'],
    ['lat', 90.000001, 'validation.max'],
    ['small', 10, 'validation.max'],
    ['small', 9.999, 'validation.max'],
    ['small', -9.999, 'validation.max'],
    ['bool', 1, 'validation.boolean'],
    ['bool', 0, 'validation.boolean'],
    ['bool', 'yes', 'validation.boolean'],
    ['bool', '1', 'validation.boolean'],
    ['bool', {}, 'validation.boolean'],
    ['date', '2026-02-30', 'validation.date'],
    ['date', '2026-13-01', 'validation.date'],
    ['date', '2025-02-29', 'validation.date'],
    ['date', '0000-01-01', 'validation.date'],
    ['date', '2026-2-1', 'validation.date'],
    ['date', '2026-02-01T00:00:00Z', 'validation.date'],
    ['date', 20_260_201, 'validation.date'],
    ['dateTime', '2026-02-30T10:00:00Z', 'validation.dateTime'],
    ['dateTime', '2026-02-01T25:00:00Z', 'validation.dateTime'],
    ['dateTime', '2026-02-01 10:00:00', 'validation.dateTime'],
    ['dateTime', 'tomorrow', 'validation.dateTime'],
    ['dateTime', 1_700_000_000_000, 'validation.dateTime'],
    ['choice', 'other', 'validation.choice'],
    ['choice', 'News', 'validation.choice'],
    ['choice', 1, 'validation.choice'],
    ['choice', ['news'], 'validation.choice'],
    ['json', Number.NaN, 'validation.json'],
    ['json', { a: 'x\0' }, 'validation.json'],
    ['json', { 'x\0': 1 }, 'validation.json'],
    ['json', ['\uD800'], 'validation.json'],
    ['json', nestList(33), 'validation.json'],
    ['json', () => 1, 'validation.json'],
    ['translations', { de: 'Kilo' }, 'validation.translations'],
    ['translations', { ru: 5 }, 'validation.translations'],
    ['translations', ['Кг'], 'validation.translations'],
    ['translations', 5, 'validation.translations'],
    ['translations', { ru: 'Кг\0' }, 'validation.control'],
    ['translations', { ru: 'я'.repeat(256) }, 'validation.maxLength'],
  ])('rejects for a %s field the value %j with %s', (field, rawValue, code) => {
    expect(acceptValue(fields[field], rawValue)).toMatchObject({ code })
  })

  it('reports the exceeded limit of a value, or the choices that it is none of', () => {
    expect(acceptValue(fields.bounded, 81)).toMatchObject({ params: { max: 80 } })
    expect(acceptValue(fields.choice, 'other')).toMatchObject({ params: { values: 'news, event' } })
  })
})

describe('values that count as empty', () => {
  it.each<[Name, unknown, boolean]>([
    ['int', '', true],
    ['money', '', true],
    ['date', '', true],
    ['dateTime', '', true],
    ['choice', '', true],
    ['int', 0, false],
    ['translations', {}, true],
    ['translations', '', true],
    ['translations', { ru: ' ', uz: '' }, true],
    ['translations', { ru: null }, true],
    ['translations', { ru: 'а' }, false],
    ['translations', { de: '' }, false],
  ])('decides whether for a %s field the value %j counts as empty: %s', (name, value, isEmptyValue) => {
    expect(kindOf(fields[name]).isEmpty?.(value) ?? false).toBe(isEmptyValue)
  })
})

describe('toMoment', () => {
  it.each([
    ['2026-03-01T10:00:00.123456789Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00+0500', '2026-03-01T05:00:00.000Z'],
    ['2026-03-01T00:30:00+05:00', '2026-02-28T19:30:00.000Z'],
    ['2026-03-01T10:00:60Z', undefined],
    ['', undefined],
  ])('converts the time %s to the UTC time %s', (text, moment) => {
    expect(toMoment(text)).toBe(moment)
  })
})
