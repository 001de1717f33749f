/** What the routes of the first page say of themselves. */
import { homeGroupKeys, homeScopes, type JsonSchema, locales, maxPutOff, putOffTimes, reportUnits } from '@dala/model'
import { type Descriptions, done, exactly, json, listOf } from '../../http/description.ts'

const group = 'First page'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const truth: JsonSchema = { type: 'boolean' }
const moment: JsonSchema = { type: 'string', format: 'date-time' }
const day: JsonSchema = { type: 'string', format: 'date' }
const locale: JsonSchema = { type: 'string', enum: [...locales] }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const person = exactly({ id: whole, name: text })
const scope: JsonSchema = { type: 'string', enum: [...homeScopes] }
const key: JsonSchema = { type: 'string', enum: [...homeGroupKeys] }

const row = exactly({
  ref: { ...text, description: 'What tells it from the other rows of its group' },
  id: whole,
  title: orNull(text),
  locale: orNull(locale),
  from: orNull(person),
  place: orNull(text),
  owner: orNull(person),
  since: orNull(moment),
  due: orNull(moment),
  count: orNull(whole),
  kind: orNull({ type: 'string', enum: ['flagged', 'district', 'edit'] }),
  resource: orNull(text),
  outdated: orNull(locale),
  languages: listOf(locale),
  outdatedLanguages: listOf(locale),
  pricedate: orNull(whole),
  region: orNull(whole),
  putOffUntil: orNull(moment),
})

const answer = exactly({
  data: exactly({
    scope,
    totals: exactly({ team: whole, mine: whole }, ['team', 'mine']),
    putOff: whole,
    late: whole,
    oldest: orNull(moment),
    groups: listOf(
      exactly({
        key,
        failed: { ...truth, description: 'It could not be read; its other values say nothing' },
        count: { ...whole, description: 'The number of the page that `all` opens' },
        late: orNull(whole),
        oldest: orNull(moment),
        flagged: whole,
        missing: whole,
        rows: listOf(row),
        all: exactly({
          path: { ...text, description: 'In the panel, below `/app`' },
          search: { type: 'object', additionalProperties: text },
        }),
      }),
    ),
    week: orNull(
      exactly({
        of: { type: 'string', enum: ['prices', 'answers'] },
        days: listOf(exactly({ date: day, share: orNull(number), count: orNull(number), pricedate: orNull(whole) })),
        unpublished: listOf(exactly({ date: day, pricedate: orNull(whole) })),
        figures: listOf(
          exactly({
            key: { type: 'string', enum: ['reply_median', 'within_target', 'rating'] },
            unit: { type: 'string', enum: [...reportUnits] },
            value: orNull(number),
            team: orNull(number),
          }),
        ),
      }),
    ),
    changes: orNull(
      listOf(
        exactly({
          id: whole,
          at: moment,
          by: orNull(person),
          action: text,
          resource: orNull(text),
          record: orNull(exactly({ id: whole, title: orNull(text), locale: orNull(locale) })),
          count: whole,
        }),
      ),
    ),
  }),
  meta: exactly({ generated_at: moment, date: day, zone: text }),
})

const named = { group: key, ref: { ...text, maxLength: 80 } }
const readers = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

export const homeDescriptions: Descriptions = {
  'GET /api/home': {
    group,
    id: 'home.read',
    summary: 'What waits for the caller, what is missing today, and what changed',
    details: `Groups without anything are left out. Each has its most urgent rows, three at most, within the rows of the caller, and the number of all. A group that could not be read is marked; the others stay. \`put_off\` asks for the rows that are put off in place of the others.`,
    query: [
      {
        name: 'scope',
        description: 'Everybody’s work, for staff, or the caller’s own; what the caller has when absent',
        schema: scope,
      },
      { name: 'put_off', description: 'Rows that are put off', schema: truth },
      'locale',
    ],
    answers: { 200: json(answer) },
    refusals: ['access.denied', 'query.value'],
    roles: readers,
  },
  'POST /api/home/put-off': {
    group,
    id: 'home.putOff',
    summary: 'Hide a row from the caller until a later time',
    details: `An hour, or until eight in the morning of the next day or of Monday. A person has at most ${maxPutOff} such rows; those that return first make room.`,
    body: json(exactly({ data: exactly({ ...named, time: { type: 'string', enum: [...putOffTimes] } }) })),
    answers: { 200: json(exactly({ data: exactly({ until: moment }) })) },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: readers,
  },
  'POST /api/home/put-back': {
    group,
    id: 'home.putBack',
    summary: 'Show a row again that was put off',
    body: json(exactly({ data: exactly(named) })),
    answers: { 200: done },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: readers,
  },
}
