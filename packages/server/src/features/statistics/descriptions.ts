/** What the routes of reports say of themselves (contract §12). */
import {
  changeKinds,
  type ErrorCode,
  type JsonSchema,
  reportComparisons,
  reportFilters,
  reportIntervals,
  reportPeriods,
  reportUnits,
} from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const group = 'Reports'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const refusals: readonly ErrorCode[] = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
]
const text: JsonSchema = { type: 'string' }
const truth: JsonSchema = { type: 'boolean' }
const figure: JsonSchema = { type: ['number', 'null'] }
const day: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
const dayOrNone: JsonSchema = { anyOf: [day, { type: 'null' }] }
const share = { value: figure, previous: figure, n: whole }

const reportSchema = exactly({
  data: exactly({
    id: { type: 'integer', minimum: 1 },
    attributes: { type: 'object', description: 'As in the list' },
    metrics: listOf(
      exactly({
        key: text,
        value: { ...figure, description: 'Null where there is nothing to speak of' },
        unit: { enum: reportUnits },
        n: { ...whole, description: 'The cases behind it' },
        previous: figure,
        change: { ...figure, description: 'Per cent of the earlier value; points of a share' },
        change_kind: { enum: changeKinds },
        partial: {
          ...truth,
          description: 'The period is not over: it is compared with the same part of the earlier one',
        },
      }),
    ),
    series: listOf(
      exactly({
        key: text,
        points: listOf(
          exactly({
            t: day,
            value: figure,
            previous: figure,
            previous_t: dayOrNone,
            partial: { ...truth, description: 'It has not passed, or the period cuts it' },
            no_data: truth,
          }),
        ),
      }),
    ),
    breakdowns: listOf(
      exactly({
        dim: text,
        metric: { ...text, description: 'The figure that the rows share out' },
        rows: listOf(
          exactly({
            id: { type: ['integer', 'string'], description: 'A record, or a code' },
            name: { type: ['string', 'null'], description: 'Of a record, in `locale`' },
            ...share,
          }),
        ),
        not_set: { anyOf: [exactly(share), { type: 'null' }] },
        team: {
          ...figure,
          description:
            'The median of all people, where the rows are people; null for a consultant where it is of fewer than five',
        },
      }),
    ),
  }),
  meta: exactly({
    from: day,
    to: day,
    compare_from: dayOrNone,
    compare_to: dayOrNone,
    interval: { enum: reportIntervals },
    compare: { enum: reportComparisons },
    tz: text,
    data_through: text,
    generated_at: text,
  }),
})

const nobody = (id: string): RouteDescription => ({
  group,
  id: `statistics.${id}`,
  summary: 'Nothing: reports are part of the product',
  answers: {},
  refusals: ['route.not-found'],
})

export const statisticsDescriptions: Descriptions = {
  'GET /api/statistics': {
    group,
    id: 'statistics.list',
    summary: 'List the reports one may open',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('statistics.Filters') },
      'search',
      'sort',
      'fields',
      'populate',
      'pagination',
      { name: 'start', description: 'Rows to leave out before the page', schema: whole },
      { name: 'limit', description: 'Rows of the page, 15 when absent, 100 at most', schema: whole },
    ],
    answers: {
      200: json(
        exactly(
          {
            data: listOf(schemaRef('statistics.Entry')),
            meta: exactly({ pagination: schemaRef('Pagination') }),
            count: { ...whole, description: 'All matches; with `start` or `limit` only' },
          },
          ['count'],
        ),
      ),
    },
    refusals,
    roles: readers,
  },
  'GET /api/statistics/:id': {
    group,
    id: 'statistics.get',
    summary: 'Read a report with its figures by its key or its id',
    details:
      'Days are of the report zone, both included; weeks begin on Monday. Without a period it is the last 28 days. A period that is not over is compared with the same part of the earlier one. The rows of a table and `not_set` add up to the figure where it is a count. A consultant sees his own figures, and of people himself and the median of the team, of five people at least; only administrators filter by consultant.',
    query: [
      'fields',
      'populate',
      {
        name: 'period',
        description: 'A period that goes with the day, in place of `from` and `to`',
        schema: { type: 'string', enum: reportPeriods },
      },
      { name: 'from', description: 'The first day', schema: day },
      { name: 'to', description: 'The last day, at most five years later', schema: day },
      {
        name: 'interval',
        description: 'The parts of the lines; by the length of the period when absent',
        schema: { type: 'string', enum: reportIntervals },
      },
      {
        name: 'compare',
        description: 'The period before, or the same days a year before',
        schema: { type: 'string', enum: reportComparisons },
      },
      {
        name: 'filters',
        description: 'Ids of records; each report has some of them',
        schema: { type: 'object', properties: Object.fromEntries(reportFilters.map((name) => [name, text])) },
      },
      { name: 'locale', description: 'The language of names', schema: text },
    ],
    answers: { 200: json(reportSchema) },
    refusals: [
      ...refusals,
      'record.not-found',
      'report.date',
      'report.order',
      'report.range',
      'report.choice',
      'report.filter',
    ],
    roles: readers,
  },
  'POST /api/statistics': nobody('create'),
  'PUT /api/statistics/:id': nobody('update'),
  'DELETE /api/statistics/:id': nobody('remove'),
}
