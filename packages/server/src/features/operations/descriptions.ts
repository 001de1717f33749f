/** What the routes for watchers say of themselves. */
import { type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf } from '../../http/description.ts'

const statusOf = (...values: string[]) => json(exactly({ status: { type: 'string', enum: values } }))

export const healthDescriptions: Descriptions = {
  'GET /health': {
    group: 'Operations',
    summary: 'Whether the process lives',
    details: 'Answers from the moment the port is open. Whoever wants to send calls waits for `GET /ready`.',
    open: true,
    answers: { 200: statusOf('ok') },
  },
  'GET /ready': {
    group: 'Operations',
    summary: 'Whether it can work: database, migrations, disk',
    details: 'Every other route answers 503 until this one answers 200 for the first time.',
    open: true,
    answers: { 200: statusOf('ready'), 503: statusOf('starting', 'unavailable', 'draining') },
  },
}

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const changed = exactly({
  locale: nullable({ enum: [...locales] }),
  operation: { enum: ['create', 'update', 'remove', 'restore'] },
  changes: {
    type: 'object',
    additionalProperties: exactly({ before: {}, after: {} }),
    description: 'Before and after by field; links as `{id, name}` or lists of them, with nulls for what is gone',
  },
})

export const auditDescriptions: Descriptions = {
  'GET /api/audit/:id/changes': {
    group: 'Operations',
    id: 'audit.changes',
    summary: 'What a line of the audit changed',
    details:
      'Within the reader’s right to the record and its fields. `meta.withheld`: some of it is not for him; the line itself is.',
    query: [
      {
        name: 'locale',
        description: 'Language of names, the reader’s own when absent',
        schema: { enum: [...locales] },
      },
    ],
    answers: { 200: json(exactly({ data: listOf(changed), meta: exactly({ withheld: { type: 'boolean' } }) })) },
    refusals: ['access.denied', 'record.not-found'],
    roles: { admin: 'bounded', 'super-admin': 'bounded', owner: 'all' },
  },
}
