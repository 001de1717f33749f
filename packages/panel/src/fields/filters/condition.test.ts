import { type Resource, resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { type Condition, readCondition, writeCondition } from './condition.ts'
import { operatorsOf } from './condition-query.ts'
import { conditionOf, draftOf, missingInput } from './filter-draft.ts'
import { type Filter, filterOf, filtersOfCaller } from './filter.ts'

const { companies, consultations, lessons, news, pricelists, tradinposts, users } = resources

function requireFilter(resource: Resource, name: string): Filter {
  const filter = filterOf(resource, name)
  if (!filter) throw new Error(`${resource.name} has no filter ${name}`)
  return filter
}

const title = requireFilter(tradinposts, 'title')
const phone = requireFilter(tradinposts, 'phone')
const price = requireFilter(tradinposts, 'price')
const views = requireFilter(tradinposts, 'views')
const status = requireFilter(tradinposts, 'status')
const region = requireFilter(tradinposts, 'region')
const picture = requireFilter(tradinposts, 'mainPhoto')
const createdField = requireFilter(tradinposts, 'createdAt')
const date = requireFilter(news, 'date')
const activeFilter = requireFilter(news, 'active')
const missingFilter = requireFilter(news, 'missing_locale')

/** Repeatable source of pseudo-random texts and numbers. */
function makeNumberDrawer(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % limit
  }
}

describe('a condition in the address', () => {
  it('reads a condition back as it was written', () => {
    const drawNumber = makeNumberDrawer(7)
    const letters = ['a', 'ǵ', 'Ж', ' ', '*', '\\', '-', '.', '..', '🌾', '=', '&', '"', '\n', 'null']
    const text = () => `x${Array.from({ length: drawNumber(6) }, () => letters[drawNumber(letters.length)]).join('')}`
    const day = () => `20${10 + drawNumber(30)}-0${1 + drawNumber(9)}-1${drawNumber(10)}`
    const makeRange = (lowerEnd: string, upperEnd: string, inOrder: boolean): Condition =>
      drawNumber(3) === 0
        ? { is: 'range', from: lowerEnd }
        : drawNumber(2) === 0
          ? { is: 'range', to: upperEnd }
          : { is: 'range', from: inOrder ? lowerEnd : upperEnd, to: inOrder ? upperEnd : lowerEnd }
    for (let round = 0; round < 500; round += 1) {
      const [lowNumber, highNumber] = [drawNumber(1000) - 500, drawNumber(1000) / 8]
      const [firstDay, secondDay] = [day(), day()]
      const conditionCases: [Filter, Condition][] = [
        [title, { is: 'contains', text: text().slice(1) || 'a' }],
        [phone, { is: 'equal', text: text() }],
        [title, { is: 'starts', text: text() }],
        [price, makeRange(String(lowNumber), String(highNumber), lowNumber <= highNumber)],
        [date, makeRange(firstDay, secondDay, firstDay <= secondDay)],
        [createdField, makeRange(firstDay, secondDay, firstDay <= secondDay)],
        [
          status,
          { is: 'anyOf', values: status.values?.filter((_, index) => index === 0 || drawNumber(2) === 0) ?? [] },
        ],
        [region, { is: 'anyOf', values: [...new Set([1 + drawNumber(9), 10 + drawNumber(90)])].map(String) }],
        [activeFilter, { is: 'anyOf', values: [drawNumber(2) === 0 ? 'true' : 'false'] }],
        [missingFilter, { is: 'anyOf', values: ['kaa'] }],
        [picture, { is: drawNumber(2) === 0 ? 'empty' : 'filled' }],
      ]
      for (const [filter, condition] of conditionCases) {
        if ('text' in condition && condition.text.trim() === '') continue
        expect(readCondition(filter, writeCondition(condition))).toEqual(condition)
      }
    }
  })

  it('distinguishes the signs of a condition from texts that look like them', () => {
    for (const text of ['-', '*', '**', '\\', '\\*', 'a*', '*a', '*a*']) {
      const condition: Condition = { is: 'equal', text }
      expect(readCondition(phone, writeCondition(condition))).toEqual(condition)
    }
    expect(readCondition(phone, '-')).toEqual({ is: 'empty' })
  })

  it('returns undefined for a meaningless condition, and never throws', () => {
    const invalidConditions = [
      '',
      ' ',
      '..',
      'x..y',
      '5..1',
      '1...2',
      '2026-02-30',
      '2026-13-01..',
      '0',
      '-1',
      'de',
      '\0',
      '{}',
      '%',
    ]
    const validConditions = [price, date, createdField, status, region, activeFilter, missingFilter, picture].flatMap(
      (filter) =>
        invalidConditions.filter((text) => readCondition(filter, text)).map((text) => `${filter.name} ${text}`),
    )
    // A text is no number, and a list of a filter drops unknown values.
    expect(validConditions).toEqual(['price 0', 'price -1', 'region 5..1', 'region 1...2'])
    expect(readCondition(views, '1.5')).toBeUndefined()
    expect(readCondition(title, '*')).toBeUndefined()
    expect(readCondition(title, 'x'.repeat(201))).toBeUndefined()
    expect(readCondition(region, '99999999999')).toBeUndefined()
  })

  it('drops values of a condition that no longer exist and keeps the others', () => {
    expect(readCondition(status, 'processed.gone')).toEqual({ is: 'anyOf', values: ['processed'] })
  })
})

describe('the query of a condition', () => {
  it('queries a condition with the operators of the contract', () => {
    expect(operatorsOf(status, { is: 'anyOf', values: ['processed'] })).toEqual({ $eq: 'processed' })
    expect(operatorsOf(region, { is: 'anyOf', values: ['1', '2'] })).toEqual({ $in: ['1', '2'] })
    expect(operatorsOf(price, { is: 'range', from: '5', to: '10' })).toEqual({ $gte: '5', $lte: '10' })
    expect(operatorsOf(price, { is: 'range', from: '5', to: '5' })).toEqual({ $eq: '5' })
    expect(operatorsOf(title, { is: 'contains', text: 'a' })).toEqual({ $containsi: 'a' })
    expect(operatorsOf(region, { is: 'empty' })).toEqual({ $null: true })
  })

  it('matches an empty text as a missing value', () => {
    expect(operatorsOf(phone, { is: 'empty' })).toEqual({ $or: [{ $null: true }, { $eq: '' }] })
    expect(operatorsOf(phone, { is: 'filled' })).toEqual({ $notNull: true, $ne: '' })
  })

  it('covers the days of the user’s time zone, to the last moment of the last day', () => {
    const { $gte, $lt } = operatorsOf(createdField, { is: 'range', from: '2026-03-01', to: '2026-03-31' })
    expect($gte).toBe(new Date(2026, 2, 1).toISOString())
    expect($lt).toBe(new Date(2026, 3, 1).toISOString())
    expect(operatorsOf(date, { is: 'range', to: '2026-03-31' })).toEqual({ $lte: '2026-03-31' })
  })
})

describe('the filters of a list', () => {
  const admin = { role: 'admin', isConsultant: false } as const
  const consultant = { role: 'authenticated', isConsultant: true } as const
  const names = (resource: Resource, asker: typeof admin | typeof consultant) =>
    filtersOfCaller(resource, asker).map(({ name }) => name)

  it('omits filters of fields that the user may not read', () => {
    expect(names(companies, admin)).toContain('owner')
    expect(names(companies, consultant)).not.toContain('owner')
    expect(names(users, admin)).not.toContain('password')
    expect(names(users, admin)).not.toContain('removed_at')
    expect(names(users, admin)).not.toContain('first_name')
    expect(names(users, consultant).toSorted()).toEqual(['avatar', 'name', 'surname', 'username'])
  })

  it('offers the rule of completing a lesson as a filter', () => {
    expect(names(lessons, admin)).toEqual(expect.arrayContaining(['kind', 'complete_when', 'watch_ratio']))
    expect(filterOf(lessons, 'complete_when')).toMatchObject({ values: ['opened', 'watched', 'marked'] })
  })

  it('lists the declared filters first, omits structures, and adds languages for localized resources', () => {
    expect(names(pricelists, admin).slice(0, 2)).toEqual(['product', 'region'])
    expect(names(pricelists, admin)).not.toContain('flag')
    expect(names(pricelists, admin)).not.toContain('missing_locale')
    expect(names(news, admin)).toContain('outdated_locale')
    expect(requireFilter(consultations, 'status').isOptional).toBe(false)
  })
})

describe('a condition that is being typed', () => {
  it('reports what a typed condition lacks, and swaps the ends of a reversed range', () => {
    const emptyDraft = draftOf(price, undefined)
    expect(missingInput(price, emptyDraft)).toBe('value')
    expect(missingInput(price, { ...emptyDraft, from: 'NaN' })).toBe('other')
    expect(conditionOf(price, { ...emptyDraft, from: '10', to: '5' })).toEqual({ is: 'range', from: '5', to: '10' })
    expect(draftOf(status, { is: 'anyOf', values: ['processed'] })).toMatchObject({
      kind: 'anyOf',
      values: ['processed'],
    })
  })
})
