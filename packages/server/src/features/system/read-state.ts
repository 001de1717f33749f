/** Reads the state of an installation, each part apart and within a time limit. */
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemState } from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { liveFolder } from '../../db/backups/switch-over.ts'
import { programVersion, uploadsName } from '../../db/backups/manifest.ts'
import type { Database } from '../../db/database.ts'
import { readMigrations } from '../../db/migrate.ts'
import { slowMs } from '../../db/slow-statements.ts'
import { sql } from '../../db/sql.ts'
import type { Settings } from '../../settings.ts'
import type { DiskLatency } from './disk-latency.ts'
import type { FolderSize } from './folder-size.ts'
import { settleWithin } from '../../domain/operations/limits.ts'
import { readProvedBackups } from '../../domain/operations/proved-backups.ts'
import { readQueues } from './queues.ts'
import { findWarnings } from './warnings.ts'

type Answered<N extends keyof SystemState> = Omit<Extract<SystemState[N], { state: 'answered' }>, 'state'>
type PartName = 'version' | 'database' | 'disk' | 'memory' | 'queues' | 'letters' | 'recount' | 'backups'

/** The dependencies of the reader of the state. */
export interface SystemParts {
  database: Database
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'mailFrom' | 'store' | 'timeZone'>
  /** Returns the size of a folder. */
  sizeOf: (folder: string) => Promise<FolderSize>
  /** Returns the milliseconds that the disk takes to store a small write; null before it was measured. */
  readDiskLatency: DiskLatency['read']
  log: Pick<FastifyBaseLogger, 'error'>
  /** Milliseconds for each part. */
  limitMs?: number
}

const partLimitMs = 2_000
const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString()
const knownMigrations = readMigrations().length
const program = programVersion()
/** Files with the memory limit of a container, of both versions of control groups. */
const memoryLimitFiles = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']
/** A limit above this is none. */
const mostMemory = 2 ** 50

async function readVersion({ database }: SystemParts): Promise<Answered<'version'>> {
  const [row] = await database.query(sql<{ applied: number; online: number }>`
    select (select count(*)::int from migrations) as applied,
           (select count(distinct user_id)::int from sessions
             where revoked_at is null and expires_at > now() and last_seen_at > now() - interval '5 minutes') as online`)
  const { applied = 0, online = 0 } = row ?? {}
  return {
    program,
    node: process.versions.node,
    started_at: startedAt,
    schema: { applied, known: knownMigrations },
    online,
  }
}

interface DatabaseRow {
  version: string
  bytes: number
  formerBytes: number | null
  used: number
  most: number
  now: number
}

async function readDatabase({ database }: SystemParts): Promise<Answered<'database'>> {
  const before = Date.now()
  const start = performance.now()
  const [row] = await database.query(sql<DatabaseRow>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
           (select database_bytes::float8 from system_days
             where measured_at between now() - interval '14 days' and now() - interval '7 days' order by day desc limit 1) as "formerBytes",
           (select count(*)::int from pg_stat_activity where datname = current_database()) as used,
           current_setting('max_connections')::int as most,
           (extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
  if (!row) throw new Error('The database has not answered')
  const { version, bytes, formerBytes, used, most, now } = row
  return {
    kind: database.kind,
    version,
    bytes,
    week_bytes: formerBytes === null ? null : bytes - formerBytes,
    connections: database.kind === 'server' ? { used, most } : null,
    answer_ms: Math.round(performance.now() - start),
    clock_ms: Math.round(now - (before + Date.now()) / 2),
    slow: { limit_ms: slowMs, statements: database.slowStatements.list() },
  }
}

/** Fewest days between the measurements that a forecast is made from. */
const fewestDays = 3

async function readDisk({ database, settings, sizeOf, readDiskLatency }: SystemParts): Promise<Answered<'disk'>> {
  const { dataDir, databaseUrl, store } = settings
  const [{ bavail, blocks, bsize }, [trend], uploads, backups, files] = await Promise.all([
    statfs(dataDir),
    database.query(sql<{ days: number | null; bytes: number | null }>`
      select (max(day) - min(day))::int as days,
             ((array_agg(free_bytes order by day))[1] - (array_agg(free_bytes order by day desc))[1])::float8 as bytes
        from system_days where measured_at > now() - interval '14 days'`),
    store ? null : sizeOf(join(dataDir, uploadsName)),
    sizeOf(join(dataDir, 'backups')),
    databaseUrl === undefined ? sizeOf(liveFolder(dataDir)) : null,
  ])
  const free = bavail * bsize
  const { days, bytes } = trend ?? { days: null, bytes: null }
  const daily = days !== null && days >= fewestDays && bytes !== null ? Math.max(0, Math.round(bytes / days)) : null
  return {
    total: blocks * bsize,
    free,
    uploads,
    backups,
    database: files,
    write_ms: readDiskLatency(),
    daily_bytes: daily,
    full_in_days: daily === null || daily === 0 ? null : Math.floor(free / daily),
  }
}

async function readMemoryLimit(): Promise<number | null> {
  for (const file of memoryLimitFiles) {
    const limit = Number(await readFile(file, 'utf8').catch(() => ''))
    if (limit > 0 && limit < mostMemory) return limit
  }
  return null
}

async function readMemory(): Promise<Answered<'memory'>> {
  const { rss: resident, heapUsed: heap } = process.memoryUsage()
  return { resident, heap, limit: await readMemoryLimit() }
}

interface TestRow {
  test_at: string | null
  test_sent_at: string | null
  test_failure: string | null
}

async function readLetters({ database, settings }: SystemParts): Promise<Answered<'letters'>> {
  const [row] = await database.query(sql<Omit<Answered<'letters'>, 'sender' | 'test'> & TestRow>`
    with test as (
      select created_at, sent_at, failure from mails
       where template = 'test' and created_at > now() - interval '1 day' order by id desc limit 1
    )
    select (select created_at from test) as test_at, (select sent_at from test) as test_sent_at,
           (select failure from test) as test_failure, count(*) filter (where sent_at > now() - interval '24 hours')::int as sent,
           count(*) filter (where sent_at is null and created_at > now() - interval '1 day')::int as waiting,
           count(*) filter (where sent_at is null and failure is not null and created_at > now() - interval '1 day')::int as tried,
           min(created_at) filter (where sent_at is null and created_at > now() - interval '1 day') as waiting_since,
           count(*) filter (where sent_at is null and created_at <= now() - interval '1 day')::int as dropped,
           (array_agg(failure order by due_at desc) filter (where sent_at is null and failure is not null))[1] as failure
      from mails where created_at > now() - interval '7 days'`)
  if (!row) throw new Error('The letters could not be counted')
  const { test_at: at, test_sent_at: sentAt, test_failure: testFailure, ...counts } = row
  const state = sentAt !== null ? 'sent' : testFailure !== null ? 'failed' : 'waiting'
  const test = at === null ? null : ({ at, state, failure: state === 'failed' ? testFailure : null } as const)
  return { ...counts, sender: settings.mailFrom, test }
}

async function readRecount({ database, settings }: SystemParts): Promise<Answered<'recount'>> {
  const [last] = await database.query(sql<NonNullable<Answered<'recount'>['last']>>`
    select checked_at as at, days, jsonb_array_length(differences) as differences
      from report_checks order by checked_at desc limit 1`)
  return { last: last ?? null, time_zone: settings.timeZone }
}

const readers: { readonly [N in PartName]: (parts: SystemParts) => Promise<Answered<N>> } = {
  version: readVersion,
  database: readDatabase,
  disk: readDisk,
  memory: readMemory,
  queues: async ({ database }) => ({ kinds: await readQueues(database) }),
  letters: readLetters,
  recount: readRecount,
  backups: ({ database }) => readProvedBackups(database),
}

/**
 * Makes the reader of the state of an installation. It stores when each part answered last.
 *
 * @param systemParts - The dependencies.
 * @returns The reader. It never throws because of a part.
 */
export function systemReader(systemParts: SystemParts): () => Promise<SystemState> {
  const { limitMs = partLimitMs, log } = systemParts
  const answeredAt = new Map<PartName, string>()

  async function ask<N extends PartName>(
    name: N,
    read: (parts: SystemParts) => Promise<Answered<N>>,
  ): Promise<({ state: 'answered' } & Answered<N>) | { state: 'unanswered'; since: string }> {
    const unanswered = { state: 'unanswered', since: answeredAt.get(name) ?? startedAt } as const
    const answer = Promise.resolve()
      .then(() => read(systemParts))
      .catch((error: unknown) => log.error({ err: error }, `the part ${name} of the system page failed`))
    const part = await settleWithin(answer, limitMs, undefined)
    if (!part) return unanswered
    answeredAt.set(name, new Date().toISOString())
    return { state: 'answered', ...part }
  }

  return async () => {
    const [version, database, disk, memory, queues, letters, recount, backups] = await Promise.all([
      ask('version', readers.version),
      ask('database', readers.database),
      ask('disk', readers.disk),
      ask('memory', readers.memory),
      ask('queues', readers.queues),
      ask('letters', readers.letters),
      ask('recount', readers.recount),
      ask('backups', readers.backups),
    ])
    const parts = { version, database, disk, memory, queues, letters, recount, backups }
    return { at: new Date().toISOString(), ...parts, warnings: findWarnings(parts) }
  }
}
