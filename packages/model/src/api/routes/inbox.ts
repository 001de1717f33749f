/** Contracts of the routes for a user's inbox. */
import * as z from 'zod'
import { type ChosenKind, chosenKinds, letterChoices, maxNoticesRead, noticeKinds } from '../notices.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, okAnswer, id, ids, issue, moment, oneOf, pagination, whole } from './parts.ts'

const notice = z.strictObject({
  id,
  kind: z.enum(noticeKinds),
  params: z.record(z.string(), z.unknown()),
  /** Page that the notice opens, below `/app` of the panel; null for a notice without a page. */
  address: z.string().nullable(),
  createdAt: moment,
  readAt: moment.nullable(),
})

const choice = z.strictObject({
  inbox: z.boolean().describe('Whether notices of the kind are shown in the inbox'),
  letter: z.enum(letterChoices).describe('Letters: none, one for each notice, or in the daily digest'),
  push: z.boolean().describe('Whether notices of the kind are pushed to the caller’s browsers'),
})

const choices = z.strictObject({
  kinds: z
    .array(choice.extend({ kind: z.enum(chosenKinds) }))
    .describe('Kinds of notices that the caller can receive, each with the present choice'),
})

/** The choices of a body by kind, each in part; the first unknown kind or value is an issue. */
const sentChoices = z
  .record(
    z.string(),
    z.object({
      inbox: z.boolean().nullish(),
      letter: z.enum(letterChoices).nullish(),
      push: z.boolean().nullish(),
    }),
  )
  .check(({ value, issues }) => {
    for (const kind of Object.keys(value))
      if (!chosenKinds.some((chosenKind) => chosenKind === kind))
        issues.push({ ...issue(kind, 'validation.choice', { values: chosenKinds.join(', ') }), path: [kind] })
  })
  .transform((value) => value as Partial<Record<ChosenKind, (typeof value)[string]>>)

export const inboxRoutes = {
  'GET /api/notices': {
    group: 'Inbox',
    id: 'notices.list',
    summary: 'List the caller’s notices, newest first',
    details:
      '`meta.unread` counts all unread notices of the caller. Notices are stored for 90 days. `meta.demo` is present for administrators while demo content is being added.',
    shared: ['pagination'],
    query: z.object({ kind: oneOf(noticeKinds, 'Only notices of this kind') }),
    answers: {
      200: z.strictObject({
        data: z.array(notice),
        meta: z.strictObject({
          pagination,
          unread: whole,
          /** Progress of the demo content, counted in parts. */
          demo: z.strictObject({ done: whole, parts: id }).optional(),
        }),
      }),
    },
    refusals: ['query.pagination', 'query.pagination-mixed', 'query.parameter', 'query.value'],
  },
  'POST /api/notices/read': {
    group: 'Inbox',
    id: 'notices.read',
    summary: 'Mark notices as read',
    body: z.object({
      data: z.object({ ids: ids(maxNoticesRead).nullish(), all: z.boolean().nullish() }).check(({ value, issues }) => {
        if (value.all !== true && !value.ids) issues.push({ ...issue(value.ids, 'validation.required'), path: ['ids'] })
      }),
    }),
    answers: { 200: okAnswer },
    refusals: ['request.unprocessable'],
  },
  'GET /api/notices/choices': {
    group: 'Inbox',
    id: 'notices.choices',
    summary: 'Read how each kind of notices reaches the caller',
    answers: { 200: dataAnswer(choices) },
  },
  'PUT /api/notices/choices': {
    group: 'Inbox',
    id: 'notices.choose',
    summary: 'Choose how kinds of notices reach the caller',
    details: 'Kinds and values that are absent keep their choice. The answer has all kinds.',
    body: z.object({ data: z.object({ kinds: sentChoices }) }),
    answers: { 200: dataAnswer(choices) },
    refusals: ['request.unprocessable'],
  },
} as const satisfies Contracts

/** A notice in a user's inbox. */
export type InboxNotice = z.output<typeof notice>
export type NoticeChoices = z.output<typeof choices>
export type SentChoices = z.output<typeof sentChoices>
