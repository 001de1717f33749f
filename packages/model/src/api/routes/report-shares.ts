/** Contracts of shares: pages of a report for readers without an account (statistics §6). */
import * as z from 'zod'
import { maxShareDays, passcodeLength } from '../report-files.ts'
import { type ReportKey, reports } from '../reports.ts'
import type { Contracts } from './contract.ts'
import {
  data,
  id,
  issue,
  moment,
  oneOf,
  spelledValue,
  whole,
  answerWithMeta,
  writtenLanguage,
  writtenLanguageKey,
} from './parts.ts'
import { storedQuery } from './saved-reports.ts'
import { reportQuery } from './statistics.ts'

const group = 'Reports'
const makerRights = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const key = z.enum(Object.keys(reports) as ReportKey[])

const share = z.strictObject({
  id,
  key,
  query: storedQuery,
  locale: writtenLanguage.describe('Language in which the page opens; its readers can choose another one'),
  frozen: z.boolean().describe('Whether the page has the figures of the time it was made'),
  passcode: z.boolean().describe('Whether its readers must enter a passcode'),
  by: z.strictObject({ id, name: z.string() }).nullable().describe('Its maker; null once the account was removed'),
  active: z
    .boolean()
    .describe('Whether the page can be opened: it is neither expired nor withdrawn, and its maker may share'),
  opened: whole.describe('How often the page or its PDF was opened'),
  last_opened_at: moment.nullable(),
  created_at: moment,
  expires_at: moment,
  withdrawn_at: moment.nullable(),
})

/** A time in a body, ISO 8601 with a zone. */
const time = spelledValue<string, string>(
  (rawValue) =>
    typeof rawValue === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(rawValue) && !Number.isNaN(Date.parse(rawValue))
      ? new Date(rawValue).toISOString()
      : undefined,
  'validation.dateTime',
  { type: 'string', format: 'date-time', description: `At most ${maxShareDays} days from now` },
)

const passcode = z
  .string()
  .check(({ value, issues }) => {
    const { min, max } = passcodeLength
    if (value.length < min) issues.push(issue(value, 'validation.minLength', { min }))
    else if (value.length > max) issues.push(issue(value, 'validation.maxLength', { max }))
  })
  .meta({ minLength: passcodeLength.min, maxLength: passcodeLength.max })

const pages = {
  200: { media: { 'text/html': { type: 'string' }, 'application/pdf': { type: 'string', format: 'binary' } } },
  403: { media: { 'text/html': { type: 'string' } } },
  404: { media: { 'text/html': { type: 'string' } } },
  429: { media: { 'text/html': { type: 'string' } } },
} as const
const pageKeys = {
  format: oneOf(['html', 'pdf'], 'A page by default'),
  locale: writtenLanguageKey('Language of the page; that of the share by default'),
}
const pageDetails =
  'Without a token. The page has totals only: no names of people, no rows of people, and no group of fewer than five cases, nor one that follows from the total. A secret that is wrong, expired or withdrawn answers the same page with 404.'

export const staffShareRoutes = {
  'GET /api/statistics/shares': {
    group,
    id: 'statistics.shares',
    summary: 'List the shares of reports, newest first',
    answers: { 200: answerWithMeta(z.array(share)) },
    refusals: ['access.denied'],
    roles: makerRights,
  },
  'POST /api/statistics/shares': {
    group,
    id: 'statistics.share',
    summary: 'Make a page of a report for readers without an account',
    details:
      'The address in `url` contains the secret of the share, which is stored as a hash and never shown again. A share that is not frozen is counted at each opening with the present rights of its maker. A report of one consultant cannot be shared.',
    body: data({
      key,
      query: reportQuery.nullish(),
      locale: writtenLanguage.nullish(),
      expires_at: time,
      passcode: passcode.nullish(),
      frozen: z.boolean().nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(share.extend({ url: z.string() })) },
    refusals: [
      'access.denied',
      'record.not-found',
      'request.unprocessable',
      'report.date',
      'report.order',
      'report.range',
      'report.choice',
      'report.filter',
      'report.expiry',
      'auth.throttled',
      'server.busy',
    ],
    roles: makerRights,
  },
  'DELETE /api/statistics/shares/:id': {
    group,
    id: 'statistics.withdrawShare',
    summary: 'Withdraw a share at once',
    answers: { 200: answerWithMeta(share) },
    refusals: ['access.denied', 'record.not-found'],
    roles: makerRights,
  },
} as const satisfies Contracts

/** Contracts of the pages, which need no account. */
export const sharedPageRoutes = {
  'GET /api/statistics/shared/page.css': {
    group,
    id: 'statistics.sharedStyle',
    summary: 'Get the style sheet of shared pages',
    open: true,
    answers: { 200: { media: { 'text/css': { type: 'string' } } } },
  },
  'GET /api/statistics/shared/:secret': {
    group,
    id: 'statistics.shared',
    summary: 'Open the shared page of a report, or its form for the passcode',
    details: pageDetails,
    open: true,
    query: z.object(pageKeys),
    answers: pages,
    refusals: ['query.parameter', 'query.value'],
  },
  'POST /api/statistics/shared/:secret': {
    group,
    id: 'statistics.openShared',
    summary: 'Open the shared page of a report with its passcode',
    details: `${pageDetails} After ten wrong passcodes the share is locked for 15 minutes.`,
    open: true,
    body: {
      media: {
        'application/x-www-form-urlencoded': {
          type: 'object',
          properties: {
            passcode: { type: 'string' },
            ticket: { type: 'string', description: 'From an opened page, in place of the passcode' },
            format: { type: 'string', enum: ['html', 'pdf'] },
            locale: { type: 'string' },
          },
        },
      },
    },
    answers: pages,
    refusals: ['request.media-type'],
  },
} as const satisfies Contracts

/** A share of a report on the wire. */
export type ReportShareRow = z.output<typeof share>
