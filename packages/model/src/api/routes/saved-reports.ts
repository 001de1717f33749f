/** Contracts of saved reports: a report with its period and filters, under a name (statistics §6). */
import * as z from 'zod'
import {
  filterCodes,
  maxSavedReports,
  maxSavedTitle,
  reportComparisons,
  type ReportFilter,
  reportFilters,
  type ReportFilterValues,
  reportHours,
  reportIntervals,
  type ReportKey,
  reportPeriods,
  reports,
  reportSharedRoles,
} from '../reports.ts'
import type { Contracts } from './contract.ts'
import { count, data, day, id, moment, text, whole, answerWithMeta } from './parts.ts'
import { reportQuery } from './statistics.ts'

const group = 'Reports'
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const key = z.enum(Object.keys(reports) as ReportKey[])
const sharedWith = z.enum(reportSharedRoles).nullable()

const filterValue = (name: ReportFilter): z.ZodType<number | string> => {
  const codes = filterCodes[name]
  return codes ? z.enum(codes) : id
}

/** The values of a report's filters: ids, or codes. */
const filterValues = z.strictObject(
  Object.fromEntries(reportFilters.map((name) => [name, filterValue(name).optional()])) as {
    [F in ReportFilter]: z.ZodOptional<z.ZodType<NonNullable<ReportFilterValues[F]>>>
  },
)

/** The stored query of a report, as answers show it. */
export const storedQuery = z.strictObject({
  period: z.enum(reportPeriods).optional(),
  from: day.optional(),
  to: day.optional(),
  interval: z.enum(reportIntervals).optional(),
  compare: z.enum(reportComparisons).optional(),
  hours: z.enum(reportHours).optional(),
  filters: filterValues.optional(),
})

const savedReport = z.strictObject({
  id: id.describe('Also accepted by `GET /api/statistics/{id}`'),
  title: z.string(),
  key,
  query: storedQuery,
  shared_with: sharedWith.describe('The role that may open it, with those above it; null for its maker only'),
  order: whole,
  version: id,
  by: z
    .strictObject({ id, name: z.string().nullable() })
    .nullable()
    .describe('Its maker; null once the account was removed'),
  own: z.boolean().describe('Whether the caller made it, and so may change it'),
  created_at: moment,
  updated_at: moment,
})

const refusals = ['access.denied', 'record.not-found', 'request.unprocessable'] as const
const queryRefusals = ['report.date', 'report.order', 'report.range', 'report.choice', 'report.filter'] as const

export const savedReportRoutes = {
  'GET /api/statistics/saved': {
    group,
    id: 'statistics.saved',
    summary: 'List the saved reports of the caller, and those shared with them',
    details:
      'Only reports that the caller may open are listed, by `order`. The figures are counted with the rights of the caller, not of the maker.',
    answers: { 200: answerWithMeta(z.array(savedReport)) },
    refusals: ['access.denied'],
    roles: readers,
  },
  'POST /api/statistics/saved': {
    group,
    id: 'statistics.save',
    summary: 'Save a report with its period and filters',
    details: `A person saves at most ${maxSavedReports} reports. They can be shared with roles up to the caller's own.`,
    body: data({
      title: text(maxSavedTitle, 'validation.title'),
      key,
      query: reportQuery.nullish(),
      shared_with: sharedWith.nullish(),
      order: count({ max: 10_000 }).nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(savedReport) },
    refusals: [...refusals, ...queryRefusals, 'report.rank', 'report.too-many'],
    roles: readers,
  },
  'PUT /api/statistics/saved/:id': {
    group,
    id: 'statistics.changeSaved',
    summary: 'Change a saved report of the caller',
    details:
      'Keys that are absent keep their value. With `version`, a report that was changed since answers 409 with the present one.',
    body: data({
      title: text(maxSavedTitle, 'validation.title').optional(),
      key: key.optional(),
      query: reportQuery.optional(),
      shared_with: sharedWith.optional(),
      order: count({ max: 10_000 }).optional(),
      version: count().nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(savedReport) },
    refusals: [...refusals, ...queryRefusals, 'record.stale', 'report.rank'],
    roles: readers,
  },
  'DELETE /api/statistics/saved/:id': {
    group,
    id: 'statistics.removeSaved',
    summary: 'Delete a saved report of the caller',
    answers: { 200: answerWithMeta(savedReport) },
    refusals: ['access.denied', 'record.not-found'],
    roles: readers,
  },
} as const satisfies Contracts

/** A saved report on the wire. */
export type SavedReport = z.output<typeof savedReport>
/** The stored query of a report on the wire. */
export type StoredReportQuery = z.output<typeof storedQuery>
