/** Contracts of the routes for a user's inbox. */
import * as z from 'zod'
import { maxNoticesRead, noticeKinds } from '../notices.ts'
import type { Contracts } from './contract.ts'
import { okAnswer, id, ids, issue, moment, pagination, whole } from './parts.ts'

const notice = z.strictObject({
  id,
  kind: z.enum(noticeKinds),
  params: z.record(z.string(), z.unknown()),
  /** Page that the notice opens, below `/app` of the panel; null for a notice without a page. */
  address: z.string().nullable(),
  createdAt: moment,
  readAt: moment.nullable(),
})

export const inboxRoutes = {
  'GET /api/notices': {
    group: 'Inbox',
    id: 'notices.list',
    summary: 'List the caller’s notices, newest first',
    details:
      '`meta.unread` counts all unread notices of the caller. Notices are stored for 90 days. `meta.demo` is present for administrators while demo content is being added.',
    shared: ['pagination'],
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
    refusals: ['query.pagination', 'query.pagination-mixed', 'query.parameter'],
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
} as const satisfies Contracts

/** A notice in a user's inbox. */
export type InboxNotice = z.output<typeof notice>
