/** Contracts of the server's health and of the changes of an audit line. */
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
    .describe(
      'Values before and after, by field. Links are `{id, name}` or lists of them, with nulls for records that no longer exist',
    ),
})

export const healthRoutes = {
  'GET /health': {
    group,
    summary: 'Get liveness of the process',
    details: 'Answers as soon as the port is open. Clients that want to send calls wait for `GET /ready`.',
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
      'Contains only changes of records and fields that the caller may read. `meta.withheld` is true when some changes of the line are hidden from the caller.',
    query: z.object({ locale: languageKey('Language of names; the caller’s language when absent') }),
    answers: {
      200: z.strictObject({
        data: z.array(lineChange),
        /** Whether some of the audit line's changes are hidden from this caller. */
        meta: z.strictObject({ withheld: z.boolean() }),
      }),
    },
    refusals: ['access.denied', 'record.not-found'],
    roles: { admin: 'bounded', 'super-admin': 'bounded', owner: 'all' },
  },
} as const satisfies Contracts

export type LineChange = z.output<typeof lineChange>
