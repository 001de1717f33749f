/** What the routes of the inbox say of themselves. */
import { type JsonSchema, postOutcomes } from '@dala/model'
import { type Descriptions, done, exactly, json, listOf } from '../../http/description.ts'

const id: JsonSchema = { type: 'integer', minimum: 1 }
const moment: JsonSchema = { type: 'string', format: 'date-time' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

const notice = exactly({
  id,
  kind: {
    type: 'string',
    enum: [
      'bulk.finished',
      'view.shared',
      'desk.waiting',
      'desk.returned',
      ...postOutcomes.map((outcome) => `post.${outcome}`),
    ],
  },
  params: { type: 'object' },
  address: orNull({ type: 'string' }),
  createdAt: moment,
  readAt: orNull(moment),
})

export const inboxDescriptions: Descriptions = {
  'GET /api/notices': {
    group: 'Inbox',
    id: 'notices.list',
    summary: 'What happened while one was elsewhere, newest first',
    details:
      'Only one’s own. `meta.unread` counts all that were not read. Notices are kept for 90 days. `meta.demo` is there for administrators while demo content is being added.',
    query: ['pagination'],
    answers: {
      200: json(
        exactly({
          data: listOf(notice),
          meta: exactly(
            {
              pagination: { type: 'object' },
              unread: { type: 'integer', minimum: 0 },
              demo: exactly({ done: { type: 'integer', minimum: 0 }, parts: id }),
            },
            ['demo'],
          ),
        }),
      ),
    },
    refusals: ['query.pagination', 'query.pagination-mixed', 'query.parameter'],
  },
  'POST /api/notices/read': {
    group: 'Inbox',
    id: 'notices.read',
    summary: 'Mark notices as read',
    body: json(
      exactly({ data: exactly({ ids: { ...listOf(id), maxItems: 1_000 }, all: { type: 'boolean' } }, ['ids', 'all']) }),
    ),
    answers: { 200: done },
    refusals: ['request.unprocessable'],
  },
}
