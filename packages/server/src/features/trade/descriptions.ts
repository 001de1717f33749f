/** The descriptions of the routes of the queue of trading posts. */
import {
  type ErrorCode,
  type JsonSchema,
  locales,
  maxDecided,
  maxReasons,
  momentSchema,
  queueTabs,
  twinReasons,
} from '@dala/model'
import {
  type Descriptions,
  done,
  exactly,
  json,
  listOf,
  type RouteDescription,
  schemaRef,
} from '../../http/description.ts'

const group = 'Moderation'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const id: JsonSchema = { type: 'integer', minimum: 1 }
const number: JsonSchema = { type: 'number' }
const text: JsonSchema = { type: 'string' }
const yes: JsonSchema = { type: 'boolean' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const everybody = { authenticated: 'bounded', consultant: 'bounded', ...staff }

const counts = exactly(Object.fromEntries(queueTabs.map((tab) => [tab, whole])))
const person = exactly({ id, name: text })
const claim = exactly({ by: person, until: momentSchema })
const common: readonly ErrorCode[] = ['access.denied', 'record.not-found', 'request.unprocessable']
const queried: readonly ErrorCode[] = ['query.parameter', 'query.value']
const deciding: readonly ErrorCode[] = [
  ...common,
  ...queried,
  'record.stale',
  'moderation.claimed',
  'moderation.reason',
  'state.step',
  'state.reason',
]

const data = (properties: Record<string, JsonSchema>, required: readonly string[] = []) =>
  json({
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'object', properties, ...(required.length > 0 && { required: [...required] }) } },
  })
const answer = (schema: JsonSchema) => ({ 200: json(exactly({ data: schema, meta: exactly({}) })) })

const decision = {
  to: text,
  reason: { anyOf: [text, { ...listOf(text), maxItems: maxReasons }] },
  public_note: orNull(text),
  staff_note: orNull(text),
}
const many = answer(
  exactly({
    done: listOf(id),
    failed: listOf(exactly({ id, code: text, message: text, params: { type: 'object' } })),
  }),
)

const twin = exactly({
  id,
  title: text,
  status: text,
  price: orNull(number),
  currency: orNull(text),
  createdAt: momentSchema,
  picture: orNull(text),
  kind: orNull(text),
  score: number,
  same: listOf({ enum: [...twinReasons] }),
})
const edit = orNull(
  exactly({
    state: { enum: ['waiting', 'returned'] },
    at: momentSchema,
    changes: listOf(exactly({ field: text, locale: orNull({ enum: [...locales] }), before: {}, after: {} })),
  }),
)
const decisions = listOf(
  exactly(
    {
      id,
      at: momentSchema,
      by: orNull(person),
      subject: { enum: ['post', 'edit'] },
      from: text,
      to: text,
      reasons: listOf(text),
      public_note: orNull(text),
      staff_note: orNull(text),
      undone: yes,
    },
    ['staff_note'],
  ),
)
const review = exactly({
  version: whole,
  author: orNull(
    exactly({
      id,
      name: text,
      language: { enum: [...locales] },
      since: momentSchema,
      blocked: { type: 'boolean' },
      posts: whole,
      refusals: whole,
      reports: whole,
    }),
  ),
  claim: orNull(claim),
  edit,
  twins: listOf(twin),
  price: orNull(
    exactly({
      price: number,
      min: number,
      low: number,
      median: number,
      high: number,
      max: number,
      count: whole,
      scope: { enum: ['region', 'country'] },
      percent: number,
      verdict: { enum: ['usual', 'outside', 'far'] },
    }),
  ),
  contacts: listOf(text),
  words: listOf(text),
  reports: listOf(
    exactly({
      id,
      reason: text,
      text: orNull(text),
      at: momentSchema,
      settled_at: orNull(momentSchema),
      upheld: orNull(yes),
    }),
  ),
  decisions,
})

const route = (
  name: string,
  summary: string,
  rest: Omit<RouteDescription, 'group' | 'id' | 'summary'>,
): RouteDescription => ({
  group,
  id: `tradinposts.${name}`,
  summary,
  roles: staff,
  ...rest,
})

export const tradeDescriptions: Descriptions = {
  'GET /api/tradinposts': {
    group: 'Trading posts',
    id: 'tradinposts.list',
    summary: 'List trading posts, with the counts of the queue’s tabs',
    details:
      'The counts are of all posts one may read, whatever the filters of the query say. What waits (`on_hold`) are new posts and edits of public ones: `waiting_since` is set.',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('tradinposts.Filters') },
      'search',
      'sort',
      'fields',
      'populate',
      'locale',
      'fallback',
      'pagination',
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(schemaRef('tradinposts.Entry')),
          meta: exactly({ pagination: schemaRef('Pagination'), counts }),
        }),
      ),
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
    roles: everybody,
  },
  'GET /api/tradinposts/queue': route('queue', 'Who looks at what, the counts of the tabs, and the target', {
    answers: answer(
      exactly({
        claims: listOf(exactly({ by: person, until: momentSchema, ids: listOf(id) })),
        counts,
        target: exactly({ hours: number, working: { type: 'object' }, zone: text }),
      }),
    ),
    refusals: ['access.denied'],
  }),
  'POST /api/tradinposts/:id/claim': route('claim', 'Take a post for five minutes', {
    details: 'Again: five minutes more. A claim on another post or a decision ends it.',
    answers: answer(claim),
    refusals: ['access.denied', 'record.not-found', 'moderation.claimed'],
  }),
  'DELETE /api/tradinposts/:id/claim': route('release', 'Let go of a post', {
    answers: { 200: done },
    refusals: ['access.denied', 'record.not-found'],
  }),
  'POST /api/tradinposts/:id/moderate': route('moderate', 'Decide on a post, or on the edit beside it', {
    details:
      'Where an edit of a public post waits, `processed` publishes it, `needs_changes` gives it back and `rejected` drops it; the public text and the place in the list stay. `reason` names listed reasons by their codes. The author is notified after ten seconds.',
    query: ['fields', 'populate'],
    body: data({ ...decision, version: whole }, ['to', 'version']),
    answers: { 200: json(schemaRef('tradinposts.Single')) },
    refusals: deciding,
  }),
  'POST /api/tradinposts/moderate': route('moderateMany', 'Decide on up to 100 posts alike', {
    details:
      'Each is checked against its own version; a refused one changes nothing and keeps no other from being decided.',
    body: data(
      { ...decision, items: { ...listOf(exactly({ id, version: whole })), minItems: 1, maxItems: maxDecided } },
      ['to', 'items'],
    ),
    answers: many,
    refusals: deciding,
  }),
  'POST /api/tradinposts/:id/undo': route('undo', 'Take one’s own decision back within ten seconds', {
    query: ['fields', 'populate'],
    answers: { 200: json(schemaRef('tradinposts.Single')) },
    refusals: ['access.denied', 'record.not-found', 'moderation.no-undo', 'bulk.changed-since', ...queried],
  }),
  'POST /api/tradinposts/undo': route('undoMany', 'Take one’s own decisions on up to 100 posts back', {
    body: data({ items: { ...listOf(id), minItems: 1, maxItems: maxDecided } }, ['items']),
    answers: many,
    refusals: common,
  }),
  'GET /api/tradinposts/:id/review': route('review', 'Everything that a moderator is shown beside a post', {
    answers: answer(review),
    refusals: ['access.denied', 'record.not-found'],
  }),
  'GET /api/tradinposts/:id/duplicates': route('duplicates', 'Posts of the last 30 days that are much alike', {
    answers: answer(listOf(twin)),
    refusals: ['access.denied', 'record.not-found'],
  }),
  'GET /api/tradinposts/:id/decisions': route('decisions', 'Decisions on a post, newest first', {
    details: 'The author reads them once they cannot be taken back any more, without the notes for colleagues.',
    answers: answer(decisions),
    refusals: ['access.denied', 'record.not-found'],
    roles: everybody,
  }),
  'GET /api/tradinposts/:id/edit': route('edit', 'The edit that stands beside a public post', {
    details: 'For its author and for moderators. Null without one.',
    answers: answer(edit),
    refusals: ['access.denied', 'record.not-found'],
    roles: everybody,
  }),
  'DELETE /api/tradinposts/:id/edit': route('withdrawEdit', 'Take one’s own edit away before it is decided', {
    answers: { 200: done },
    refusals: ['access.denied', 'record.not-found'],
    roles: everybody,
  }),
  'POST /api/tradinposts/:id/report': route('report', 'Report a post to the moderators', {
    details: 'Once for each reader, with a listed reason that applies to reports.',
    body: data({ reason: text, text: orNull(text) }, ['reason']),
    answers: { 200: done },
    refusals: [...common, 'moderation.reason', 'moderation.reported'],
    roles: everybody,
  }),
  'POST /api/tradinposts/:id/reports/:report/settle': route('settleReport', 'Settle one report', {
    details: 'Taking the post down is a decision of its own.',
    body: data({ upheld: yes }, ['upheld']),
    answers: { 200: done },
    refusals: [...common, 'moderation.settled'],
  }),
}
