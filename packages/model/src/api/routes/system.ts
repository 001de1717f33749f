/** Contracts of the System page: the state of the parts of an installation, and a diagnosis of it. */
import * as z from 'zod'
import type { Contracts } from './contract.ts'
import { moment, whole } from './parts.ts'

const group = 'System'
const roles = { owner: 'all' } as const

/** Kinds of background work that the System page counts. */
export const systemQueues = ['bulk', 'imports', 'reports', 'letters', 'notices', 'counts'] as const
/** Warnings about an installation; the panel has a text and an advice for each. */
export const systemWarningCodes = [
  'letters.waiting',
  'disk.low',
  'disk.fills',
  'disk.slow',
  'recount.differs',
  'schema.behind',
  'clock.apart',
  'queue.failed',
  'queue.stuck',
  'backup.unproved',
  'backup.failed',
  'backup.proof-failed',
] as const
/** Pages of the panel where a user can act on a warning; `copies` is a part of the System page itself. */
export const systemActions = ['media', 'import', 'statistics', 'copies'] as const

/** A part of the state; one that did not answer in time has the time of its last answer, or of the start. */
const part = <S extends z.ZodRawShape>(shape: S) =>
  z.union([
    z.strictObject({ state: z.literal('answered'), ...shape }),
    z.strictObject({ state: z.literal('unanswered'), since: moment }),
  ])

const version = part({
  program: z.string(),
  node: z.string(),
  started_at: moment,
  schema: z.strictObject({ applied: whole, known: whole }),
  online: whole.describe('Users whose session was used in the last five minutes'),
})

const slowStatement = z.strictObject({
  text: z.string().describe('Text without parameters, literals and numbers, shortened'),
  count: whole,
  cancelled: whole.describe('How many of them were ended by a time limit'),
  slowest_ms: whole,
  total_ms: whole,
  last_at: moment,
})

const database = part({
  kind: z.enum(['embedded', 'server']),
  version: z.string(),
  bytes: whole,
  week_bytes: z.int().nullable().describe('Growth since the measurement of a week ago; null before there is one'),
  connections: z.strictObject({ used: whole, most: whole }).nullable().describe('Null for the embedded database'),
  answer_ms: whole,
  clock_ms: z.int().describe('Milliseconds by which the clock of the database is ahead'),
  slow: z
    .strictObject({ limit_ms: whole, statements: z.array(slowStatement).max(20) })
    .describe('Shapes of statements above the limit in the last 24 hours in this process, the slowest first'),
})

const bytesOfFolder = z
  .strictObject({ bytes: whole, partial: z.boolean().describe('Whether the folder has more files than are counted') })
  .nullable()

const disk = part({
  total: whole,
  free: whole,
  uploads: bytesOfFolder,
  backups: bytesOfFolder,
  database: bytesOfFolder,
  write_ms: whole
    .nullable()
    .describe(
      'Milliseconds until a small write was stored, the faster one of the last two; null before two were measured',
    ),
  daily_bytes: whole.nullable().describe('Bytes that a day takes, from the daily measurements'),
  full_in_days: whole.nullable(),
})

const memory = part({
  resident: whole,
  heap: whole,
  limit: whole.nullable().describe('Limit of the container; null without one'),
})

const queue = z.strictObject({
  kind: z.enum(systemQueues),
  waiting: whole,
  running: whole,
  failed: whole.describe('Failures of the last 24 hours'),
  stuck: whole.describe('Work that has been running for more than an hour'),
  last_at: moment.nullable(),
})

const letters = part({
  sent: whole.describe('Letters sent in the last 24 hours'),
  waiting: whole,
  tried: whole.describe('Waiting letters with a failed attempt'),
  waiting_since: moment.nullable(),
  dropped: whole.describe('Letters that could not be sent within a day, in the last week'),
  failure: z.string().nullable().describe('Code of the latest failed attempt, such as `EAUTH 535`'),
  sender: z.string(),
  test: z
    .strictObject({
      at: moment,
      state: z.enum(['waiting', 'sent', 'failed']).describe('`failed` letters are tried again'),
      failure: z.string().nullable(),
    })
    .nullable()
    .describe('The latest test letter of the last 24 hours'),
})

const recount = part({
  last: z
    .strictObject({ at: moment, days: whole, differences: whole })
    .nullable()
    .describe('The latest nightly recount; null before the first'),
  time_zone: z.string(),
})

const backups = part({
  proved_at: moment.nullable().describe('When the newest proved backup was taken; null when none was ever proved'),
  days: whole.nullable().describe('Days since then, or since the first day of the installation'),
  failure: z
    .strictObject({ at: moment, step: z.enum(['backup', 'proof']) })
    .nullable()
    .describe('The newest scheduled backup, when it or its proof failed'),
})

const warning = z.strictObject({
  code: z.enum(systemWarningCodes),
  since: moment.nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  action: z.enum(systemActions).nullable(),
})

const state = z.strictObject({
  at: moment,
  version,
  database,
  disk,
  memory,
  queues: part({ kinds: z.array(queue) }),
  letters,
  recount,
  backups,
  warnings: z.array(warning),
})

/** Kinds of changes, as Keep a Changelog names them. */
export const systemChangeKinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const

const changes = z.strictObject({
  version: z.string().nullable().describe('The running version; null when the changelog has it not yet'),
  day: z.string().nullable(),
  sections: z.array(z.strictObject({ kind: z.enum(systemChangeKinds), entries: z.array(z.string()) })),
})

const diagnosis = z.strictObject({
  state: state.extend({
    letters: part({ sent: whole, waiting: whole, tried: whole, dropped: whole, failure: z.string().nullable() }),
  }),
  platform: z.strictObject({ system: z.string(), architecture: z.string(), processors: whole, memory: whole }),
  settings: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Settings by name; of addresses, accounts and secrets only whether they are set'),
})

export const systemRoutes = {
  'GET /api/system': {
    group,
    id: 'system.state',
    summary: 'Get the state of the installation',
    details: 'Each part is asked apart, within a time limit. A part that fails is `unanswered`, and the others stay.',
    answers: { 200: z.strictObject({ data: state }) },
    refusals: ['access.denied'],
    roles,
  },
  'GET /api/system/diagnosis': {
    group,
    id: 'system.diagnosis',
    summary: 'Download a diagnosis of the installation without personal data',
    answers: { 200: z.strictObject({ data: diagnosis }) },
    refusals: ['access.denied'],
    roles,
  },
  'GET /api/system/changes': {
    group,
    id: 'system.changes',
    summary: 'Get what is new in the running version',
    details: 'Entries of the changelog in English, at most 300.',
    answers: { 200: z.strictObject({ data: changes }) },
    refusals: ['access.denied'],
    roles,
  },
  'POST /api/system/test-letter': {
    group,
    id: 'system.sendTestLetter',
    summary: 'Send a test letter to the own address',
    details:
      'Through the queue of all letters, five an hour. `letters.test` of the state shows whether it was sent, or the code of its failure.',
    answers: { 200: z.strictObject({ data: z.strictObject({ at: moment }) }) },
    refusals: ['access.denied', 'mail.no-server', 'auth.throttled'],
    roles,
  },
} as const satisfies Contracts

/** The state of an installation on the wire. */
export type SystemState = z.output<typeof state>
/** A warning about an installation. */
export type SystemWarning = z.output<typeof warning>
/** The changes of a version on the wire. */
export type SystemChanges = z.output<typeof changes>
/** A diagnosis of an installation on the wire. */
export type SystemDiagnosis = z.output<typeof diagnosis>
