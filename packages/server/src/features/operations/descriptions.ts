/** What the routes for watchers say of themselves. */
import { type Descriptions, exactly, json, listOf } from '../../http/description.ts'

const statusOf = (...values: string[]) => json(exactly({ status: { type: 'string', enum: values } }))

export const healthDescriptions: Descriptions = {
  'GET /health': {
    group: 'Operations',
    summary: 'Whether the process lives',
    open: true,
    answers: { 200: statusOf('ok') },
  },
  'GET /ready': {
    group: 'Operations',
    summary: 'Whether it can work: database, migrations, disk',
    open: true,
    answers: { 200: statusOf('ready'), 503: statusOf('unavailable', 'draining') },
  },
}

const nullable = (type: string) => ({ type: [type, 'null'] })

export const auditDescriptions: Descriptions = {
  'GET /api/audit': {
    group: 'Operations',
    id: 'audit.list',
    summary: 'Who did or tried what, newest first',
    query: [
      'pagination',
      {
        name: 'filters',
        description: 'Equal values: `filters[action]`, `filters[user]`, `filters[resource]`, `filters[entry]`',
        schema: { type: 'object' },
      },
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              id: { type: 'integer' },
              action: { type: 'string' },
              user: {
                type: ['object', 'null'],
                properties: {
                  id: { type: 'integer' },
                  username: { type: 'string' },
                  name: nullable('string'),
                  surname: nullable('string'),
                },
                required: ['id'],
                additionalProperties: false,
              },
              resource: nullable('string'),
              entry: nullable('integer'),
              address: nullable('string'),
              details: { type: 'object' },
              created_at: { type: 'string', format: 'date-time' },
            }),
          ),
          meta: exactly({ pagination: { type: 'object' } }),
        }),
      ),
    },
    refusals: ['query.pagination', 'query.pagination-mixed', 'query.parameter', 'query.value', 'access.denied'],
    roles: { public: 'no', authenticated: 'no', admin: 'reads', 'super-admin': 'reads', owner: 'reads' },
  },
}
