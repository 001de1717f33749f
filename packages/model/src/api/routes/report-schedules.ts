/** Contracts of schedules: saved reports that are sent by letter regularly (statistics §6). */
import * as z from 'zod'
import { acceptEmail } from '../../fields/text-kinds.ts'
import { reportFormats } from '../report-files.ts'
import {
  maxScheduleRecipients,
  maxSchedules,
  schedulePauses,
  sendingReasons,
  sendingStates,
} from '../report-schedules.ts'
import { type ReportKey, reports } from '../reports.ts'
import type { Contracts } from './contract.ts'
import {
  count,
  data,
  day,
  id,
  ids,
  link,
  moment,
  spelledValue,
  whole,
  answerWithMeta,
  writtenLanguage,
} from './parts.ts'

const group = 'Reports'
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const namedUser = z.strictObject({ id, name: z.string().nullable().describe('Null once the account was removed') })

const schedule = z.strictObject({
  id,
  saved: id.nullable().describe('The saved report; null once it is gone'),
  title: z.string().describe('Title of the saved report'),
  key: z.enum(Object.keys(reports) as ReportKey[]),
  weekday: z.int().min(1).max(7).nullable().describe('From 1, Monday; null for a schedule by the day of the month'),
  month_day: z.int().min(1).max(31).nullable().describe('A shorter month has its last day instead'),
  hour: z.int().min(0).max(23).describe('In the report zone'),
  recipients: z.strictObject({
    users: z.array(namedUser),
    addresses: z.array(z.string()).describe('Readers without an account, who receive totals only'),
  }),
  format: z.enum(reportFormats),
  locale: writtenLanguage.describe('Language of the letters to addresses; accounts receive their own language'),
  active: z.boolean(),
  paused: z
    .enum(schedulePauses)
    .nullable()
    .describe('Why the program paused it: `report`, `maker` or `right` is missing; null when its maker paused it'),
  next_at: moment.nullable(),
  last: z
    .strictObject({ due_at: moment, letters: whole, sent: whole, waiting: whole })
    .nullable()
    .describe('The latest sending with its letters; those that are neither sent nor waiting have failed'),
  by: namedUser,
  own: z.boolean().describe('Whether the caller made it, and so may change it'),
  version: id,
  created_at: moment,
})

const sending = z.strictObject({
  id,
  due_at: moment,
  user: namedUser.nullable().describe('Null for a reader without an account'),
  address: z.string().nullable(),
  state: z.enum(sendingStates),
  reason: z.enum(sendingReasons).nullable(),
  detail: z.string().nullable().describe('The answer of the mail server that refused the letter'),
  sent_at: moment.nullable(),
})

const address = spelledValue<string, string>(acceptEmail, 'validation.emailInvalid', {
  type: 'string',
  format: 'email',
})
const weekday = count({ min: 1, max: 7 })
const monthDay = count({ min: 1, max: 31 })
const hour = count({ max: 23 })
const recipients = z.object({
  users: ids(maxScheduleRecipients).nullish(),
  addresses: z.array(address).max(maxScheduleRecipients).nullish(),
})
const format = z.enum(reportFormats)

const refusals = [
  'access.denied',
  'record.not-found',
  'request.unprocessable',
  'report.sending-day',
  'report.recipients',
  'report.filter',
] as const

export const reportScheduleRoutes = {
  'GET /api/statistics/schedules': {
    group,
    id: 'statistics.schedules',
    summary: 'List the schedules of the caller; administrators see those of all makers',
    answers: {
      200: z.strictObject({
        data: z.array(schedule),
        meta: z.strictObject({
          tz: z.string().describe('The report zone'),
          day: day.describe('The present day in the report zone'),
          hour: z.int().min(0).max(23).describe('The present hour in the report zone'),
          mail: z.boolean().describe('Whether a mail server is configured; letters are otherwise files of the server'),
        }),
      }),
    },
    refusals: ['access.denied'],
    roles: readers,
  },
  'POST /api/statistics/schedules': {
    group,
    id: 'statistics.schedule',
    summary: 'Send a saved report by letter regularly',
    details: `With one of \`weekday\` and \`month_day\`. The file for an account has the figures that this account may see; consultants send only to themselves. Administrators also send to addresses, which receive the totals of a shared page. A person has at most ${maxSchedules} schedules. After an interruption only the latest sending that is due is made up for.`,
    body: data({
      saved: link(),
      weekday: weekday.nullish(),
      month_day: monthDay.nullish(),
      hour,
      recipients,
      format,
      locale: writtenLanguage.nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(schedule) },
    refusals: [...refusals, 'report.schedules'],
    roles: readers,
  },
  'PUT /api/statistics/schedules/:id': {
    group,
    id: 'statistics.changeSchedule',
    summary: 'Change, pause or resume a schedule of the caller',
    details:
      'Keys that are absent keep their value; a `weekday` replaces the day of the month, and the reverse. With `version`, a schedule that was changed since answers 409 with the present one.',
    body: data({
      weekday: weekday.nullish(),
      month_day: monthDay.nullish(),
      hour: hour.optional(),
      recipients: recipients.optional(),
      format: format.optional(),
      locale: writtenLanguage.optional(),
      active: z.boolean().optional(),
      version: count().nullish(),
    }),
    unnamed: ['data'],
    answers: { 200: answerWithMeta(schedule) },
    refusals: [...refusals, 'record.stale'],
    roles: readers,
  },
  'DELETE /api/statistics/schedules/:id': {
    group,
    id: 'statistics.removeSchedule',
    summary: 'Delete a schedule of the caller; administrators delete those of all makers',
    details: 'Letters that wait are not sent. Its maker can restore it for a day.',
    answers: { 200: answerWithMeta(schedule) },
    refusals: ['access.denied', 'record.not-found'],
    roles: readers,
  },
  'POST /api/statistics/schedules/:id/restore': {
    group,
    id: 'statistics.restoreSchedule',
    summary: 'Restore a schedule of the caller that was deleted within the last day',
    details: 'With the record of its letters. A sending that was due meanwhile is left out.',
    answers: { 200: answerWithMeta(schedule) },
    refusals: ['access.denied', 'record.not-found', 'report.schedules'],
    roles: readers,
  },
  'GET /api/statistics/schedules/:id/sendings': {
    group,
    id: 'statistics.sendings',
    summary: 'List the latest letters of a schedule, newest first',
    details: 'For its maker and administrators. At most 100 letters, for a year.',
    answers: { 200: answerWithMeta(z.array(sending)) },
    refusals: ['access.denied', 'record.not-found'],
    roles: readers,
  },
} as const satisfies Contracts

/** A schedule of a saved report on the wire. */
export type ReportSchedule = z.output<typeof schedule>
/** A letter of a schedule on the wire. */
export type ReportSending = z.output<typeof sending>
