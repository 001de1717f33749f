import { sql } from '../../db/sql.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkQueue } from '../../db/work-queue.ts'
import { contentOf } from '../../testing/content.ts'
import { buildRole } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { runJob } from './runner.ts'

const resourceApp = startResourceApp()
const rows = 260

interface Job {
  id: number
  state: string
  code?: string
  count: number
  done: number
  changed: number
}
const action = { kind: 'set', values: { active: false } }
const ask = async (data: object = {}) => {
  const selection = { query: { filters: { active: true }, locale: 'en' }, count: rows }
  const { status, body } = await resourceApp.ask('POST', '/bulk', {
    data: { resource: 'faqs', action, selection, ...data },
  })
  return { status, job: (body as { data: Job }).data }
}
const readJob = async ({ id }: Job) => (await resourceApp.read<{ data: Job }>(`/bulk/${id}`)).data
const waitForEnd = (job: Job) => expect.poll(async () => (await readJob(job)).state, { timeout: 30_000, interval: 20 })
const failTest = (error: unknown) => {
  throw error
}

const startedQueues: WorkQueue[] = []
const startQueue = async (queue: WorkQueue) => {
  startedQueues.push(queue)
  await queue.start(failTest)
}

beforeEach(async () => {
  await resourceApp.database.query(sql`delete from faqs`)
  await resourceApp.database.query(sql`delete from bulk_jobs`)
  await resourceApp.database.query(sql`delete from notices`)
  await resourceApp.database.query(
    sql`insert into faqs (source_locale, "order") select 'en', n from generate_series(1, ${rows}::int) n`,
  )
  await resourceApp.database.query(
    sql`insert into faqs_texts (document_id, locale, question, answer) select id, 'en', 'Question ' || id, 'Answer' from faqs`,
  )
})
afterEach(async () => {
  await Promise.all(startedQueues.splice(0).map((queue) => queue.stop()))
})

describe('a job with more rows than one request processes', () => {
  it('accepts a long bulk job even if the queue cannot be woken after the commit', async () => {
    const wakeSpy = vi.spyOn(resourceApp.queue, 'wake').mockRejectedValueOnce(new Error('the queue is away'))
    const { status, job } = await ask()
    wakeSpy.mockRestore()
    expect([status, job]).toMatchObject([202, { state: 'waiting', count: rows }])
    await startQueue(resourceApp.queue)
    await waitForEnd(job).toBe('finished')
  })
  it('runs a long bulk job in the background, sends a notification, and undoes the whole job', async () => {
    await startQueue(resourceApp.queue)
    const contentBefore = await contentOf(resourceApp.database)
    const { status, job } = await ask()
    expect([status, job]).toMatchObject([202, { state: 'waiting', count: rows, done: 0 }])
    await waitForEnd(job).toBe('finished')
    expect(await readJob(job)).toMatchObject({ done: rows, changed: rows })
    const notice = {
      kind: 'bulk.finished',
      params: { resource: 'faqs', count: rows, changed: rows, refused: 0, job: job.id, state: 'finished' },
      address: null,
      readAt: null,
    }
    expect(await resourceApp.read('/notices')).toMatchObject({ data: [notice], meta: { unread: 1 } })
    const { body } = await resourceApp.ask('POST', `/bulk/${job.id}/undo`)
    const undoJob = (body as { data: Job }).data
    expect((await readJob(job)).state).toBe('undoing')
    await waitForEnd(undoJob).toBe('finished')
    expect((await readJob(job)).state).toBe('undone')
    expect(await contentOf(resourceApp.database)).toBe(contentBefore)
  })

  it('continues a bulk job after an interruption, with each row once', async () => {
    const { job } = await ask()
    // A signal of a process that ends after the first portion of the bulk job.
    const firstController = new AbortController()
    const seenStatements = resourceApp.database.onStatement((text) => {
      if (text.includes('update bulk_rows')) firstController.abort()
    })
    await runJob({ database: resourceApp.database, writers: {} }, job.id, firstController.signal)
    seenStatements()
    const brokenJob = await readJob(job)
    expect(brokenJob.state).toBe('running')
    expect(brokenJob.done).toBeGreaterThan(0)
    expect(brokenJob.done).toBeLessThan(rows)
    await startQueue(resourceApp.queue)
    await waitForEnd(job).toBe('finished')
    expect(await readJob(job)).toMatchObject({ done: rows, changed: rows })
    const [countRow] = await resourceApp.database.query(sql<{ revisions: number }>`
      select count(*)::int as revisions from revisions where job = ${job.id}`)
    expect(countRow).toEqual({ revisions: rows })
  })

  it('returns the same result in a dry run of a long bulk job', async () => {
    await startQueue(resourceApp.queue)
    const contentBefore = await contentOf(resourceApp.database)
    const dryRunAnswer = await ask({ dryRun: true })
    await waitForEnd(dryRunAnswer.job).toBe('finished')
    expect(await contentOf(resourceApp.database)).toBe(contentBefore)
    const realJob = await ask()
    await waitForEnd(realJob.job).toBe('finished')
    const outcome = async ({ id }: Job) =>
      (await resourceApp.read<{ data: unknown }>(`/bulk/${id}/rows?pagination[pageSize]=100`)).data
    expect(await outcome(realJob.job)).toEqual(await outcome(dryRunAnswer.job))
    expect((await readJob(realJob.job)).changed).toBe((await readJob(dryRunAnswer.job)).changed)
  })

  it('stops a bulk job on request, and when its author may not write any more', async () => {
    const stoppedJob = await ask()
    expect((await resourceApp.ask('POST', `/bulk/${stoppedJob.job.id}/stop`)).body).toMatchObject({
      data: { state: 'stopped', done: 0 },
    })
    const { job } = await ask()
    const role = (type: 'admin' | 'authenticated') => buildRole(resourceApp.database, type)
    const setRole = async (id: number) =>
      resourceApp.database.query(sql`update users set role_id = ${id} where id = ${resourceApp.people.admin}`)
    await setRole(await role('authenticated'))
    await runJob({ database: resourceApp.database, writers: {} }, job.id, new AbortController().signal)
    await setRole(await role('admin'))
    expect(await readJob(job)).toMatchObject({ state: 'stopped', code: 'access.denied', done: 0 })
  })

  it('refuses a bulk job above the maximum number of open jobs', async () => {
    for (let count = 0; count < 5; count += 1) await ask()
    expect((await ask()).status).toBe(429)
  })
})
