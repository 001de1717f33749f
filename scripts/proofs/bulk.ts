/**
 * Proof of bulk edits over many rows. A dry run equals its run, progress is shown, the server is killed in
 * the middle and continues after the restart, and one undo restores every row exactly.
 * `node scripts/proofs/bulk.ts --rows 10000`
 */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { contentOf } from '../../packages/server/src/testing/content.ts'
import { prepareFirstData } from '../lib/first-data.ts'
import { stop } from '../lib/processes.ts'
import { type RunningServer, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'

interface Job {
  id: number
  state: string
  count: number
  done: number
  changed: number
  unchanged: number
  refused: number
}

/**
 * SQL of questions for a bulk edit, every third of which already has the value, so that a run has several
 * outcomes.
 */
const fill = (rows: number) => `
  insert into faqs (source_locale, "order", active) select 'en', n, n % 3 <> 0 from generate_series(1, ${rows}) n;
  insert into faqs_texts (document_id, locale, question, answer)
  select f.id, l.locale, 'Question ' || f.id, '<p>Answer ' || f.id || '</p>' from faqs f cross join (values ('en'), ('ru')) as l (locale);`

/** Fills a new data folder with questions. Returns the checksum of all records. */
const prepareData = (dataDir: string, rows: number): Promise<string> =>
  prepareFirstData({ dataDir, seed: 'none' }, async (database) => {
    await database.script(`delete from faqs; ${fill(rows)}`)
    return await contentOf(database)
  })

/** Returns the checksum of all records, while no server uses the data folder. */
async function computeChecksum(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir })
  try {
    return await contentOf(database)
  } finally {
    await database.close()
  }
}

async function callServer<T>(server: RunningServer, token: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answerBody = (await answer.json()) as { data: T }
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answerBody)}`)
  return answerBody.data
}

interface JobObservation {
  job: Job
  /** Number of different progress values of the bulk job that were observed. */
  seen: number
  /** Duration of the bulk job in milliseconds, and the slowest answer to another user during it. */
  durationSeconds: number
  slowest: number
}

/** Requests a bulk job until it has ended, or `enough` accepts its state. */
async function watchJob(
  server: RunningServer,
  token: string,
  id: number,
  hasEnough: (job: Job) => boolean = () => false,
): Promise<JobObservation> {
  const startMoment = performance.now()
  const doneCounts = new Set<number>()
  let slowest = 0
  for (;;) {
    const requestedAt = performance.now()
    const job = await callServer<Job>(server, token, `/bulk/${id}`)
    slowest = Math.max(slowest, performance.now() - requestedAt)
    doneCounts.add(job.done)
    if (!['waiting', 'running'].includes(job.state) || hasEnough(job))
      return { job, seen: doneCounts.size, durationSeconds: performance.now() - startMoment, slowest }
    await pause(25)
  }
}

const result = ({ changed, unchanged, refused }: Job) => JSON.stringify({ changed, unchanged, refused })
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`

/**
 * Runs the proof of bulk edits and prints the result.
 *
 * @param rows - Number of rows.
 * @returns Whether every part of the promise held.
 * @throws When a request is refused.
 */
export async function bulkProof(rows: number): Promise<{ harmless: boolean }> {
  const dataDir = temporaryFolder('bulk')
  try {
    const checksumBefore = await prepareData(dataDir, rows)
    const bulkEdit = {
      resource: 'faqs',
      action: { kind: 'set', values: { active: false } },
      selection: { query: { filters: { order: { $gte: 1 } }, locale: 'en', fallback: true }, count: rows },
    }
    let server = await startServer({ dataDir, seed: 'none' })
    let token = await signIn(server.url)
    const dryRunState = await watchJob(
      server,
      token,
      (await callServer<Job>(server, token, '/bulk', { data: { ...bulkEdit, dryRun: true } })).id,
    )

    const { id } = await callServer<Job>(server, token, '/bulk', { data: bulkEdit })
    const halfDoneJob = await watchJob(server, token, id, ({ done }) => done >= rows / 2)
    await stop(server.child, 'SIGKILL')
    server = await startServer({ dataDir, seed: 'none' })
    token = await signIn(server.url)
    const finishedState = await watchJob(server, token, id)

    const undo = await callServer<Job>(server, token, `/bulk/${id}/undo`, {})
    const undoneState = await watchJob(server, token, undo.id)
    await server.close()
    const checksumAfter = await computeChecksum(dataDir)

    const checks = {
      'the dry run equals the result': result(dryRunState.job) === result(finishedState.job),
      'progress was seen': halfDoneJob.seen > 1,
      'it was killed in the middle': halfDoneJob.job.done < rows,
      'every row was done once': finishedState.job.state === 'finished' && finishedState.job.done === rows,
      'one undo took back every change':
        undoneState.job.changed === finishedState.job.changed && undoneState.job.refused === 0,
      'the checksum is that of before': checksumBefore === checksumAfter,
    }
    for (const [name, isFulfilled] of Object.entries(checks)) if (!isFulfilled) console.log(`   NOT SO: ${name}`)
    const slowest = Math.max(dryRunState.slowest, halfDoneJob.slowest, finishedState.slowest, undoneState.slowest)
    console.log(
      `   ${rows} rows: dry run ${seconds(dryRunState.durationSeconds)}, killed at ${halfDoneJob.job.done} after ${seconds(halfDoneJob.durationSeconds)}, the rest in ${seconds(finishedState.durationSeconds)}, ` +
        `undo ${seconds(undoneState.durationSeconds)}; ${finishedState.job.changed} changed, ${finishedState.job.unchanged} unchanged; slowest answer meanwhile ${Math.round(slowest)} ms`,
    )
    return { harmless: Object.values(checks).every(Boolean) }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--rows')
  const { harmless } = await bulkProof(position >= 0 ? Number(process.argv[position + 1]) : 10_000)
  process.exit(harmless ? 0 : 1)
}
