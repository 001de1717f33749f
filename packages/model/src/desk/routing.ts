/** Routing: decides who gets a question, and gives a reason for every person, without side effects. */
import type { Locale } from '../locales.ts'
import type { WorkingHours } from '../time/working-time.ts'
import { zoneOffset } from '../time/zone-offset.ts'

/** Targets of rules: the best available consultant, a named person, or the queue. */
export const routingActions = ['best', 'person', 'queue'] as const
export type RoutingAction = (typeof routingActions)[number]

/** Maximum number of rules, active or not. */
export const maxRoutingRules = 200

/** Reasons that keep a question from a person, in the order in which they are given. */
const obstacles = [
  'unavailable',
  'asker',
  'late',
  'absent',
  'off-hours',
  'limit',
  'named-only',
  'category',
  'region',
  'language',
] as const

/**
 * Reasons about a person who could take the question: they get it; another has fewer open cases, has waited
 * longer for a new one, or comes first by id; a rule names another person or the queue; or no rule applies.
 */
const possibleOutcomes = ['chosen', 'busier', 'recent', 'later-id', 'not-named', 'queue', 'no-rule'] as const

export const routingReasons = [...obstacles, ...possibleOutcomes] as const
export type RoutingReason = (typeof routingReasons)[number]

/**
 * Outcomes of a rule for a question: it is about another category, region or language; it found nobody; it
 * decided; or an earlier rule decided.
 */
export const ruleOutcomes = ['category', 'region', 'language', 'nobody', 'decided', 'not-reached'] as const
export type RuleOutcome = (typeof ruleOutcomes)[number]

/** A question that looks for a person. Categories and regions are ids of documents. */
export interface RoutingQuestion {
  /** Category of the question, then its parent, and so on; empty without a category. */
  categories: readonly number[]
  region: number | null
  language: Locale | null
  /** The customer, who never answers their own question. */
  asker: number | null
  /** People who already had the question and did not answer in time. */
  late: readonly number[]
}

/** A person who may get questions. Empty lists of categories, regions and languages mean all of them. */
export interface RoutingPerson {
  id: number
  /** Whether the account is active and answers customers. */
  answers: boolean
  /** Whether the person is a consultant; others get only what a rule names them for. */
  isConsultant: boolean
  categories: readonly number[]
  regions: readonly number[]
  languages: readonly Locale[]
  /** Own working hours; those of the office when null. */
  hours: WorkingHours | null
  /** Absences, from their start up to but not including their end; in milliseconds since 1970. */
  absences: readonly { from: number; to: number }[]
  /** Number of open cases: unfinished consultations and open chat rooms. */
  open: number
  /** Maximum number of open cases that routing gives; null for no limit. */
  limit: number | null
  /** Time of the last case that the person was given, in milliseconds since 1970; null for never. */
  lastGiven: number | null
}

/** An active rule; an empty category, region or language means all. */
export interface RoutingRule {
  id: number
  category: number | null
  region: number | null
  language: Locale | null
  action: RoutingAction
  person: number | null
}

/** The time of the decision, and the clock of the office. */
export interface RoutingClock {
  /** Milliseconds since 1970. */
  now: number
  /** Name of the time zone in which working hours are read. */
  zone: string
  officeHours: WorkingHours
}

/** The decision about a question. */
export interface Route {
  /** The person who gets the question; null for the queue. */
  person: number | null
  /** The rule that decided; null when none did. */
  rule: number | null
  /** Every person in the given order, with their reasons. */
  reasons: { person: number; codes: RoutingReason[] }[]
  /** Every rule in the given order, with what it meant for the question. */
  rules: { rule: number; outcome: RuleOutcome }[]
}

/** Makes the test of whether hours are open at the time of the decision, by the clock of the office. */
function openTest({ now, zone }: RoutingClock): (hours: WorkingHours) => boolean {
  const localMinutes = Math.floor(now / 60_000) + zoneOffset(zone)(now)
  const day = Math.floor(localMinutes / 1_440)
  const minute = localMinutes - day * 1_440
  // 1 January 1970 was a Thursday, the fourth day of the week.
  const weekday = ((((day + 3) % 7) + 7) % 7) + 1
  return (hours) => {
    const span = hours[weekday]
    return span !== undefined && span.from <= minute && minute < span.to
  }
}

/** Returns what a rule requires and the question does not have; undefined when the rule applies. */
function mismatchOf(rule: RoutingRule, question: RoutingQuestion): 'category' | 'region' | 'language' | undefined {
  if (rule.category !== null && !question.categories.includes(rule.category)) return 'category'
  if (rule.region !== null && rule.region !== question.region) return 'region'
  return rule.language !== null && rule.language !== question.language ? 'language' : undefined
}

const isOutside = <T>(list: readonly T[], value: T | null): boolean =>
  list.length > 0 && (value === null || !list.includes(value))

/** Reasons that hold even for a person whom a rule names. */
function personalObstacles(
  person: RoutingPerson,
  question: RoutingQuestion,
  clock: RoutingClock,
  isOpen: (hours: WorkingHours) => boolean,
): RoutingReason[] {
  const resultsByReason: Partial<Record<RoutingReason, boolean>> = {
    unavailable: !person.answers,
    asker: person.id === question.asker,
    late: question.late.includes(person.id),
    absent: person.absences.some(({ from, to }) => from <= clock.now && clock.now < to),
    'off-hours': !isOpen(person.hours ?? clock.officeHours),
    limit: person.limit !== null && person.open >= person.limit,
  }
  return obstacles.filter((code) => resultsByReason[code] === true)
}

/** Reasons why a question is not one that the person answers. */
function foreignTo(person: RoutingPerson, { categories, region, language }: RoutingQuestion): RoutingReason[] {
  const isKnown =
    person.categories.length === 0 || categories.some((askedCategory) => person.categories.includes(askedCategory))
  return [
    ...(person.isConsultant ? [] : (['named-only'] as const)),
    ...(isKnown ? [] : (['category'] as const)),
    ...(isOutside(person.regions, region) ? (['region'] as const) : []),
    ...(isOutside(person.languages, language) ? (['language'] as const) : []),
  ]
}

/** Compares two people: fewest open cases, then longest without a new one, then id. */
function comparePeople(one: RoutingPerson, other: RoutingPerson): number {
  return one.open - other.open || Math.sign((one.lastGiven ?? -1) - (other.lastGiven ?? -1)) || one.id - other.id
}

/** Reason why a person who could take the question was not chosen. */
function lossOf(person: RoutingPerson, chosenPerson: RoutingPerson): RoutingReason {
  if (person.open !== chosenPerson.open) return 'busier'
  return person.lastGiven === chosenPerson.lastGiven ? 'later-id' : 'recent'
}

/**
 * Decides who gets a question. Rules are read in their order; the first that applies and finds somebody, or
 * that names the queue, decides. A named person gets questions of every category, region and language, but
 * not while they are absent, off duty or at their limit.
 *
 * @param question - The question.
 * @param people - Everybody who may get questions, each once.
 * @param rules - The active rules in order.
 * @param clock - The time of the decision.
 * @returns The person or nobody, with a reason for every person and every rule.
 * @example
 * routeOf(question, [], [], clock).person // null
 */
export function routeOf(
  question: RoutingQuestion,
  people: readonly RoutingPerson[],
  rules: readonly RoutingRule[],
  clock: RoutingClock,
): Route {
  const isOpen = openTest(clock)
  const candidates = people.map((person) => {
    const ownObstacles = personalObstacles(person, question, clock, isOpen)
    return { person, personal: ownObstacles, codes: [...ownObstacles, ...foreignTo(person, question)] }
  })
  const availablePeople = candidates.filter(({ codes }) => codes.length === 0).map(({ person }) => person)
  const [bestPerson] = availablePeople.toSorted(comparePeople)
  const findCandidate = (id: number | null) =>
    candidates.find(({ person, personal }) => person.id === id && personal.length === 0)

  let ruleDecision: { rule: RoutingRule; person: RoutingPerson | null } | undefined
  let hasApplied = false
  const ruleResults = rules.map((rule): Route['rules'][number] => {
    if (ruleDecision) return { rule: rule.id, outcome: 'not-reached' }
    const ruleMismatch = mismatchOf(rule, question)
    if (ruleMismatch) return { rule: rule.id, outcome: ruleMismatch }
    hasApplied = true
    const person =
      rule.action === 'best' ? bestPerson : rule.action === 'person' ? findCandidate(rule.person)?.person : undefined
    if (!person && rule.action !== 'queue') return { rule: rule.id, outcome: 'nobody' }
    ruleDecision = { rule, person: person ?? null }
    return { rule: rule.id, outcome: 'decided' }
  })

  const chosenPerson = ruleDecision?.person ?? null
  const outcomeOf = (person: RoutingPerson): RoutingReason => {
    if (!ruleDecision) return hasApplied ? 'not-named' : 'no-rule'
    if (ruleDecision.rule.action === 'queue') return 'queue'
    return ruleDecision.rule.action === 'person' || !chosenPerson ? 'not-named' : lossOf(person, chosenPerson)
  }
  return {
    person: chosenPerson?.id ?? null,
    rule: ruleDecision?.rule.id ?? null,
    reasons: candidates.map(({ person, codes }) => {
      if (person.id === chosenPerson?.id) return { person: person.id, codes: ['chosen'] }
      return { person: person.id, codes: codes.length > 0 ? codes : [outcomeOf(person)] }
    }),
    rules: ruleResults,
  }
}
