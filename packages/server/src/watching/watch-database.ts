/** Measures the database, and counts what the other parts of the server signal. */
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { WorkQueue } from '../db/work-queue.ts'
import { programVersion } from '../db/backups/manifest.ts'
import { onSignal } from '../signals.ts'
import type { Instruments } from './instruments.ts'
import { errorClassOf, operationOf } from './statement-labels.ts'

/**
 * Counts statements, refusals, jobs, letters, uploaded bytes and sockets.
 *
 * @returns The function that ends the counting.
 */
export function watchSignals(instruments: Instruments): () => void {
  const addStatement = instruments.histogram('dala_database_statement_duration_seconds')
  const addError = instruments.counter('dala_database_errors_total')
  const addRefusal = instruments.counter('dala_refused_requests_total')
  const changeJobs = instruments.level('dala_jobs_running')
  const addJob = instruments.counter('dala_jobs_total')
  const addLetter = instruments.counter('dala_letters_total')
  const addUpload = instruments.counter('dala_upload_bytes_total')
  const changeSockets = instruments.level('dala_sockets_open')
  changeSockets(0, {})
  for (const outcome of ['sent', 'failed']) addLetter(0, { outcome })
  for (const way of ['form', 'resumable']) addUpload(0, { way })
  addError(0, { class: 'connection' })
  const endings = [
    onSignal('statement', ({ sql: text, seconds, error }) => {
      addStatement(seconds, { operation: operationOf(text) })
      if (error !== undefined) addError(1, { class: errorClassOf(error) })
    }),
    onSignal('refusal', ({ code }) => addRefusal(1, { code })),
    onSignal('job', ({ kind, step }) => {
      changeJobs(step === 'begun' ? 1 : -1, { kind })
      if (step !== 'begun') addJob(1, { kind, outcome: step })
    }),
    onSignal('letter', ({ outcome }) => addLetter(1, { outcome })),
    onSignal('upload', ({ way, bytes }) => addUpload(bytes, { way })),
    onSignal('socket', ({ change }) => changeSockets(change, {})),
  ]
  return () => {
    for (const end of endings) end()
  }
}

/** Measures the connections of the database, waiting jobs and waiting letters at every scrape. */
export function watchDatabase(database: Database, queue: WorkQueue, instruments: Instruments): void {
  const build = { version: programVersion(), node: process.versions.node, database: database.kind }
  instruments.read('dala_build_info', (result) => result.observe(1, build))
  instruments.read('dala_database_connections', (result) => {
    const { used, idle } = database.load
    result.observe(used, { state: 'used' })
    result.observe(idle, { state: 'idle' })
  })
  instruments.read('dala_database_connections_limit', (result) => result.observe(database.load.limit))
  instruments.read('dala_database_waiting', (result) => result.observe(database.load.waiting))
  instruments.read('dala_jobs_waiting', async (result) => {
    for (const [kind, count] of await queue.countWaiting()) result.observe(count, { kind })
  })
  instruments.read('dala_letters_waiting', async (result) => {
    const [row] = await database.query(sql<{ count: number }>`
      select count(*)::int as count from mails where sent_at is null and created_at > now() - interval '1 day'`)
    result.observe(row?.count ?? 0)
  })
}
