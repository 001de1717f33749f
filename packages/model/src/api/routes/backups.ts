/** Contracts of backups: their list, the taking of one, and its proof by a restore apart. */
import * as z from 'zod'
import type { Contracts } from './contract.ts'
import { answerWithMeta, id, moment, whole } from './parts.ts'

const group = 'System'
const roles = { owner: 'all' } as const

/** Occasions on which a backup is taken. */
export const backupKinds = ['daily', 'weekly', 'monthly', 'manual', 'migration'] as const
export const backupStates = ['running', 'complete', 'failed', 'missing'] as const
export const proofStates = ['none', 'running', 'proved', 'failed'] as const
export const proofMethods = ['restored', 'read'] as const
export const backupPlaces = ['folder', 'bucket'] as const

const proof = z.strictObject({
  state: z.enum(proofStates),
  method: z
    .enum(proofMethods)
    .optional()
    .describe('`restored` into a scratch database, or `read` to its end where none may be created'),
  at: moment.nullable().describe('End of the latest proof'),
  rows: whole.nullable().describe('Rows that were restored apart and counted'),
  files: whole.nullable().describe('Files whose checksums were compared'),
  failure: z.string().nullable(),
})

const backup = z.strictObject({
  id,
  kind: z.enum(backupKinds),
  state: z.enum(backupStates).describe('`missing`: its files are gone from all places'),
  taken_at: moment,
  ended_at: moment.nullable(),
  bytes: whole.nullable(),
  places: z.array(z.enum(backupPlaces)),
  encrypted: z.boolean(),
  failure: z.string().nullable(),
  proof,
})

const meta = z.strictObject({
  next_at: moment.nullable().describe('The next scheduled backup; null when none is scheduled'),
  next_proof_at: moment.nullable(),
  last_proved: z.strictObject({ id, taken_at: moment, at: moment, rows: whole }).nullable(),
  kept: z.strictObject({ daily: whole, weekly: whole, monthly: whole }).describe('Backups of each kind that are kept'),
  places: z.array(z.enum(backupPlaces)).describe('Configured places of scheduled backups'),
})

export const backupRoutes = {
  'GET /api/system/backups': {
    group,
    id: 'system.backups',
    summary: 'List the backups, newest first',
    details: 'At most 100.',
    answers: { 200: z.strictObject({ data: z.array(backup), meta }) },
    refusals: ['access.denied'],
    roles,
  },
  'POST /api/system/backups': {
    group,
    id: 'system.takeBackup',
    summary: 'Take a backup now',
    details: 'Answers with the running backup. While another backup or proof runs it answers 409.',
    answers: { 200: answerWithMeta(backup) },
    refusals: ['access.denied', 'backup.busy'],
    roles,
  },
  'POST /api/system/backups/:id/proof': {
    group,
    id: 'system.proveBackup',
    summary: 'Restore a backup apart and compare its rows and files',
    details: 'Answers with the backup, whose proof runs. While another backup or proof runs it answers 409.',
    answers: { 200: answerWithMeta(backup) },
    refusals: ['access.denied', 'record.not-found', 'backup.busy', 'backup.incomplete'],
    roles,
  },
} as const satisfies Contracts

/** A backup on the wire. */
export type Backup = z.output<typeof backup>
/** The schedule of backups and the latest proof. */
export type BackupSchedule = z.output<typeof meta>
/** An occasion on which a backup is taken. */
export type BackupKind = Backup['kind']
/** A kind of place where backups are stored. */
export type BackupPlaceName = Backup['places'][number]
/** How a backup was proved. */
export type ProofMethod = (typeof proofMethods)[number]
