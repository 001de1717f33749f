/** Contracts of server operations: its health, and the changes of an audit line. */
import * as z from 'zod'
import type { Contracts } from './contract.ts'
import { languageKey, locale } from './parts.ts'

const group = 'Operations'
const status = <const V extends readonly [string, ...string[]]>(values: V) => z.strictObject({ status: z.enum(values) })

const lineChange = z.strictObject({
  locale: locale.nullable(),
  operation: z.enum(['create', 'update', 'remove', 'restore']),
  changes: z
    .record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() }))
    .describe('Before and after by field; links as `{id, name}` or lists of them, with nulls for what is gone'),
})

export const healthRoutes = {
  'GET /health': {
    group,
    summary: 'Get liveness of the process',
    details: 'Answers from the moment the port is open. Whoever wants to send calls waits for `GET /ready`.',
    open: true,
    answers: { 200: status(['ok']) },
  },
  'GET /ready': {
    group,
    summary: 'Get readiness: database, migrations and disk',
    details: 'Every other route answers 503 until this one answers 200 for the first time.',
    open: true,
    answers: { 200: status(['ready']), 503: status(['starting', 'unavailable', 'draining']) },
  },
} as const satisfies Contracts

export const auditRoutes = {
  'GET /api/audit/:id/changes': {
    group,
    id: 'audit.changes',
    summary: 'Get the changes of an audit line',
    details:
      'Within the reader’s right to the record and its fields. `meta.withheld`: some of it is not for him; the line itself is.',
    query: z.object({ locale: languageKey('Language of names, the reader’s own when absent') }),
    answers: {
      200: z.strictObject({
        data: z.array(lineChange),
        /** Some of the changes are hidden from this caller. */
        meta: z.strictObject({ withheld: z.boolean() }),
      }),
    },
    refusals: ['access.denied', 'record.not-found'],
    roles: { admin: 'bounded', 'super-admin': 'bounded', owner: 'all' },
  },
} as const satisfies Contracts

export type LineChange = z.output<typeof lineChange>
