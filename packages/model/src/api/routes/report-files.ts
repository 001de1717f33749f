/** Contracts of the files of reports: made, followed and downloaded (statistics §6). */
import * as z from 'zod'
import { reportFileHours, reportFileStates, reportFormats, reportParts } from '../report-files.ts'
import { type ReportKey, reports } from '../reports.ts'
import type { Contracts } from './contract.ts'
import { data, id, moment, whole, answerWithMeta, writtenLanguage } from './parts.ts'
import { reportQuery } from './statistics.ts'

const group = 'Reports'
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const binary = { type: 'string', format: 'binary' } as const

const file = z.strictObject({
  id,
  key: z.string().describe('The report'),
  format: z.enum(reportFormats),
  locale: writtenLanguage,
  state: z.enum(reportFileStates),
  progress: whole.max(100).describe('In per cent'),
  /** Name under which the file of a report is stored by the browser. */
  name: z.string(),
  url: z.string().nullable().describe('Address of the file, for its maker only; null until it is done'),
  created_at: moment,
  expires_at: moment,
})

const parts = z
  .array(z.enum(reportParts))
  .min(1)
  .describe('What the file contains; everything when absent')
  .meta({ uniqueItems: true })

const readRefusals = ['access.denied', 'record.not-found'] as const

export const reportFileRoutes = {
  'POST /api/statistics/exports': {
    group,
    id: 'statistics.export',
    summary: 'Make a file of a report',
    details:
      'The file has the numbers that `GET /api/statistics/{id}` answers to the caller for the same query, with the period, the filters, the time zone, the time and the name of the caller. In sheets, days are dates, and numbers and shares are numbers; a PDF has the charts as vectors. A file that is not done after two seconds is made in the background.',
    body: data({
      key: z.enum(Object.keys(reports) as ReportKey[]),
      query: reportQuery.nullish(),
      format: z.enum(reportFormats),
      locale: writtenLanguage.describe("Language of the file; the caller's language when absent").nullish(),
      parts: parts.nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(file) },
    refusals: [
      ...readRefusals,
      'request.unprocessable',
      'report.date',
      'report.order',
      'report.range',
      'report.choice',
      'report.filter',
      'auth.throttled',
      'server.busy',
    ],
    roles: readers,
  },
  'GET /api/statistics/exports/:id': {
    group,
    id: 'statistics.exportState',
    summary: 'Follow the file of a report',
    details: `Only its maker can see a file. It is deleted after ${reportFileHours} hours.`,
    answers: { 200: answerWithMeta(file) },
    refusals: readRefusals,
    roles: readers,
  },
  'GET /api/statistics/exports/:id/file': {
    group,
    id: 'statistics.exportFile',
    summary: 'Download the file of a report',
    details: '404 for everybody but its maker, before it is done, and after it is deleted.',
    answers: {
      200: {
        media: {
          'application/pdf': binary,
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': binary,
          'text/csv': binary,
        },
      },
    },
    refusals: readRefusals,
    roles: readers,
  },
} as const satisfies Contracts

/** The file of a report on the wire. */
export type ReportFile = z.output<typeof file>
