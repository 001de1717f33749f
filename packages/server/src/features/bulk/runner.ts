/** Runs jobs: small transactions, the outcome of each row written with the row itself, so that a crash neither loses nor doubles one. */
import { type Caller, Fault, fault, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { withRetries } from '../../db/work-queue.ts'
import { documentTable } from '../../db/schema.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authorise } from '../../resources/authorise.ts'
import { callerNow } from '../../resources/caller-now.ts'
import { notify } from '../../domain/delivery/notices.ts'
import { inPart } from '../../resources/write/savepoints.ts'
import { writing } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import { operationOf } from './draft.ts'
import { endJob, findJobs, type Job, takeJob } from './job.ts'
import { type Outcome, type Row, workOnRows } from './rows.ts'

/** Rows and milliseconds of one transaction: the embedded database answers nobody else meanwhile. */
const portion = { rows: 100, embedded: 60, server: 250 } as const
/** Up to here a dry run is one transaction, so that rows which depend on each other are seen as they will be. */
const dryAtOnce = 1_000
const attempts = 5

export interface BulkParts {
  database: Database
  /** Writes of resources that a feature stands before, by resource. */
  writers: Readonly<Partial<Record<string, EntryWriters>>>
}

/** What a job does to a record that it takes back. */
const rightOf = async (trx: Transaction, job: Job): Promise<'update' | 'remove'> => {
  if (job.undoes === null) return operationOf(job.action)
  const [original] = await findJobs(trx, sql`id = ${job.undoes}`)
  return original ? operationOf(original.action) : 'update'
}

function openRows(trx: Transaction, { id }: Job, limit: number | undefined): Promise<Row[]> {
  const some = limit === undefined ? sql`` : sql`limit ${limit}::int`
  return trx.query(sql<Row>`
    select place, entry_id as entry, draft, name from bulk_rows where job_id = ${id} and outcome is null
     order by place ${some} for update`)
}

async function hasOpenRows(trx: Transaction, { id }: Job): Promise<boolean> {
  const rows = await trx.query(sql`select 1 from bulk_rows where job_id = ${id} and outcome is null limit 1`)
  return rows.length > 0
}

/** The order values that records had together, one for each place; those that were equal become different. */
async function orderedRows(trx: Transaction, resource: Resource, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.map(({ entry }) => entry)
  const [documents, texts] = [sql.table(documentTable(resource)), sql.table(`${documentTable(resource)}_texts`)]
  const named = resource.localized
    ? sql`d.id in (select document_id from ${texts} where id = any(${ids}::int[]))`
    : sql`d.id = any(${ids}::int[])`
  const held = await trx.query(sql<{ order: number }>`
    select d."order" from ${documents} d where ${named} order by d.id for update`)
  let next = -Infinity
  const values = held
    .map(({ order }) => order)
    .toSorted((a, b) => a - b)
    .map((value) => (next = Math.max(value, next + 1)))
  return rows.map((row, index) => ({ ...row, draft: { order: values[index] ?? next } }))
}

async function record(trx: Transaction, { id, undoes }: Job, outcomes: readonly Outcome[], rows: readonly Row[]) {
  const text = JSON.stringify(outcomes)
  await trx.query(sql`
    update bulk_rows r set outcome = o.outcome, name = o.name, refusal = o.refusal, changes = o.changes, kept = o.kept
      from jsonb_to_recordset(${text}::jsonb) as o(place int, outcome text, name text, refusal jsonb, changes jsonb, kept jsonb)
     where r.job_id = ${id} and r.place = o.place`)
  const count = (outcome: Outcome['outcome']) => outcomes.filter((one) => one.outcome === outcome).length
  // Only here is the job locked, so that it can be stopped while it works; what was done meanwhile does not stand then.
  const [counted] = await trx.query(sql`
    update bulk_jobs set changed = changed + ${count('changed')}, unchanged = unchanged + ${count('unchanged')},
           refused = refused + ${count('refused')} where id = ${id} and state = 'running' returning id`)
  if (!counted) throw fault('bulk.stopped')
  if (undoes === null) return
  const done = new Set(outcomes.filter(({ outcome }) => outcome !== 'refused').map(({ place }) => place))
  const places = rows.filter(({ place }) => done.has(place)).map(({ draft }) => Number(draft?.place))
  await trx.query(sql`update bulk_rows set is_undone = true where job_id = ${undoes} and place = any(${places}::int[])`)
}

interface Step {
  /** In the queue: a portion at a time. */
  portioned: boolean
  caller: Caller | undefined
}

/**
 * Works on a job in an open transaction: on all its rows, or on a portion. Out: whether rows are left.
 * Throws 403 when its account may not do this any more.
 */
async function work(
  trx: Transaction,
  { database, writers }: BulkParts,
  job: Job,
  { portioned, caller }: Step,
): Promise<boolean> {
  if (!caller) throw fault('access.denied')
  const resource = resourceNamed(job.resource)
  const view = authorise(resource, await rightOf(trx, job), caller)
  const isWhole = !portioned || job.mode === 'all' || (job.dryRun && job.count <= dryAtOnce)
  const found = await openRows(trx, job, isWhole ? undefined : portion.rows)
  const rows = job.action.kind === 'order' ? await orderedRows(trx, resource, found) : found
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
  const until = performance.now() + portion[database.kind]
  const isOver = () => !isWhole && performance.now() > until
  const isRefused = (outcomes: readonly Outcome[]) =>
    job.mode === 'all' && outcomes.some(({ outcome }) => outcome === 'refused')
  const outcomes = await inPart(
    trx,
    (part) => workOnRows(part, setting, rows, isOver),
    (done) => !job.dryRun && !isRefused(done),
  )
  const refused = isRefused(outcomes)
  // Nothing was done where one refusal takes back all.
  const told = refused ? outcomes.map(asUndone) : outcomes
  await record(trx, job, told, rows)
  const isDone = isWhole || !(await hasOpenRows(trx, job))
  if (isDone) await end(trx, job, refused ? 'refused' : 'finished', portioned)
  return !isDone
}

const asUndone = (outcome: Outcome): Outcome => {
  const { place, name } = outcome
  return outcome.outcome === 'refused' ? outcome : { place, name, outcome: 'unchanged' }
}

/** Ends a job; who waited for it in the queue finds it in his inbox. */
async function end(
  trx: Transaction,
  job: Job,
  state: Parameters<typeof endJob>[2],
  tells: boolean,
  code?: Parameters<typeof endJob>[3],
) {
  const ended = await endJob(trx, job, state, code)
  if (!ended) throw fault('bulk.stopped')
  if (!tells || job.dryRun) return
  const [now = job] = await findJobs(trx, sql`id = ${job.id}`)
  const { count, changed, refused } = now
  const params = { resource: resourceNamed(job.resource).wire, count, changed, refused, job: job.id, state }
  await notify(trx, { users: [job.userId], kind: 'bulk.finished', params, address: null })
}

/** Does a job to its end within an open transaction, for few rows. Out: the job as it is then. */
export async function runAtOnce(
  trx: Transaction,
  parts: BulkParts,
  id: number,
  caller: Caller,
): Promise<Job | undefined> {
  const job = await takeJob(trx, id)
  if (job) await work(trx, parts, job, { portioned: false, caller })
  const [done] = await findJobs(trx, sql`id = ${id}`)
  return done
}

/** Jobs that wait or were broken off, oldest first. */
export async function unfinishedJobs({ database }: BulkParts): Promise<number[]> {
  const rows = await database.query(sql<{ id: number }>`
    select id from bulk_jobs where state in ('waiting', 'running') order by id`)
  return rows.map(({ id }) => id)
}

/**
 * Does what is left of a job, portion by portion; between two of them everybody else is served. Ends early on
 * `signal`; the next start goes on. A failure that is none of the job's rows is tried again, then ends the job.
 */
export async function runJob(parts: BulkParts, id: number, signal: AbortSignal): Promise<void> {
  const { database } = parts
  const step = async () => {
    const job = await writing(database, (trx) => takeJob(trx, id))
    if (!job) return false
    return writing(database, async (trx) =>
      work(trx, parts, job, { portioned: true, caller: await callerNow(trx, job.userId) }),
    )
  }
  try {
    while (!signal.aborted && (await withRetries(attempts, signal, () => orRefusal(step)))) continue
  } catch (error) {
    if (signal.aborted) return
    await writing(database, async (trx) => {
      const job = await takeJob(trx, id)
      if (job) await end(trx, job, 'failed', true, 'server.internal')
    })
    throw error
  }

  /** A refusal of the whole is an answer, and not tried again. */
  async function orRefusal(attempt: () => Promise<boolean>): Promise<boolean> {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      // It was stopped while its one transaction ran: nothing of that stands.
      if (error.code === 'bulk.stopped') return false
      await writing(database, async (trx) => {
        const job = await takeJob(trx, id)
        if (job) await end(trx, job, 'stopped', true, error.code)
      })
      return false
    }
  }
}
