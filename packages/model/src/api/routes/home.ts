/** The contract of the first page of a person. */
import * as z from 'zod'
import { homeGroupKeys, homeScopes, maxPutOff, putOffTimes } from '../home.ts'
import { reportUnits } from '../reports.ts'
import type { Contracts } from './contract.ts'
import { data, dataAnswer, day, done, issue, locale, moment, oneOf, person, text, whole, yesOrNo } from './parts.ts'

const group = 'First page'
const maxRef = 80

/** One row of work. */
const row = z.strictObject({
  /** What tells it from the other rows of its group: an id, or a resource and an id. */
  ref: z.string(),
  id: whole,
  /** The question, the title, the district; null where labels say it. */
  title: z.string().nullable(),
  /** The language of the title. */
  locale: locale.nullable(),
  /** The person or the company that waits. */
  from: person.nullable(),
  /** The district or region. */
  place: z.string().nullable(),
  /** The person who answers; null for nobody. */
  owner: person.nullable(),
  since: moment.nullable(),
  /** The end of the time for it. */
  due: moment.nullable(),
  /** How many it stands for: prices of a row. */
  count: whole.nullable(),
  /** Of what kind the row is within its group, where there are several. */
  kind: z.enum(['flagged', 'district', 'edit']).nullable(),
  /** The resource of a text, and the language that is outdated. */
  resource: z.string().nullable(),
  outdated: locale.nullable(),
  languages: z.array(locale).readonly(),
  outdatedLanguages: z.array(locale).readonly(),
  /** Records that the address of the row names. */
  pricedate: whole.nullable(),
  region: whole.nullable(),
  putOffUntil: moment.nullable(),
})

const workGroup = z.strictObject({
  key: z.enum(homeGroupKeys),
  failed: z.boolean().describe('It could not be read; its other values say nothing'),
  /** All of it, the rows that are put off included. */
  count: whole.describe('The number of the page that `all` opens'),
  /** Those past their time; null where there is no such time. */
  late: whole.nullable(),
  /** Since when the first of it waits. */
  oldest: moment.nullable(),
  /** Prices in question and prices that are missing, of the group of prices. */
  flagged: whole,
  missing: whole,
  rows: z.array(row),
  /** The page of all; a day of prices has its own. */
  all: z.strictObject({
    path: z.string().describe('In the panel, below `/app`'),
    search: z.record(z.string(), z.string()).readonly(),
  }),
})

/** A day of the week; `share` is of the prices that were expected, in per cent, `count` are answers. */
const weekDay = z.strictObject({
  date: day,
  share: z.number().nullable(),
  count: whole.nullable(),
  pricedate: whole.nullable(),
})

/** A figure of the caller with the median of the team. */
const figure = z.strictObject({
  key: z.enum(['reply_median', 'within_target', 'rating']),
  unit: z.enum(reportUnits),
  value: z.number().nullable(),
  team: z.number().nullable(),
})

const week = z.strictObject({
  of: z.enum(['prices', 'answers']),
  days: z.array(weekDay),
  /** Days that have to be published: today, and earlier ones that were left out. */
  unpublished: z.array(z.strictObject({ date: day, pricedate: whole.nullable() })),
  figures: z.array(figure),
})

/** Something that happened, as the caller may read it. */
const change = z.strictObject({
  id: whole,
  at: moment,
  /** The person who did it; null for the program, and for those who are gone. */
  by: person.nullable(),
  action: z.string(),
  /** The resource by its name in the model. */
  resource: z.string().nullable(),
  record: z.strictObject({ id: whole, title: z.string().nullable(), locale: locale.nullable() }).nullable(),
  /** How many records it was done to, one after the other. */
  count: whole,
})

const answer = z.strictObject({
  data: z.strictObject({
    scope: z.enum(homeScopes),
    /** What waits in each scope of the caller, without what is put off. */
    totals: z.strictObject({ team: whole.optional(), mine: whole.optional() }),
    putOff: whole,
    /** Rows past their time in all groups, and the oldest end of such a time. */
    late: whole,
    oldest: moment.nullable(),
    groups: z.array(workGroup),
    week: week.nullable(),
    /** Null for callers who have nothing to read there, and when it could not be read. */
    changes: z.array(change).nullable(),
  }),
  meta: z.strictObject({ generated_at: moment, date: day, zone: z.string() }),
})

/** An id, with the day, or the resource and the language, that it goes with. */
const isRef = (given: string) => /^(?:[\da-z-]{1,40}\/){0,2}\d{1,10}$/.test(given)
const ref = text(maxRef)
  .check(({ value, issues }) => {
    if (!isRef(value)) issues.push(issue(value, 'validation.required'))
  })
  .meta({ type: 'string', maxLength: maxRef })
const named = { group: z.enum(homeGroupKeys), ref }
const readers = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

export const homeRoutes = {
  'GET /api/home': {
    group,
    id: 'home.read',
    summary: 'What waits for the caller, what is missing today, and what changed',
    details: `Groups without anything are left out. Each has its most urgent rows, three at most, within the rows of the caller, and the number of all. A group that could not be read is marked; the others stay. \`put_off\` asks for the rows that are put off in place of the others.`,
    query: z.object({
      scope: oneOf(homeScopes, 'Everybody’s work, for staff, or the caller’s own; what the caller has when absent'),
      put_off: yesOrNo('Rows that are put off'),
    }),
    shared: ['locale'],
    answers: { 200: answer },
    refusals: ['access.denied', 'query.value'],
    roles: readers,
  },
  'POST /api/home/put-off': {
    group,
    id: 'home.putOff',
    summary: 'Hide a row from the caller until a later time',
    details: `An hour, or until eight in the morning of the next day or of Monday. A person has at most ${maxPutOff} such rows; those that return first make room.`,
    body: data({ ...named, time: z.enum(putOffTimes) }),
    answers: { 200: dataAnswer(z.strictObject({ until: moment })) },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: readers,
  },
  'POST /api/home/put-back': {
    group,
    id: 'home.putBack',
    summary: 'Show a row again that was put off',
    body: data(named),
    answers: { 200: done },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: readers,
  },
} as const satisfies Contracts

export type HomeAnswer = z.output<typeof answer>
export type HomeRow = z.output<typeof row>
export type HomeGroup = z.output<typeof workGroup>
export type HomeWeek = z.output<typeof week>
export type HomeDay = z.output<typeof weekDay>
export type HomeFigure = z.output<typeof figure>
export type HomeChange = z.output<typeof change>
