/**
 * Runs bulk jobs in small transactions. The outcome of a row is written with the row, so that a crash neither
 * loses nor repeats one.
 */
import { type Caller, Fault, fault, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { withRetries } from '../../db/work-queue.ts'
import { documentTable } from '../../db/schema.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { readCallerNow } from '../../resources/caller-now.ts'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { runInSavepoint } from '../../resources/write/savepoints.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import { operationOf } from './draft.ts'
import { endJob, findJobs, type Job, markJobRunning } from './job.ts'
import { type Outcome, type Row, processRows } from './rows.ts'

/**
 * Maximum rows and milliseconds of one transaction of a bulk job: the embedded database serves no other
 * request meanwhile.
 */
const portion = { rows: 100, embedded: 60, server: 250 } as const
/** The same for conversions between scripts: a portion reads the texts of all its rows, which may be long. */
const maxPortionConversions = 10
/**
 * Maximum number of rows of a dry run in one transaction, so that rows which depend on each other see their
 * changes.
 */
const maxSingleDryRun = 1_000
const maxRowAttempts = 5

export interface BulkParts {
  database: Database
  /** Writes of resources that a feature handles itself, by resource. */
  writers: Readonly<Partial<Record<string, EntryWriters>>>
}

/** Returns the right that a bulk job requires; an undo requires the right of the original job. */
const requiredRightOf = async (trx: Transaction, job: Job): Promise<'update' | 'remove'> => {
  if (job.undoes === null) return operationOf(job.action)
  const [original] = await findJobs(trx, sql`id = ${job.undoes}`)
  return original ? operationOf(original.action) : 'update'
}

function openRows(trx: Transaction, { id }: Job, limit: number | undefined): Promise<Row[]> {
  const limitSql = limit === undefined ? sql`` : sql`limit ${limit}::int`
  return trx.query(sql<Row>`
    select place, entry_id as entry, draft, name from bulk_rows where job_id = ${id} and outcome is null
     order by place ${limitSql} for update`)
}

async function hasOpenRows(trx: Transaction, { id }: Job): Promise<boolean> {
  const rows = await trx.query(sql`select 1 from bulk_rows where job_id = ${id} and outcome is null limit 1`)
  return rows.length > 0
}

/** Sorts the order values of the records and gives one to each place; equal values become different. */
async function orderedRows(trx: Transaction, resource: Resource, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.map(({ entry }) => entry)
  const [documents, texts] = [sql.table(documentTable(resource)), sql.table(`${documentTable(resource)}_texts`)]
  const namedSql = resource.localized
    ? sql`d.id in (select document_id from ${texts} where id = any(${ids}::int[]))`
    : sql`d.id = any(${ids}::int[])`
  const lockedRows = await trx.query(sql<{ order: number }>`
    select d."order" from ${documents} d where ${namedSql} order by d.id for update`)
  let nextRow = -Infinity
  const values = lockedRows
    .map(({ order }) => order)
    .toSorted((a, b) => a - b)
    .map((value) => (nextRow = Math.max(value, nextRow + 1)))
  return rows.map((row, index) => ({ ...row, draft: { order: values[index] ?? nextRow } }))
}

async function record(trx: Transaction, { id, undoes }: Job, outcomes: readonly Outcome[], rows: readonly Row[]) {
  const text = JSON.stringify(outcomes)
  await trx.query(sql`
    update bulk_rows r set outcome = o.outcome, name = o.name, refusal = o.refusal, changes = o.changes, kept = o.kept
      from jsonb_to_recordset(${text}::jsonb) as o(place int, outcome text, name text, refusal jsonb, changes jsonb, kept jsonb)
     where r.job_id = ${id} and r.place = o.place`)
  const count = (outcome: Outcome['outcome']) => outcomes.filter((rowOutcome) => rowOutcome.outcome === outcome).length
  const changedFields = outcomes.reduce((sum, { changes = {} }) => sum + Object.keys(changes).length, 0)
  // The bulk job is locked only after its rows, so that a user can stop it; a stop rolls the rows back.
  const [countedRows] = await trx.query(sql`
    update bulk_jobs set changed = changed + ${count('changed')}, unchanged = unchanged + ${count('unchanged')},
           refused = refused + ${count('refused')}, changed_fields = changed_fields + ${changedFields} where id = ${id} and state = 'running' returning id`)
  if (!countedRows) throw fault('bulk.stopped')
  if (undoes === null) return
  const changedRows = new Set(outcomes.filter(({ outcome }) => outcome !== 'refused').map(({ place }) => place))
  const changedPlaces = rows.filter(({ place }) => changedRows.has(place)).map(({ draft }) => Number(draft?.place))
  await trx.query(
    sql`update bulk_rows set is_undone = true where job_id = ${undoes} and place = any(${changedPlaces}::int[])`,
  )
}

interface Step {
  /** Whether the bulk job runs in the queue, a portion at a time. */
  isPortioned: boolean
  caller: Caller | undefined
}

/**
 * Processes a bulk job in an open transaction: all its rows, or a portion.
 *
 * @returns Whether rows are left.
 * @throws 403 when its account may not do this any more.
 */
async function processJob(
  trx: Transaction,
  { database, writers }: BulkParts,
  job: Job,
  { isPortioned, caller }: Step,
): Promise<boolean> {
  if (!caller) throw fault('access.denied')
  const resource = resourceNamed(job.resource)
  const view = authoriseCaller(resource, await requiredRightOf(trx, job), caller)
  // Conversions do not depend on each other, so a dry run of them gives way to other requests too.
  const isSingleDryRun = job.dryRun && job.count <= maxSingleDryRun && job.action.kind !== 'script'
  const isWhole = !isPortioned || job.mode === 'all' || isSingleDryRun
  const portionRows = job.action.kind === 'script' ? maxPortionConversions : portion.rows
  const foundRows = await openRows(trx, job, isWhole ? undefined : portionRows)
  const rows = job.action.kind === 'order' ? await orderedRows(trx, resource, foundRows) : foundRows
  const author = {
    caller,
    job: job.id,
    ...(job.address !== null && { address: job.address }),
    ...(job.requestId !== null && { requestId: job.requestId }),
  }
  const setting = {
    job,
    resource,
    writers: writers[resource.name] ?? entryWriters,
    context: { database, author, view },
  }
  const deadline = performance.now() + portion[database.kind]
  const isTimeUp = () => !isWhole && performance.now() > deadline
  const isRefused = (outcomes: readonly Outcome[]) =>
    job.mode === 'all' && outcomes.some(({ outcome }) => outcome === 'refused')
  const outcomes = await runInSavepoint(
    trx,
    (rowBatch) => processRows(rowBatch, setting, rows, isTimeUp),
    (doneOutcomes) => !job.dryRun && !isRefused(doneOutcomes),
  )
  const hasRefused = isRefused(outcomes)
  // One refused row undoes every row of a bulk job in the mode `all`.
  const recordedOutcomes = hasRefused ? outcomes.map(undoneOutcome) : outcomes
  await record(trx, job, recordedOutcomes, rows)
  const isDone = isWhole || !(await hasOpenRows(trx, job))
  if (isDone) await end(trx, job, hasRefused ? 'refused' : 'finished', isPortioned)
  return !isDone
}

const undoneOutcome = (outcome: Outcome): Outcome => {
  const { place, name } = outcome
  return outcome.outcome === 'refused' ? outcome : { place, name, outcome: 'unchanged' }
}

/** Ends a bulk job; for a queued one its author receives a notification. */
async function end(
  trx: Transaction,
  job: Job,
  state: Parameters<typeof endJob>[2],
  notifiesAuthor: boolean,
  code?: Parameters<typeof endJob>[3],
) {
  const endedJob = await endJob(trx, job, state, code)
  if (!endedJob) throw fault('bulk.stopped')
  if (!notifiesAuthor || job.dryRun) return
  const [now = job] = await findJobs(trx, sql`id = ${job.id}`)
  const { count, changed, refused } = now
  const params = { resource: resourceNamed(job.resource).wire, count, changed, refused, job: job.id, state }
  await notifyUsers(trx, {
    users: [job.userId],
    kind: 'bulk.finished',
    params,
    address: null,
    key: `${job.id}:${state}`,
  })
}

/**
 * Runs a bulk job with few rows to its end within an open transaction.
 *
 * @returns The job after its end.
 */
export async function runInRequest(
  trx: Transaction,
  parts: BulkParts,
  id: number,
  caller: Caller,
): Promise<Job | undefined> {
  const job = await markJobRunning(trx, id)
  if (job) await processJob(trx, parts, job, { isPortioned: false, caller })
  const [doneJob] = await findJobs(trx, sql`id = ${id}`)
  return doneJob
}

/** Finds bulk jobs that wait or were interrupted, oldest first. */
export async function unfinishedJobs({ database }: BulkParts): Promise<number[]> {
  const rows = await database.query(sql<{ id: number }>`
    select id from bulk_jobs where state in ('waiting', 'running') order by id`)
  return rows.map(({ id }) => id)
}

/**
 * Processes the rest of a bulk job in portions; other requests are served between two of them. Ends early on
 * `signal`; the next start continues. Errors other than refusals of rows are retried, then they end the job.
 */
export async function runJob(parts: BulkParts, id: number, signal: AbortSignal): Promise<void> {
  const { database } = parts
  const step = async () => {
    const job = await withDeadlockRetry(database, (trx) => markJobRunning(trx, id))
    if (!job) return false
    return withDeadlockRetry(database, async (trx) =>
      processJob(trx, parts, job, { isPortioned: true, caller: await readCallerNow(trx, job.userId) }),
    )
  }
  try {
    while (!signal.aborted && (await withRetries(maxRowAttempts, signal, () => attemptOrRefuse(step)))) continue
  } catch (error) {
    if (signal.aborted) return
    await withDeadlockRetry(database, async (trx) => {
      const job = await markJobRunning(trx, id)
      if (job) await end(trx, job, 'failed', true, 'server.internal')
    })
    throw error
  }

  /** Runs an attempt of a bulk job; a refusal of the whole job is a result, which is not retried. */
  async function attemptOrRefuse(attempt: () => Promise<boolean>): Promise<boolean> {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      // The user stopped the bulk job during its only transaction, which is rolled back.
      if (error.code === 'bulk.stopped') return false
      await withDeadlockRetry(database, async (trx) => {
        const job = await markJobRunning(trx, id)
        if (job) await end(trx, job, 'stopped', true, error.code)
      })
      return false
    }
  }
}
