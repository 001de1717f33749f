/** Contract of the route for the home page. */
import * as z from 'zod'
import { homeGroupKeys, homeScopes, maxPutOffRows, putOffTimes } from '../home.ts'
import { reportUnits } from '../reports.ts'
import type { Contracts } from './contract.ts'
import {
  data,
  dataAnswer,
  day,
  okAnswer,
  issue,
  locale,
  moment,
  oneOf,
  person,
  text,
  whole,
  booleanKey,
} from './parts.ts'

const group = 'First page'
const maxRefLength = 80

/** One row of open work on the home page. */
const row = z.strictObject({
  /** Identity of a home page row in its group: an id, or a resource and an id. */
  ref: z.string(),
  id: whole,
  /** Title of a home page row: the question, the title, the district; null where labels describe the row. */
  title: z.string().nullable(),
  /** Language of the title of a home page row. */
  locale: locale.nullable(),
  /** Person or company that waits for an answer on the home page. */
  from: person.nullable(),
  /** District or region of a home page row. */
  place: z.string().nullable(),
  /** User who answers the case of a home page row; null when nobody is assigned. */
  owner: person.nullable(),
  since: moment.nullable(),
  /** Deadline of the case in a home page row. */
  due: moment.nullable(),
  /** Number of items in a home page row, such as prices. */
  count: whole.nullable(),
  /** Kind of a home page row, in groups with several kinds. */
  kind: z.enum(['flagged', 'district', 'edit']).nullable(),
  /** Resource of a text to translate in a home page row; its outdated language follows. */
  resource: z.string().nullable(),
  outdated: locale.nullable(),
  languages: z.array(locale).readonly(),
  outdatedLanguages: z.array(locale).readonly(),
  /** Ids of records in the address of a home page row. */
  pricedate: whole.nullable(),
  region: whole.nullable(),
  putOffUntil: moment.nullable(),
})

const workGroup = z.strictObject({
  key: z.enum(homeGroupKeys),
  failed: z.boolean().describe('The group could not be read; its other values have no meaning'),
  /** Number of all rows in a home page group, including postponed ones. */
  count: whole.describe('Number of rows on the page that `all` opens'),
  /** Number of home page rows past their deadline; null in a group without deadlines. */
  late: whole.nullable(),
  /** Start of the longest wait in a home page group. */
  oldest: moment.nullable(),
  /** Flagged and missing prices, in the home page group of prices. */
  flagged: whole,
  missing: whole,
  rows: z.array(row),
  /** Page with all rows of a home page group; the group of a day of prices has its own page. */
  all: z.strictObject({
    path: z.string().describe('In the panel, below `/app`'),
    search: z.record(z.string(), z.string()).readonly(),
  }),
})

/** A weekday on the home page; `share` is the per cent of expected prices, `count` is answers. */
const weekDay = z.strictObject({
  date: day,
  share: z.number().nullable(),
  count: whole.nullable(),
  pricedate: whole.nullable(),
})

/** A figure of the caller on the home page, beside the median of the team. */
const figure = z.strictObject({
  key: z.enum(['reply_median', 'within_target', 'rating']),
  unit: z.enum(reportUnits),
  value: z.number().nullable(),
  team: z.number().nullable(),
})

const week = z.strictObject({
  of: z.enum(['prices', 'answers']),
  days: z.array(weekDay),
  /** Unpublished days of prices: today, and earlier days that were skipped. */
  unpublished: z.array(z.strictObject({ date: day, pricedate: whole.nullable() })),
  figures: z.array(figure),
})

/** A recent change that the caller may read. */
const change = z.strictObject({
  id: whole,
  at: moment,
  /** User who made the recent change; null for the program and for deleted accounts. */
  by: person.nullable(),
  action: z.string(),
  /** Name of the changed record's resource in the model. */
  resource: z.string().nullable(),
  record: z.strictObject({ id: whole, title: z.string().nullable(), locale: locale.nullable() }).nullable(),
  /** Number of consecutive records with the same recent change. */
  count: whole,
})

const answer = z.strictObject({
  data: z.strictObject({
    scope: z.enum(homeScopes),
    /** Number of open home page rows in each scope of the caller, without postponed rows. */
    totals: z.strictObject({ team: whole.optional(), mine: whole.optional() }),
    putOff: whole,
    /** Number of home page rows past their deadline in all groups, and the oldest deadline. */
    late: whole,
    oldest: moment.nullable(),
    groups: z.array(workGroup),
    week: week.nullable(),
    /** Recent changes; null for callers without access to changes, and when reading them failed. */
    changes: z.array(change).nullable(),
  }),
  meta: z.strictObject({ generated_at: moment, date: day, zone: z.string() }),
})

/** Reference to a home page row: an id, with the day, or with the resource and the language of a text. */
const isRef = (refText: string) => /^(?:[\da-z-]{1,40}\/){0,2}\d{1,10}$/.test(refText)
const ref = text(maxRefLength)
  .check(({ value, issues }) => {
    if (!isRef(value)) issues.push(issue(value, 'validation.required'))
  })
  .meta({ type: 'string', maxLength: maxRefLength })
const groupedRef = { group: z.enum(homeGroupKeys), ref }
const readers = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

export const homeRoutes = {
  'GET /api/home': {
    group,
    id: 'home.read',
    summary: 'Get the caller’s home page: pending tasks, missing prices and recent changes',
    details: `Empty groups are left out. Each group has its most urgent rows, at most three of those that the caller may read, and the number of all. A group that could not be read is marked as \`failed\`; the other groups are still returned. \`put_off\` returns the postponed rows instead of the others.`,
    query: z.object({
      scope: oneOf(
        homeScopes,
        '`team`: work of everybody, for staff; `mine`: the caller’s own work. When absent, the first of them that the caller has',
      ),
      put_off: booleanKey('Postponed rows instead of the others'),
    }),
    shared: ['locale'],
    answers: { 200: answer },
    refusals: ['access.denied', 'query.value'],
    roles: readers,
  },
  'POST /api/home/put-off': {
    group,
    id: 'home.putOff',
    summary: 'Postpone a row for the caller until a later time',
    details: `For an hour, or until eight in the morning of the next day or of Monday. A user can postpone at most ${maxPutOffRows} rows; beyond that, the rows that are due first return early.`,
    body: data({ ...groupedRef, time: z.enum(putOffTimes) }),
    answers: { 200: dataAnswer(z.strictObject({ until: moment })) },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: readers,
  },
  'POST /api/home/put-back': {
    group,
    id: 'home.putBack',
    summary: 'Show a postponed row again',
    body: data(groupedRef),
    answers: { 200: okAnswer },
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
