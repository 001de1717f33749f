import { type Entry, locales, resources, type Resource } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { activateLanguage, t, firstTranslation } from '../../../lib/i18n.ts'
import { readBlock, writeBlock } from './block.ts'
import { type CellTextContext, isCellField, namesIn, readCell, textOfCell } from './cell-text.ts'

const regions: Entry[] = [
  { id: 4, name: 'Qaraqalpaqstan' },
  { id: 5, name: 'Xorazm' },
  { id: 6, name: 'Xorazm' },
]
const titleOf = (_target: string, entry: Entry) => String(entry['name'])
const wordsIn = (locale: CellTextContext['locale']): CellTextContext => ({
  locale,
  t,
  word: firstTranslation,
  titleOf,
  findByTitle: (_target, name) => regions.filter((entry) => entry['name'] === name),
})

const resource: Resource = {
  ...resources.districts,
  name: 'districts',
  localized: false,
  title: 'name',
  fields: {
    name: { kind: 'text', required: true },
    count: { kind: 'int', min: 0 },
    price: { kind: 'decimal', digits: [14, 3] },
    active: { kind: 'bool' },
    open: { kind: 'bool' },
    type: { kind: 'choice', values: ['city', 'district'] },
    day: { kind: 'date' },
    color: { kind: 'colour' },
    region: { kind: 'relation', target: 'regions', inverse: 'districts' },
    state: { kind: 'choice', values: ['a', 'b'], transitions: [{ from: 'a', to: 'b', by: ['admin'] }] },
  },
}

const samples: [string, unknown][] = [
  ['name', 'Nókis'],
  ['count', 0],
  ['count', 1_904_000],
  ['price', 1.904],
  ['price', -1234.5],
  ['price', 12_345.678],
  ['active', true],
  ['active', false],
  ['open', false],
  ['type', 'city'],
  ['type', 'district'],
  ['day', '2026-03-01'],
  ['color', '#1a2b3c'],
  ['region', regions[0]],
  ['region', null],
  ['count', null],
]

for (const locale of locales) {
  describe(`text of cells in ${locale}`, () => {
    beforeEach(() => activateLanguage(locale))

    it.each(samples)('reads back the text of a cell of %s: %j', (name, value) => {
      const textContext = wordsIn(locale)
      expect(readCell(resource, name, textOfCell(resource, name, value, textContext), textContext)).toEqual({ value })
    })
  })
}

describe('pasted text', () => {
  const textContext = wordsIn('ru')
  beforeEach(() => activateLanguage('ru'))
  const readPastedText = (name: string, text: string) => readCell(resource, name, text, textContext)

  it('reads pasted text with a comma, spaces, and in the API’s spelling', () => {
    expect(readPastedText('price', '1 904,5')).toEqual({ value: 1904.5 })
    expect(readPastedText('price', '1904.5')).toEqual({ value: 1904.5 })
    expect(readPastedText('day', '1.3.2026')).toEqual({ value: '2026-03-01' })
    expect(readPastedText('day', '2026-03-01')).toEqual({ value: '2026-03-01' })
    expect(readPastedText('type', 'city')).toEqual({ value: 'city' })
    expect(readPastedText('open', 'ДА')).toEqual({ value: true })
  })

  it('rejects wrong pasted text by the check of the form, without guessing', () => {
    expect(readPastedText('day', '31.02.2026')).toMatchObject({ fault: { code: 'validation.date' } })
    expect(readPastedText('count', 'много')).toMatchObject({ fault: { code: 'validation.number' } })
    expect(readPastedText('count', '-1')).toMatchObject({ fault: { code: 'validation.min', params: { min: 0 } } })
    expect(readPastedText('name', '  ')).toHaveProperty('fault')
    expect(readPastedText('type', 'посёлок')).toMatchObject({ fault: { code: 'validation.choice' } })
    expect(readPastedText('region', 'Buxoro')).toMatchObject({ fault: { code: 'no-name', params: { name: 'Buxoro' } } })
    expect(readPastedText('region', 'Xorazm')).toMatchObject({ fault: { code: 'many-names' } })
  })

  it('returns the names of records to look up for pasted text', () => {
    const cells = [
      { name: 'region', text: ' Xorazm ' },
      { name: 'region', text: '' },
      { name: 'name', text: 'Buxoro' },
    ]
    expect(namesIn(resource, cells)).toEqual(new Map([['regions', new Set(['Xorazm'])]]))
  })

  it('accepts pasted text only for fields with a single value', () => {
    const editableFields = Object.entries(resource.fields).filter(([, field]) => isCellField(field))
    expect(editableFields.map(([name]) => name)).not.toContain('state')
    expect(isCellField(resources.news.fields['tags'])).toBe(false)
    expect(isCellField(undefined)).toBe(false)
  })
})

describe('a block of cells', () => {
  it('reads a block of cells in the text that spreadsheets write', () => {
    expect(readBlock('a\tb\r\nc\t\r\n')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ])
    expect(readBlock('"two\nlines"\t"say ""so"""')).toEqual([['two\nlines', 'say "so"']])
  })
  it('leaves a quote unchanged that opens no quoted cell', () => {
    expect(readBlock('"Dala" LLC\t5" pipe')).toEqual([['"Dala" LLC', '5" pipe']])
  })
  it('reads back a written block of cells unchanged', () => {
    const rows = [
      ['plain', 'tab\there', ''],
      ['"quoted"', 'a "b" c', 'line\nbreak'],
    ]
    expect(readBlock(writeBlock(rows))).toEqual(rows)
  })
})
