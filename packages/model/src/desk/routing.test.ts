import { describe, expect, it } from 'vitest'
import { readWorkingHours } from '../time/working-time.ts'
import {
  maxRoutingRules,
  routeOf,
  type RoutingClock,
  type RoutingPerson,
  type RoutingQuestion,
  type RoutingRule,
} from './routing.ts'

const officeHoursAlways = readWorkingHours('1-7 00:00-24:00') ?? {}
/** Saturday, 28 November 2026, 10:00 in Tashkent. */
const now = Date.parse('2026-11-28T05:00:00Z')
const clock: RoutingClock = { now, zone: 'Asia/Tashkent', officeHours: officeHoursAlways }
const question: RoutingQuestion = { categories: [3, 1], region: 7, language: 'uz', asker: 99, late: [] }
const person = (id: number, draft: Partial<RoutingPerson> = {}): RoutingPerson => ({
  id,
  answers: true,
  isConsultant: true,
  categories: [],
  regions: [],
  languages: [],
  hours: null,
  absences: [],
  open: 0,
  limit: null,
  lastGiven: null,
  ...draft,
})
const rule = (id: number, draft: Partial<RoutingRule> = {}): RoutingRule => ({
  id,
  category: null,
  region: null,
  language: null,
  action: 'best',
  person: null,
  ...draft,
})
const codesOf = (people: RoutingPerson[], rules: RoutingRule[], testedQuestion = question, testedClock = clock) =>
  Object.fromEntries(
    routeOf(testedQuestion, people, rules, testedClock).reasons.map((personReason) => [
      personReason.person,
      personReason.codes,
    ]),
  )

describe('routeOf', () => {
  it('leaves a question without rules in the queue', () => {
    expect(routeOf(question, [person(1)], [], clock)).toEqual({
      person: null,
      rule: null,
      reasons: [{ person: 1, codes: ['no-rule'] }],
      rules: [],
    })
  })

  it.each<[string, Partial<RoutingPerson>, string]>([
    ['whose account does not answer', { answers: false }, 'unavailable'],
    ['who asked the question', { id: 99 }, 'asker'],
    ['who is absent', { absences: [{ from: now, to: now + 1 }] }, 'absent'],
    ['who does not work at this hour', { hours: readWorkingHours('6 11:00-18:00') ?? null }, 'off-hours'],
    ['who does not work on this day', { hours: readWorkingHours('1-5 00:00-24:00') ?? null }, 'off-hours'],
    ['at the limit', { open: 4, limit: 4 }, 'limit'],
    ['whose limit is 0', { limit: 0 }, 'limit'],
    ['who is no consultant', { isConsultant: false }, 'named-only'],
    ['of other categories', { categories: [2] }, 'category'],
    ['of other regions', { regions: [8] }, 'region'],
    ['of other languages', { languages: ['ru', 'kaa'] }, 'language'],
  ])('does not choose a person %s', (_what, draft, code) => {
    const candidate = person(1, draft)
    const route = routeOf(question, [candidate], [rule(1)], clock)
    expect(route).toMatchObject({ person: null, rule: null, rules: [{ outcome: 'nobody' }] })
    expect(route.reasons).toEqual([{ person: candidate.id, codes: [code] }])
  })

  it.each<[string, Partial<RoutingPerson>]>([
    ['whose absence has just ended', { absences: [{ from: now - 9, to: now }] }],
    ['whose absence is about to begin', { absences: [{ from: now + 1, to: now + 9 }] }],
    ['whose hours begin now', { hours: readWorkingHours('6 10:00-18:00') ?? null }],
    ['one below the limit', { open: 3, limit: 4 }],
    ['of a category above that of the question', { categories: [1] }],
    ['of the region among others', { regions: [7, 8] }],
    ['of the language', { languages: ['uz'] }],
  ])('chooses a person %s', (_what, draft) => {
    expect(routeOf(question, [person(1, draft)], [rule(1)], clock)).toMatchObject({ person: 1, rule: 1 })
  })

  it('gives every reason that keeps a question from a person', () => {
    const candidate = person(1, { answers: false, open: 1, limit: 1, regions: [8], languages: ['ru'] })
    expect(codesOf([candidate], [rule(1)])).toEqual({ 1: ['unavailable', 'limit', 'region', 'language'] })
  })

  it('matches a question without a category, region or language only to people who answer all', () => {
    const askedQuestion: RoutingQuestion = { ...question, categories: [], region: null, language: null }
    const people = [
      person(1, { categories: [1] }),
      person(2, { regions: [7] }),
      person(3, { languages: ['uz'] }),
      person(4),
    ]
    expect(codesOf(people, [rule(1)], askedQuestion)).toEqual({
      1: ['category'],
      2: ['region'],
      3: ['language'],
      4: ['chosen'],
    })
  })

  it('chooses the fewest open cases, then the longest without a new case, then the smallest id', () => {
    const people = [person(5), person(4), person(3, { lastGiven: 10 }), person(2, { open: 1 })]
    expect(codesOf(people, [rule(1)])).toEqual({ 4: ['chosen'], 5: ['later-id'], 3: ['recent'], 2: ['busier'] })
    const rankedPeople = [person(1, { lastGiven: 20 }), person(2, { lastGiven: 10 })]
    expect(codesOf(rankedPeople, [rule(1)])).toEqual({ 1: ['recent'], 2: ['chosen'] })
  })

  it('reads routing rules in order and reports what each decided', () => {
    const rules = [
      rule(1, { category: 2 }),
      rule(2, { region: 8 }),
      rule(3, { language: 'ru' }),
      rule(4, { action: 'person', person: 77 }),
      rule(5, { category: 1 }),
      rule(6, { action: 'queue' }),
    ]
    expect(routeOf(question, [person(1)], rules, clock).rules.map(({ outcome }) => outcome)).toEqual([
      'category',
      'region',
      'language',
      'nobody',
      'decided',
      'not-reached',
    ])
  })

  it('gives a named person every topic, also one who is no consultant', () => {
    const namedPerson = person(1, { isConsultant: false, categories: [2], regions: [8], languages: ['ru'] })
    expect(codesOf([namedPerson, person(2)], [rule(1, { action: 'person', person: 1 })])).toEqual({
      1: ['chosen'],
      2: ['not-named'],
    })
  })

  it('passes a question on to the next rule while the named person is absent', () => {
    const absentPerson = person(1, { absences: [{ from: now - 1, to: now + 1 }] })
    const rules = [rule(1, { action: 'person', person: 1 }), rule(2)]
    expect(routeOf(question, [absentPerson, person(2)], rules, clock)).toMatchObject({ person: 2, rule: 2 })
    expect(codesOf([absentPerson, person(2)], rules.slice(0, 1))).toEqual({ 1: ['absent'], 2: ['not-named'] })
  })

  it('leaves a question in the queue where a rule says so, whatever follows', () => {
    const route = routeOf(question, [person(1)], [rule(1, { action: 'queue' }), rule(2)], clock)
    expect(route).toMatchObject({ person: null, rule: 1, reasons: [{ person: 1, codes: ['queue'] }] })
  })

  it('never returns a question to somebody who did not answer it in time', () => {
    const askedQuestion = { ...question, late: [1] }
    const rules = [rule(1, { action: 'person', person: 1 }), rule(2)]
    expect(routeOf(askedQuestion, [person(1), person(2, { open: 9 })], rules, clock)).toMatchObject({
      person: 2,
      rule: 2,
    })
  })

  it('reads working hours by the clock of the office', () => {
    const worker = person(1, { hours: readWorkingHours('6 10:00-11:00') ?? null })
    const routeInZone = (zone: string) => routeOf(question, [worker], [rule(1)], { ...clock, zone }).person
    expect(routeInZone('Asia/Tashkent')).toBe(1)
    expect(routeInZone('UTC')).toBeNull()
  })

  it('uses the hours of the office for people without hours of their own', () => {
    const closedClock = { ...clock, officeHours: readWorkingHours('7 09:00-18:00') ?? {} }
    expect(codesOf([person(1), person(2, { hours: officeHoursAlways })], [rule(1)], question, closedClock)).toEqual({
      1: ['off-hours'],
      2: ['chosen'],
    })
  })

  it('chooses the same person in any order of people', () => {
    const people = [
      person(1, { open: 2 }),
      person(2, { lastGiven: 5 }),
      person(3, { lastGiven: 5 }),
      person(4, { lastGiven: 6 }),
    ]
    expect(routeOf(question, people, [rule(1)], clock).person).toBe(2)
    expect(routeOf(question, people.toReversed(), [rule(1)], clock).person).toBe(2)
  })

  it('decides by the last of the largest number of rules', () => {
    const rules = Array.from({ length: maxRoutingRules }, (_, index) =>
      rule(index + 1, { category: index === 199 ? 1 : 2 }),
    )
    expect(routeOf(question, [person(1)], rules, clock).rule).toBe(maxRoutingRules)
  })
})
