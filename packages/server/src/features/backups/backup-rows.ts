/** The record of backups: rows of the table `backups`. */
import type { Backup, BackupKind, BackupPlaceName } from '@dala/model/api/backups'
import type { Database, Queries } from '../../db/database.ts'
import { zoneSql } from '../../db/calendar.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { KeptBackups } from '../../settings.ts'
import type { ProofResult } from './prove.ts'

const maxListed = 100
/** Days for which failed and missing backups stay in the list. */
const traceDays = 90
const maxFailure = 500

export interface BackupRow extends Omit<Backup, 'proof'> {
  name: string
  proof: Backup['proof']['state']
  proof_method: NonNullable<Backup['proof']['method']> | null
  proved_at: string | null
  proved_rows: number | null
  proved_files: number | null
  proof_failure: string | null
}

const columns = sql`id, name, kind, state, taken_at, ended_at, bytes, places, encrypted, failure,
  proof, proof_method, proved_at, proved_rows, proved_files, proof_failure`

/** Makes the answer of the API for a backup. */
export const presentBackup = (row: BackupRow): Backup => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  taken_at: row.taken_at,
  ended_at: row.ended_at,
  bytes: row.bytes,
  places: row.places,
  encrypted: row.encrypted,
  failure: row.failure,
  proof: {
    state: row.proof,
    ...(row.proof_method !== null && { method: row.proof_method }),
    at: row.proved_at,
    rows: row.proved_rows,
    files: row.proved_files,
    failure: row.proof_failure,
  },
})

/** The newest backups. */
export const listBackups = ({ query }: Queries): Promise<BackupRow[]> =>
  query(sql<BackupRow>`select ${columns} from backups order by taken_at desc, id desc limit ${maxListed}::int`)

/** Reads one backup; undefined when there is none. */
export async function findBackup({ query }: Queries, id: number): Promise<BackupRow | undefined> {
  const [row] = await query(sql<BackupRow>`select ${columns} from backups where id = ${id}::int`)
  return row
}

/** All complete backups, newest first. */
export const completeBackups = ({ query }: Queries): Promise<BackupRow[]> =>
  query(sql<BackupRow>`select ${columns} from backups where state = 'complete' order by taken_at desc, id desc`)

/** Adds a running backup. */
export async function insertBackup(
  { query }: Queries,
  { name, kind, now, encrypted }: { name: string; kind: BackupKind; now: Date; encrypted: boolean },
): Promise<BackupRow> {
  const [row] = await query(sql<BackupRow>`
    insert into backups (name, kind, taken_at, encrypted) values (${name}::text, ${kind}::text, ${now}::timestamptz, ${encrypted}::bool)
    returning ${columns}`)
  if (!row) throw new Error('The backup was not recorded')
  return row
}

const update = async ({ query }: Queries, id: number, values: Template<unknown>): Promise<void> => {
  await query(sql`update backups set ${values} where id = ${id}::int`)
}

/** Notes that a backup is complete at its places. */
export const noteComplete = (
  queries: Queries,
  id: number,
  { now, bytes, places, schema }: { now: Date; bytes: number; places: readonly BackupPlaceName[]; schema: string },
): Promise<void> =>
  update(
    queries,
    id,
    sql`state = 'complete', ended_at = ${now}::timestamptz, bytes = ${bytes}::bigint, places = ${[...places]}::text[],
        schema = ${schema}::text`,
  )

/** Notes the size of an adopted backup. */
export async function noteBytes({ query }: Queries, name: string, bytes: number): Promise<void> {
  await query(sql`update backups set bytes = ${bytes}::bigint where name = ${name}::text`)
}

/** Whether a kept backup has a failed proof; also for a database that has no record of backups yet. */
export async function hasFailedProof({ query }: Queries): Promise<boolean> {
  const [record] = await query(sql<{ isThere: boolean }>`select to_regclass('backups') is not null as "isThere"`)
  if (!record?.isThere) return false
  const [row] = await query(sql<{ hasFailed: boolean }>`
    select exists (select from backups where state = 'complete' and proof = 'failed') as "hasFailed"`)
  return row?.hasFailed === true
}

/** Notes why a backup failed. */
export const noteFailure = (queries: Queries, id: number, now: Date, failure: string): Promise<void> =>
  update(
    queries,
    id,
    sql`state = 'failed', ended_at = ${now}::timestamptz, failure = ${failure.slice(0, maxFailure)}::text`,
  )

/** Notes that a proof runs. */
export const noteProofStart = (queries: Queries, id: number): Promise<void> =>
  update(queries, id, sql`proof = 'running'`)

/** Notes the result of a proof, or what is wrong with the backup. */
export const noteProof = (queries: Queries, id: number, now: Date, result: ProofResult | string): Promise<void> =>
  typeof result === 'string'
    ? update(
        queries,
        id,
        sql`proof = 'failed', proved_at = ${now}::timestamptz, proof_method = null, proved_rows = null,
            proved_files = null, proof_failure = ${result.slice(0, maxFailure)}::text`,
      )
    : update(
        queries,
        id,
        sql`proof = 'proved', proved_at = ${now}::timestamptz, proof_method = ${result.method}::text,
            proved_rows = ${result.rows}::bigint, proved_files = ${result.files}::int, proof_failure = null`,
      )

/** Removes the rows of deleted backups. */
export async function forgetBackups({ query }: Queries, ids: readonly number[]): Promise<void> {
  await query(sql`delete from backups where id = any(${[...ids]}::int[])`)
}

/**
 * Ends what a stopped program has left running, and deletes old rows of backups that do not exist. Only one
 * program may run this at a time, under the lock of backups.
 */
export async function recoverRows({ query }: Queries, now: Date): Promise<void> {
  const failure = 'The program was stopped while it wrote this backup.'
  await query(sql`
    update backups set state = 'failed', ended_at = ${now}::timestamptz, failure = ${failure}::text where state = 'running'`)
  await query(sql`
    update backups set proof = case when proved_at is null then 'none' when proved_rows is null then 'failed' else 'proved' end
     where proof = 'running'`)
  await query(sql`
    delete from backups where state in ('failed', 'missing')
       and taken_at < ${now}::timestamptz - make_interval(days => ${traceDays}::int)`)
}

/** A complete backup that was found at its places. */
export interface FoundBackup {
  name: string
  kind: BackupKind
  takenAt: Date
  schema: string
  encrypted: boolean
}

/** Adds a backup that its places have and the record has not, or not as a complete one. */
export async function adoptBackup(
  { query }: Queries,
  { name, kind, takenAt, schema, encrypted }: FoundBackup,
): Promise<void> {
  await query(sql`
    insert into backups (name, kind, state, taken_at, ended_at, schema, encrypted)
    values (${name}::text, ${kind}::text, 'complete', ${takenAt}::timestamptz, ${takenAt}::timestamptz, ${schema}::text, ${encrypted}::bool)
    on conflict (name) do update set state = 'complete', schema = excluded.schema, failure = null`)
}

/** Notes at which places the complete backups are; those that are gone from all places are missing. */
export async function notePlaces({ query }: Queries, found: ReadonlyMap<string, readonly BackupPlaceName[]>) {
  for (const [name, places] of found)
    await query(sql`
      update backups set places = ${[...places]}::text[]
       where name = ${name}::text and state = 'complete' and places <> ${[...places]}::text[]`)
  await query(sql`
    update backups set state = 'missing', places = '{}'
     where state = 'complete' and name <> all(${[...found.keys()]}::text[])`)
}

/** The times of the schedule around a moment, in the zone of the settings. */
export interface ScheduleTimes {
  last: string
  next: string
  week: string
  month: string
}

/** Computes the last and the next time of the daily backup, and when the present week and month began. */
export async function scheduleTimes({ query }: Queries, at: string, now: Date): Promise<ScheduleTimes> {
  const [times] = await query(sql<ScheduleTimes>`
    select case when today <= now then today else yesterday end as last,
           case when today <= now then tomorrow else today end as next, week, month
      from (select now, (day + at) at time zone zone as today, (day + interval '1 day' + at) at time zone zone as tomorrow,
                   (day - interval '1 day' + at) at time zone zone as yesterday,
                   date_trunc('week', day) at time zone zone as week, date_trunc('month', day) at time zone zone as month
              from (select ${now}::timestamptz as now, ${zoneSql} as zone, ${at}::interval as at,
                           date_trunc('day', ${now}::timestamptz at time zone ${zoneSql}) as day) as moment) as times`)
  if (!times) throw new Error('The database computed no times')
  return times
}

interface Attempts {
  attempts: number
  newest: string | null
  isDone: boolean
  isKnown: boolean
}

/** Scheduled backups since a time: how many were tried, and whether one is complete. */
export async function attemptsSince({ query }: Queries, time: string): Promise<Attempts> {
  const [row] = await query(sql<Attempts>`
    select count(*) filter (where taken_at >= ${time}::timestamptz)::int as attempts,
           max(taken_at) filter (where taken_at >= ${time}::timestamptz) as newest,
           coalesce(bool_or(state = 'complete' and taken_at >= ${time}::timestamptz), false) as "isDone",
           count(*) > 0 as "isKnown"
      from backups where kind in ('daily', 'weekly', 'monthly')`)
  return row ?? { attempts: 0, newest: null, isDone: false, isKnown: false }
}

/** The occasion of the next scheduled backup: the first one of a month and of a week are kept longer. */
export async function occasionOf(
  database: Database,
  { week, month }: ScheduleTimes,
  keep: KeptBackups,
): Promise<BackupKind> {
  const backups = await completeBackups(database)
  const isTaken = (kinds: readonly BackupKind[], since: string) =>
    backups.some(({ kind, taken_at }) => kinds.includes(kind) && Date.parse(taken_at) >= Date.parse(since))
  if (keep.monthly > 0 && !isTaken(['monthly'], month)) return 'monthly'
  return keep.weekly > 0 && !isTaken(['weekly', 'monthly'], week) ? 'weekly' : 'daily'
}
