import { importFields, isImportable, locales, type Resource, resources, writtenLocales } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { findHeadingRow, headingOf, matchColumns } from './headings.ts'
import { suggestNames, plainName, spelledNames } from './near.ts'
import type { SheetCell, SheetRow } from '../sheet/cells.ts'

const rememberedHeadings = new Map([['теңге баҳа', { key: 'price', since: '2026-03-12' }]])
const context = {
  resource: resources.pricelists,
  fields: importFields(resources.pricelists),
  locale: 'ru',
  rememberedHeadings,
} as const
const match = (headings: readonly SheetCell[]) => matchAllHeadings(headings).map((column) => column.slice(0, 4))
const matchAllHeadings = (headings: readonly SheetCell[]) =>
  matchColumns(headings, [], [], context).map(({ letter, key, status, why, candidates }) => [
    letter,
    key,
    status,
    why,
    candidates,
  ])

describe('the columns of a file', () => {
  it('recognises headings in Cyrillic', () => {
    expect(match(['Нарх'])).toEqual([['A', 'price', 'matched', 'heading']])
  })
  it('matches columns by names of fields in any language, and by headings that were accepted before', () => {
    expect(match(['Продукт', 'District', 'Цена', 'теңге баҳа', null, 'ID'])).toEqual([
      ['A', 'product', 'matched', 'heading'],
      ['B', 'district', 'matched', 'heading'],
      ['C', 'price', 'matched', 'heading'],
      ['D', null, 'open', 'several'],
      ['F', 'id', 'matched', 'heading'],
    ])
    expect(match(['Теңге баҳа'])).toEqual([['A', 'price', 'matched', 'remembered']])
  })

  it('suggests a field for a column with a similar name, and skips other columns', () => {
    expect(matchAllHeadings(['Районы', '№ т/р'])).toEqual([
      ['A', null, 'open', 'near', ['district']],
      ['B', null, 'skipped', 'none', []],
    ])
  })

  it('skips the columns of reasons in a sheet of faults', () => {
    expect(match(['Причина', 'Прошлая цена'])).toEqual([
      ['A', null, 'skipped', 'none'],
      ['B', null, 'skipped', 'none'],
    ])
  })

  it('fills the text in the language of the import when the heading names none', () => {
    const fields = importFields(resources.products)
    const columns = matchColumns(['Название', 'Название (English)', 'name.kaa'], [], [], {
      ...context,
      resource: resources.products,
      fields,
    })
    expect(columns.map(({ key }) => key)).toEqual(['name.ru', 'name.en', 'name.kaa'])
  })
})

describe('the headings of a template', () => {
  const kinds = Object.values<Resource>(resources).filter(isImportable)
  it.each(kinds.flatMap((resource) => writtenLocales.map((locale) => [resource.name, locale, resource] as const)))(
    'writes different headings for %s in %s, each recognised in every language of the import',
    (_name, language, resource) => {
      const fields = importFields(resource)
      const headings = fields.map((field) => headingOf(resource, field, language))
      expect(new Set(headings.map(plainName)).size).toBe(headings.length)
      for (const locale of locales) {
        const columns = matchColumns(headings, [], [], {
          ...context,
          resource,
          fields,
          locale,
          rememberedHeadings: new Map(),
        })
        expect(columns.map(({ key, why }) => [key, why])).toEqual(fields.map(({ key }) => [key, 'heading']))
      }
    },
  )

  it('accepts a heading that names the target of a link when no field has that name itself', () => {
    const keysOf = (heading: string, kind: Resource) =>
      matchColumns([heading], [], [], { ...context, resource: kind, fields: importFields(kind) }).map(({ key }) => key)
    expect(keysOf('Aymaq', resources.companies)).toEqual(['region'])
    expect(keysOf('Регион', resources.districts)).toEqual(['region'])
  })
})

describe('the row of headings', () => {
  const rows = (...cells: SheetCell[][]): SheetRow[] =>
    cells.map((row, index) => ({ row: index + 1, cells: row, isHidden: false }))
  it.each([
    [
      'the row with the most names of fields',
      rows(['Отчёт'], ['за март'], ['Продукт', 'Район', 'Цена'], ['Рис', 'Нукус', 5]),
      3,
    ],
    ['the first row of several texts where no name is known', rows(['x'], ['a', 'b'], ['c', 'd']), 2],
    ['the first row otherwise', rows([1], [2]), 1],
  ])('finds as the row of headings %s', (_what, top, expected) => {
    expect(findHeadingRow(top, context)).toBe(expected)
  })
})

describe('names that are spelled alike', () => {
  const names = ['Нукусский район', 'Чимбайский район', 'Ходжейлийский район', 'Томаты', 'Рис', 'Шалы', 'Nukus city']
  const knownNames = spelledNames(names.map((name) => [name, name] as const))
  it.each([
    ['Чимбай', ['Чимбайский район']],
    ['chimbay', ['Чимбайский район']],
    ['Томат', ['Томаты']],
    ['Tomaty', ['Томаты']],
    ['Нокис р-н', []],
    ['Нукус', ['Нукусский район', 'Nukus city']],
    ['', []],
    ['совсем другое', []],
  ])('suggests for the name %s the names %j', (name, expected) => {
    expect(suggestNames(name, knownNames)).toEqual(expected)
  })
})
