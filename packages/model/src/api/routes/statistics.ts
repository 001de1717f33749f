/** Contracts of the list of reports and of a report's figures (contract §12, statistics §6). */
import * as z from 'zod'
import { maxInteger } from '../../fields/value-kinds.ts'
import { isLocale, type Locale } from '../../locales.ts'
import {
  changeKinds,
  filterCodes,
  reportComparisons,
  type ReportFilter,
  reportFilters,
  type ReportFilterValues,
  reportHours,
  recordColumns,
  type RecordColumn,
  reportIntervals,
  reportPeriods,
  reportUnits,
  reports,
  sectionsOf,
} from '../reports.ts'
import type { Contracts } from './contract.ts'
import {
  day,
  dayOf,
  declaredSchema,
  entryOf,
  filtersOf,
  id,
  issue,
  moment,
  writtenLanguageKey,
  oneOf,
  optionalKey,
  pagination,
  whole,
  wholeKey,
  listRefusals,
} from './parts.ts'

const group = 'Reports'
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const number = z.number().nullable()

/** A figure of a report. */
const metric = z.strictObject({
  key: z.string(),
  value: number.describe('Null when there is nothing to compute it from'),
  unit: z.enum(reportUnits),
  n: whole.describe('Number of cases that it is computed from'),
  previous: number,
  change: number.describe('In per cent of the earlier value; for a share, in percentage points'),
  change_kind: z.enum(changeKinds),
  partial: z.boolean().describe('The period is not over, so it is compared with the same part of the earlier one'),
  spark: z
    .array(z.strictObject({ t: day, value: number, partial: z.boolean() }))
    .describe('The figure in each interval; absent for a figure of the present moment and for a ratio')
    .optional(),
})

const point = z.strictObject({
  /** First day of the interval of a report chart's point. */
  t: day,
  value: number,
  previous: number,
  /** First day of the interval that a report chart's point is compared with. */
  previous_t: day.nullable(),
  partial: z.boolean().describe('The interval is not over, or only a part of it is in the period'),
  no_data: z.boolean(),
})

const shareFigure = z.strictObject({ value: number, previous: number, n: whole })

const row = shareFigure.extend({
  id: z.union([z.int(), z.string()]).describe('Id of a record, or a code'),
  /** Name of a report table's row; codes are translated by the catalogues. */
  name: z.string().nullable().describe('Name of the record in `locale`'),
})

const breakdown = z.strictObject({
  dim: z.string(),
  metric: z.string().describe('The figure that is divided among the rows'),
  rows: z.array(row),
  /**
   * Share of a report's cases without a region, category or person, with which the rows add up to the figure.
   */
  not_set: shareFigure.nullable(),
  team: number.describe(
    'The median of all people when the rows are people; null for a consultant when it has fewer than five values',
  ),
})

/** A report's table over time. */
const stack = z.strictObject({
  dim: z.string(),
  metric: z.string(),
  intervals: z.array(z.strictObject({ t: day, partial: z.boolean(), no_data: z.boolean() })),
  rows: z
    .array(row.pick({ id: true, name: true }).extend({ values: z.array(whole) }))
    .describe('The largest rows first, with their value in each interval'),
  not_set: z.array(whole).nullable(),
})

/** A report's figure by hour and weekday. */
const matrix = z.strictObject({
  dim: z.literal('hour_weekday'),
  metric: z.string(),
  rows: z
    .array(z.strictObject({ weekday: z.int().min(1).max(7), hour: z.int().min(0).max(23), value: whole }))
    .describe('Hours of the report time zone that have cases; weekday 1 is Monday'),
})

const figures = z.strictObject({
  metrics: z.array(metric),
  series: z.array(z.strictObject({ key: z.string(), points: z.array(point) })),
  breakdowns: z.array(breakdown),
  stacks: z.array(stack),
  matrices: z.array(matrix),
})

const meta = z.strictObject({
  from: day,
  to: day,
  compare_from: day.nullable(),
  compare_to: day.nullable(),
  interval: z.enum(reportIntervals),
  compare: z.enum(reportComparisons),
  tz: z.string(),
  data_through: moment,
  generated_at: moment,
})

const report = z.strictObject({
  data: figures.extend({
    id,
    attributes: declaredSchema<Record<string, unknown>>({ type: 'object', description: 'As in the list' }),
  }),
  meta,
})

const reportDay = (description: string) =>
  optionalKey<string, string>(dayOf, 'report.date', { type: 'string', format: 'date', description })

const choice = <const V extends readonly string[]>(values: V, description: string) =>
  optionalKey<V[number], V[number]>(
    (rawValue) => values.find((allowedValue) => allowedValue === rawValue),
    'report.choice',
    { type: 'string', enum: [...values], description },
    { values: values.join(', ') },
  )

const isObject = (rawValue: unknown): rawValue is Record<string, unknown> =>
  typeof rawValue === 'object' && rawValue !== null && !Array.isArray(rawValue)

/** The id or the code in a report's filter, plain or as `$eq`; null for an empty one, undefined for anything else. */
function valueOfFilter(filter: ReportFilter, condition: unknown): number | string | null | undefined {
  const rawValue = isObject(condition) && Object.keys(condition).length === 1 ? condition.$eq : condition
  if (rawValue === '') return null
  const codes = filterCodes[filter]
  if (codes) return codes.find((code) => code === rawValue)
  // Bodies send ids as numbers, queries as texts.
  const value = typeof rawValue === 'number' ? String(rawValue) : rawValue
  const filterId = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
  return filterId > 0 && filterId <= maxInteger ? filterId : undefined
}

const filters = z
  .custom<{ [F in ReportFilter]?: number | string | undefined } | ''>()
  .optional()
  .transform((rawValue: unknown, context): ReportFilterValues => {
    if (rawValue === undefined || rawValue === '') return {}
    if (!isObject(rawValue)) {
      context.issues.push(issue(rawValue, 'report.filter'))
      return {}
    }
    const parsedFilters: Partial<Record<ReportFilter, number | string>> = {}
    for (const [name, condition] of Object.entries(rawValue)) {
      const filter = reportFilters.find((filterName) => filterName === name)
      const value = filter && valueOfFilter(filter, condition)
      if (filter === undefined || value === undefined)
        context.issues.push({ ...issue(condition, 'report.filter'), path: [name] })
      else if (value !== null) parsedFilters[filter] = value
    }
    return parsedFilters as ReportFilterValues
  })
  .meta({
    type: 'object',
    properties: Object.fromEntries(
      reportFilters.map((name) => {
        const codes = filterCodes[name]
        return [name, { type: 'string', ...(codes && { enum: [...codes] }) }]
      }),
    ),
    description: 'Ids of records, and for `locale` a language; each report supports some of these filters',
  })

const language = z
  .custom<Locale>()
  .optional()
  .transform((rawValue): Locale => (isLocale(rawValue) ? rawValue : 'en'))
  .meta({ type: 'string', description: 'The language of names' })

const refusedChange = <const Id extends string>(name: Id) =>
  ({
    group,
    id: `statistics.${name}`,
    summary: 'Refuse changes: reports are part of the product',
    answers: {},
    refusals: ['route.not-found'],
  }) as const

/** A record behind a figure. */
const recordRow = z.strictObject({
  resource: z.string(),
  id: z.int().nullable().describe('Null when the caller may not open the record'),
  title: z.string().nullable(),
  at: moment.nullable().describe('Time by which the case is counted; null for a figure of this moment'),
  value: number.describe('Value of the case, such as the minutes of a reply or a rating'),
  person: z
    .strictObject({ id, name: z.string().nullable() })
    .nullable()
    .describe('The person to whom the case is credited'),
})

const textInEachLanguage = z.strictObject({ en: z.string(), ru: z.string(), uz: z.string(), kaa: z.string() })

/** The definition of a report's figure. */
const definition = z.strictObject({
  key: z.string(),
  title: textInEachLanguage,
  text: textInEachLanguage.describe('How the figure is counted'),
  formula: z.string().describe('Aggregate and measure, such as `median(replies)`'),
})

/** The keys of the query that a report and its records have. */
const reportKeys = {
  period: choice(reportPeriods, 'A period relative to the present day, in place of `from` and `to`'),
  from: reportDay('The first day'),
  to: reportDay('The last day, at most five years later'),
  interval: choice(reportIntervals, 'Interval of the series; when absent, it depends on the length of the period'),
  compare: choice(reportComparisons, 'The previous period, the same weekdays before, or the same days a year before'),
  filters,
  hours: choice(reportHours, 'Hours in which the times of replies are counted; targets are always in working hours'),
  locale: language,
}

/** The query of a report without the language of its names, as bodies send it. */
export const reportQuery = z.object(reportKeys).omit({ locale: true })

const reportRefusals = [
  ...listRefusals,
  'record.not-found',
  'report.date',
  'report.order',
  'report.range',
  'report.choice',
  'report.filter',
] as const

const allSections = Object.values(reports).flatMap(sectionsOf)
const allDims = [...new Set(allSections.flatMap(({ breakdowns }) => breakdowns.map(({ dim }) => dim)))]
/** Columns of a sheet, separated by commas. */
const columns = optionalKey<string, RecordColumn[]>(
  (columnText) => {
    const names = typeof columnText === 'string' ? columnText.split(',').filter(Boolean) : []
    const chosenColumns = recordColumns.filter((column) => names.includes(column))
    return chosenColumns.length === names.length
      ? chosenColumns.toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
      : undefined
  },
  'report.choice',
  { type: 'string', description: 'Columns of the sheet after the names of the records, in order, separated by commas' },
  { values: recordColumns.join(', ') },
)
const choiceText = (description: string) =>
  optionalKey<string, string>(
    (rawValue) => (typeof rawValue === 'string' && rawValue.length <= 40 ? rawValue : undefined),
    'report.choice',
    { type: 'string', description },
    { values: 'not_set' },
  )
const allMetrics = [...new Set(allSections.flatMap(({ metrics }) => Object.keys(metrics)))]

export const statisticsRoutes = {
  'GET /api/statistics': {
    group,
    id: 'statistics.list',
    summary: 'List the reports that the caller may open',
    query: z.object({
      filters: filtersOf('statistics'),
      start: wholeKey('Number of rows to skip').optional(),
      limit: wholeKey('Rows of a page: 15 by default, at most 100').optional(),
    }),
    shared: ['search', 'sort', 'fields', 'populate', 'pagination'],
    answers: {
      200: z.strictObject({
        data: z.array(entryOf('statistics')),
        meta: z.strictObject({ pagination }),
        count: whole.describe('Number of all matches; only with `start` or `limit`').optional(),
      }),
    },
    refusals: listRefusals,
    roles: readers,
  },
  'GET /api/statistics/:id': {
    group,
    id: 'statistics.get',
    summary: 'Read a report with its figures, by key or id, or a saved report by its id',
    details:
      'Days are in the report time zone, and `from` and `to` are both included; weeks begin on Monday. The default period is the last 28 days. A period that is not over is compared with the same part of the earlier one. When a figure is a count, the rows of a table and `not_set` add up to it. Consultants see their own figures; in tables of people, they see only their own row, and the median of a team of at least five. Only administrators can filter by consultant. Keys of the query that are absent have the values of the saved report. The ETag changes with every fact and name that the report reads, with the rights of the caller, and each minute; `If-None-Match` answers 304 without counting.',
    query: z.object(reportKeys),
    shared: ['fields', 'populate'],
    answers: { 200: report, 304: null },
    refusals: reportRefusals,
    roles: readers,
  },
  'GET /api/statistics/map/regions': {
    group,
    id: 'statistics.map',
    summary: 'Read the tiles of the map of regions, or of the districts of one',
    details:
      'Each area with coordinates has a tile of a grid, roughly where it lies: north is up. No two tiles share a place. Areas without coordinates have none. The ETag changes with the areas, their names, the users and the rights of the caller; `If-None-Match` answers 304.',
    query: z.object({
      region: wholeKey('Id of a region, for its districts').optional(),
      locale: language,
    }),
    answers: {
      200: z.strictObject({
        data: z.array(
          z.strictObject({
            id,
            name: z.string().nullable(),
            x: whole.describe('Column of the tile'),
            y: whole.describe('Row of the tile'),
            users: whole.nullable().describe('Number of users of the area; null for consultants'),
          }),
        ),
      }),
      304: null,
    },
    refusals: listRefusals,
    roles: readers,
  },
  'GET /api/statistics/:id/records': {
    group,
    id: 'statistics.records',
    summary: 'List the records behind a figure of a report, newest first',
    details:
      'The query is that of the report. `bucket` is the first day of an interval of the series, `dim` and `dim_id` a row of a table (`not_set` for cases without one). `count` is the `n` of the figure; records that the caller may not open are rows without id and title. Figures without records answer `report.metric`. The ETag changes as that of the report, with the titles of the records and with the page; `If-None-Match` answers 304 without reading a record. Sheets have none.',
    query: z.object({
      ...reportKeys,
      locale: writtenLanguageKey('Language of names and of the headings of a sheet; English when absent'),
      metric: choice(allMetrics, 'Key of a figure of the report'),
      bucket: reportDay('First day of an interval'),
      dim: choice(allDims, 'A table of the report'),
      dim_id: choiceText('Row of that table: an id, a code or `not_set`'),
      start: wholeKey('Number of rows to skip').optional(),
      limit: wholeKey('Rows of a page: 20 by default, at most 100').optional(),
      format: oneOf(['json', 'xlsx'], 'xlsx for all rows as a sheet'),
      columns,
    }),
    answers: { 200: z.strictObject({ data: z.array(recordRow), count: whole, meta }), 304: null },
    refusals: [...reportRefusals, 'report.metric', 'validation.choice', 'server.busy', 'export.too-many'],
    roles: readers,
  },
  'GET /api/statistics/:id/definitions': {
    group,
    id: 'statistics.definitions',
    summary: 'List the definitions of the figures of a report in all languages',
    answers: { 200: z.strictObject({ data: z.array(definition) }) },
    refusals: ['access.denied', 'record.not-found'],
    roles: readers,
  },
  'POST /api/statistics': refusedChange('create'),
  'PUT /api/statistics/:id': refusedChange('update'),
  'DELETE /api/statistics/:id': refusedChange('remove'),
} as const satisfies Contracts

/** The query of a report's route. */
export type ReportParameters = z.output<(typeof statisticsRoutes)['GET /api/statistics/:id']['query']>
/** The query of the records behind a figure. */
export type RecordParameters = Omit<
  z.output<(typeof statisticsRoutes)['GET /api/statistics/:id/records']['query']>,
  'locale'
> &
  Pick<ReportParameters, 'locale'>
export type ReportDefinition = z.output<typeof definition>
export type RecordRow = z.output<typeof recordRow>
export type ReportAnswer = z.output<typeof report>
export type ReportFigures = z.output<typeof figures>
export type ReportMeta = z.output<typeof meta>
export type ReportMetric = z.output<typeof metric>
export type ReportPoint = z.output<typeof point>
export type ReportShare = z.output<typeof shareFigure>
export type ReportRow = z.output<typeof row>
export type ReportBreakdown = z.output<typeof breakdown>
export type ReportStack = z.output<typeof stack>
export type MapTile = z.output<
  (typeof statisticsRoutes)['GET /api/statistics/map/regions']['answers'][200]
>['data'][number]
export type ReportMatrix = z.output<typeof matrix>
