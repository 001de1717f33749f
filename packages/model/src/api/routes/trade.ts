/** The contract of the moderation queue of trading posts: claims, decisions, undo, reports (market §7). */
import * as z from 'zod'
import type { ErrorCode, FaultParams } from '../../errors/errors.ts'
import { maxInteger } from '../../fields/value-kinds.ts'
import { tradinposts } from '../../resources/market/tradinposts.ts'
import type { WorkingHours } from '../../time/working-time.ts'
import {
  maxDecidedPosts,
  maxPostNote,
  maxPostReason,
  maxPostReport,
  maxPostStaffNote,
  maxReasons,
  type QueueTab,
  twinReasons,
} from '../moderation.ts'
import type { Contracts, RouteContract } from './contract.ts'
import {
  data,
  declaredSchema,
  okAnswer,
  entryOf,
  filtersOf,
  id,
  issue,
  locale,
  moment,
  optionalText,
  pagination,
  person,
  recordAnswer,
  text,
  whole,
  answerWithMeta,
} from './parts.ts'

const group = 'Moderation'
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const everybodyRights = { authenticated: 'bounded', consultant: 'bounded', ...staff }

const number = z.number()
const line = z.string()

/** Number of trading posts in each tab of the moderation queue. */
const counts = z.strictObject({
  on_hold: whole,
  needs_changes: whole,
  reported: whole,
  processed: whole,
  rejected: whole,
  expired: whole,
  archived: whole,
  all: whole,
} satisfies Record<QueueTab, z.ZodType>)

/** The moderator who is reviewing a trading post, and the end of the claim. */
const claim = z.strictObject({ by: person, until: moment })

/** The working hours until a trading post must be decided, and the calendar for counting them. */
const decisionTarget = z.strictObject({
  hours: number,
  working: declaredSchema<WorkingHours>({ type: 'object' }),
  zone: line,
})

const queue = z.strictObject({
  /** Claims of moderators, each with the ids of all languages of the trading post. */
  claims: z.array(claim.extend({ ids: z.array(id) })),
  counts,
  target: decisionTarget,
})

/** A trading post that is similar to another one. */
const similarPost = z.strictObject({
  id,
  title: line,
  status: line,
  price: number.nullable(),
  currency: line.nullable(),
  createdAt: moment,
  picture: line.nullable(),
  /** Kind of goods of the trading post's category; null without a category. */
  kind: line.nullable(),
  /** Similarity of two trading posts, from 0 to 1. */
  score: number,
  /** Reasons why the trading posts are similar. */
  same: z.array(z.enum(twinReasons)),
})

/** A value of a trading post as shown, and as in the edit; links are named records. */
const change = z.strictObject({
  field: line,
  /** Language of the changed text; null for values of all languages. */
  locale: locale.nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

/** The pending edit of a public trading post. */
const edit = z.strictObject({ state: z.enum(['waiting', 'returned']), at: moment, changes: z.array(change) }).nullable()

/** A decision as the trading post's author and moderators see it. */
const decision = z.strictObject({
  id,
  at: moment,
  by: person.nullable(),
  subject: z.enum(['post', 'edit']),
  from: line,
  to: line,
  reasons: z.array(line),
  public_note: line.nullable(),
  /** Note about the decision, for moderators only. */
  staff_note: line.nullable().optional(),
  undone: z.boolean(),
})

/** A user's report of a trading post. */
const report = z.strictObject({
  id,
  reason: line,
  text: line.nullable(),
  at: moment,
  settled_at: moment.nullable(),
  upheld: z.boolean().nullable(),
})

/** Prices that a trading post is compared with, in the unit of the post. */
const priceScale = z.strictObject({
  price: number,
  min: number,
  low: number,
  median: number,
  high: number,
  max: number,
  count: whole,
  /**
   * Source of the compared prices: the region of the trading post, or the country where the region has too
   * few.
   */
  scope: z.enum(['region', 'country']),
  /** Deviation of the trading post's price from the median, in per cent. */
  percent: number,
  verdict: z.enum(['usual', 'outside', 'far']),
})

const author = z.strictObject({
  id,
  name: line,
  language: locale,
  since: moment,
  /** Whether the author's account is blocked: it receives no e-mail and cannot write. */
  blocked: z.boolean(),
  posts: whole,
  refusals: whole,
  reports: whole,
})

/** The details that a moderator sees beside a trading post. */
const review = z.strictObject({
  version: whole,
  author: author.nullable(),
  claim: claim.nullable(),
  edit,
  twins: z.array(similarPost),
  /** Prices that the trading post is compared with; null without any. */
  price: priceScale.nullable(),
  /** Contact details in the text of the trading post. */
  contacts: z.array(line),
  /** Words in the trading post that moderators check. */
  words: z.array(line),
  reports: z.array(report),
  decisions: z.array(decision),
})

/** The outcome of a decision for each of many trading posts. */
const outcome = z.strictObject({
  done: z.array(id),
  failed: z.array(
    z.strictObject({ id, code: line, message: line, params: declaredSchema<FaultParams>({ type: 'object' }) }),
  ),
})

const commonCodes = [
  'access.denied',
  'record.not-found',
  'request.unprocessable',
] as const satisfies readonly ErrorCode[]
const queryCodes = ['query.parameter', 'query.value'] as const satisfies readonly ErrorCode[]
const decisionCodes = [
  ...commonCodes,
  ...queryCodes,
  'record.stale',
  'moderation.claimed',
  'moderation.reason',
  'state.step',
  'state.reason',
] as const satisfies readonly ErrorCode[]

/** Codes of a decision's reasons: one, several, or none. */
const reason = z
  .union([line, z.array(line).max(maxReasons)])
  .nullish()
  .transform((rawValue) => [...new Set([rawValue ?? []].flat())])

const verdictBody = {
  to: z.enum(tradinposts.fields.status.values),
  reason,
  public_note: optionalText(maxPostNote),
  staff_note: optionalText(maxPostStaffNote),
}
const version = whole.max(maxInteger)

interface ListAnswer<T> {
  value: readonly T[]
  issues: z.core.$ZodRawIssue[]
}

/** Rejects a list of trading posts that contains a post twice. */
const checkUniquePosts =
  <T>(idOf: (item: T) => number) =>
  ({ value, issues }: ListAnswer<T>) => {
    if (new Set(value.map(idOf)).size < value.length) issues.push(issue(value, 'validation.unique'))
  }

const seenPosts = z
  .array(z.object({ id, version: id }))
  .min(1)
  .max(maxDecidedPosts)
  .check(checkUniquePosts((item) => item.id))
const postIds = z
  .array(id)
  .min(1)
  .max(maxDecidedPosts)
  .check(checkUniquePosts((item) => item))

const tradeRoute = <const Name extends string, const R extends Omit<RouteContract, 'group' | 'id' | 'summary'>>(
  name: Name,
  summary: string,
  routeOptions: R,
) => ({ group, id: `tradinposts.${name}`, summary, roles: staff, ...routeOptions })

export const tradeRoutes = {
  'GET /api/tradinposts': {
    group: 'Trading posts',
    id: 'tradinposts.list',
    summary: 'List trading posts, with the counts of the queue’s tabs',
    details:
      'The counts include all posts that the caller may read, whatever the filters of the query. Posts that wait (`on_hold`) are new posts, and public posts whose edit waits; their `waiting_since` is set.',
    query: z.object({ filters: filtersOf('tradinposts') }),
    shared: ['search', 'sort', 'fields', 'populate', 'locale', 'fallback', 'pagination'],
    answers: {
      200: z.strictObject({
        data: z.array(entryOf('tradinposts')),
        meta: z.strictObject({ pagination, counts }),
      }),
    },
    refusals: [
      'access.denied',
      'query.parameter',
      'query.operator',
      'query.value',
      'query.direction',
      'query.pagination',
      'query.pagination-mixed',
      'locale.unknown',
    ],
    roles: everybodyRights,
  },
  'GET /api/tradinposts/queue': tradeRoute(
    'queue',
    'Get the claims on posts, the counts of the tabs, and the target time',
    {
      answers: { 200: answerWithMeta(queue) },
      refusals: ['access.denied'],
    },
  ),
  'POST /api/tradinposts/:id/claim': tradeRoute('claim', 'Claim a post for five minutes', {
    details:
      'Another call renews the claim for five minutes. The claim ends with a decision, or when the caller claims another post.',
    answers: { 200: answerWithMeta(claim) },
    refusals: ['access.denied', 'record.not-found', 'moderation.claimed'],
  }),
  'DELETE /api/tradinposts/:id/claim': tradeRoute('release', 'Release the caller’s claim on a post', {
    answers: { 200: okAnswer },
    refusals: ['access.denied', 'record.not-found'],
  }),
  'POST /api/tradinposts/:id/moderate': tradeRoute('moderate', 'Decide on a post, or on the edit of a public post', {
    details:
      'If an edit of a public post waits, `processed` publishes it, `needs_changes` returns it to the author, and `rejected` discards it. An edit that is returned or discarded leaves the public text unchanged. The post keeps its place in the list. `reason` contains codes of listed reasons. The author is notified after ten seconds.',
    shared: ['fields', 'populate'],
    body: data({ ...verdictBody, version }),
    answers: { 200: recordAnswer('tradinposts') },
    refusals: decisionCodes,
  }),
  'POST /api/tradinposts/moderate': tradeRoute('moderateMany', 'Apply one decision to up to 100 posts', {
    details:
      'Each post is checked against its own version. A refused post is not changed and does not affect the others.',
    body: data({ ...verdictBody, items: seenPosts }),
    answers: { 200: answerWithMeta(outcome) },
    refusals: decisionCodes,
  }),
  'POST /api/tradinposts/:id/undo': tradeRoute('undo', 'Undo the caller’s decision within ten seconds', {
    shared: ['fields', 'populate'],
    answers: { 200: recordAnswer('tradinposts') },
    refusals: ['access.denied', 'record.not-found', 'moderation.no-undo', 'bulk.changed-since', ...queryCodes],
  }),
  'POST /api/tradinposts/undo': tradeRoute('undoMany', 'Undo the caller’s decisions on up to 100 posts', {
    body: data({ items: postIds }),
    answers: { 200: answerWithMeta(outcome) },
    refusals: commonCodes,
  }),
  'GET /api/tradinposts/:id/review': tradeRoute('review', 'Get the details that a moderator sees beside a post', {
    answers: { 200: answerWithMeta(review) },
    refusals: ['access.denied', 'record.not-found'],
  }),
  'GET /api/tradinposts/:id/duplicates': tradeRoute('duplicates', 'List similar posts of the last 30 days', {
    answers: { 200: answerWithMeta(z.array(similarPost)) },
    refusals: ['access.denied', 'record.not-found'],
  }),
  'GET /api/tradinposts/:id/decisions': tradeRoute('decisions', 'List the decisions on a post, newest first', {
    details: 'The author sees a decision once it can no longer be undone, without the notes for other moderators.',
    answers: { 200: answerWithMeta(z.array(decision)) },
    refusals: ['access.denied', 'record.not-found'],
    roles: everybodyRights,
  }),
  'GET /api/tradinposts/:id/edit': tradeRoute('edit', 'Get the unpublished edit of a public post', {
    details: 'Only for its author and for moderators. Null when there is none.',
    answers: { 200: answerWithMeta(edit) },
    refusals: ['access.denied', 'record.not-found'],
    roles: everybodyRights,
  }),
  'DELETE /api/tradinposts/:id/edit': tradeRoute('withdrawEdit', 'Withdraw the caller’s edit before a decision', {
    answers: { 200: okAnswer },
    refusals: ['access.denied', 'record.not-found'],
    roles: everybodyRights,
  }),
  'POST /api/tradinposts/:id/report': tradeRoute('report', 'Report a post to the moderators', {
    details: 'Each user can report a post once, with a listed reason that applies to reports.',
    body: data({ reason: text(maxPostReason), text: optionalText(maxPostReport) }),
    answers: { 200: okAnswer },
    refusals: [...commonCodes, 'moderation.reason', 'moderation.reported'],
    roles: everybodyRights,
  }),
  'POST /api/tradinposts/:id/reports/:report/settle': tradeRoute('settleReport', 'Settle a report', {
    details: 'Settling does not take the post down: that is a separate decision.',
    body: data({ upheld: z.boolean() }),
    answers: { 200: okAnswer },
    refusals: [...commonCodes, 'moderation.settled'],
  }),
} as const satisfies Contracts

export type QueueTarget = z.output<typeof decisionTarget>
export type QueueState = z.output<typeof queue>
export type PostClaim = z.output<typeof claim>
export type EditChange = z.output<typeof change>
export type PostTwin = z.output<typeof similarPost>
export type PriceScale = z.output<typeof priceScale>
export type PostReport = z.output<typeof report>
export type PostDecision = z.output<typeof decision>
export type PostReview = z.output<typeof review>
export type DecidedPosts = z.output<typeof outcome>
/** A decision of a moderator, as the body of a call. */
export type PostVerdict = Omit<
  z.output<(typeof tradeRoutes)['POST /api/tradinposts/moderate']['body']>['data'],
  'items'
>
/** One of many trading posts to decide on, with the version that the moderator saw. */
export type SeenPost = z.output<typeof seenPosts>[number]
