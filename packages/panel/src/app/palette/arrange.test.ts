import { describe, expect, it } from 'vitest'
import { groupEntries, matchOf, type PaletteEntry } from './arrange.ts'

const entry = (id: string, group: PaletteEntry['group'], label: string, note?: string): PaletteEntry => ({
  id,
  group,
  label,
  ...(note !== undefined && { note }),
  run: () => undefined,
})

const entries = [
  entry('news', 'screens', 'Новости', 'Контент'),
  entry('prices', 'screens', 'Прайс-листы', 'Рынок'),
  entry('new', 'create', 'Создать: Новость', 'Новости'),
  entry('view', 'views', 'Обновлённые', 'Регионы'),
]
const foundEntries = [entry('record', 'records', 'Основы')]
const shownGroupsOf = (typedText: string, records = foundEntries, recentEntries: readonly PaletteEntry[] = []) =>
  groupEntries(entries, records, recentEntries, typedText).map(({ value, items }) => [value, items.map(({ id }) => id)])

describe('groupEntries', () => {
  it('lists screens, then records in the order of the server, then the rest, then inner matches', () => {
    expect(shownGroupsOf('нов')).toEqual([
      ['screens', ['news']],
      ['records', ['record']],
      ['create', ['new']],
      ['rest', ['view']],
    ])
  })

  it('includes records whatever their names, because the server matched them in another language', () => {
    expect(shownGroupsOf('qonirat')).toEqual([['records', ['record']]])
  })

  it('lists every entry of the palette without a text, recent choices first and only once', () => {
    const [newsEntry] = entries
    expect(shownGroupsOf('  ', [], newsEntry ? [newsEntry] : [])).toEqual([
      ['recent', ['news']],
      ['screens', ['prices']],
      ['create', ['new']],
      ['views', ['view']],
    ])
  })
})

describe('matchOf', () => {
  it('distinguishes a match at the start, of a word and inside a name', () => {
    expect(matchOf({ label: 'Прайс-листы' }, 'прайс')).toBe('begins')
    expect(matchOf({ label: 'Прайс-листы' }, 'ЛИСТ')).toBe('word')
    expect(matchOf({ label: 'Прайс-листы' }, 'айс')).toBe('inside')
    expect(matchOf({ label: 'Прайс-листы' }, 'дом')).toBeUndefined()
  })

  it('matches also the note of an entry, and several words in any order', () => {
    expect(matchOf({ label: 'Новости', note: 'Контент' }, 'конт')).toBe('word')
    expect(matchOf({ label: 'Создать: Новость', note: 'Новости' }, 'новость созд')).toBe('word')
  })

  it('ignores variants of letters in a match', () => {
    expect(matchOf({ label: 'Jańalıqlar' }, 'janaliq')).toBe('begins')
    expect(matchOf({ label: 'Oʻzbekcha' }, "o'zb")).toBe('begins')
  })
})
