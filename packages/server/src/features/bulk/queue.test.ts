import { sql } from '../../db/sql.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkQueue } from '../../db/work-queue.ts'
import { contentOf } from '../../testing/content.ts'
import { buildRole } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { runJob } from './runner.ts'

const here = startResourceApp()
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
  const { status, body } = await here.ask('POST', '/bulk', { data: { resource: 'faqs', action, selection, ...data } })
  return { status, job: (body as { data: Job }).data }
}
const jobNow = async ({ id }: Job) => (await here.read<{ data: Job }>(`/bulk/${id}`)).data
const ended = (job: Job) => expect.poll(async () => (await jobNow(job)).state, { timeout: 30_000, interval: 20 })
const fail = (error: unknown) => {
  throw error
}

const started: WorkQueue[] = []
const startQueue = async (queue: WorkQueue) => {
  started.push(queue)
  await queue.start(fail)
}

beforeEach(async () => {
  await here.database.query(sql`delete from faqs`)
  await here.database.query(sql`delete from bulk_jobs`)
  await here.database.query(sql`delete from notices`)
  await here.database.query(
    sql`insert into faqs (source_locale, "order") select 'en', n from generate_series(1, ${rows}::int) n`,
  )
  await here.database.query(
    sql`insert into faqs_texts (document_id, locale, question, answer) select id, 'en', 'Question ' || id, 'Answer' from faqs`,
  )
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((queue) => queue.stop()))
})

describe('a job with more rows than one request processes', () => {
  it('accepts a long bulk job even if the queue cannot be woken after the commit', async () => {
    const wake = vi.spyOn(here.queue, 'wake').mockRejectedValueOnce(new Error('the queue is away'))
    const { status, job } = await ask()
    wake.mockRestore()
    expect([status, job]).toMatchObject([202, { state: 'waiting', count: rows }])
    await startQueue(here.queue)
    await ended(job).toBe('finished')
  })
  it('runs a long bulk job in the background, sends a notification, and undoes the whole job', async () => {
    await startQueue(here.queue)
    const before = await contentOf(here.database)
    const { status, job } = await ask()
    expect([status, job]).toMatchObject([202, { state: 'waiting', count: rows, done: 0 }])
    await ended(job).toBe('finished')
    expect(await jobNow(job)).toMatchObject({ done: rows, changed: rows })
    const notice = {
      kind: 'bulk.finished',
      params: { resource: 'faqs', count: rows, changed: rows, refused: 0, job: job.id, state: 'finished' },
      address: null,
      readAt: null,
    }
    expect(await here.read('/notices')).toMatchObject({ data: [notice], meta: { unread: 1 } })
    const { body } = await here.ask('POST', `/bulk/${job.id}/undo`)
    const undo = (body as { data: Job }).data
    expect((await jobNow(job)).state).toBe('undoing')
    await ended(undo).toBe('finished')
    expect((await jobNow(job)).state).toBe('undone')
    expect(await contentOf(here.database)).toBe(before)
  })

  it('continues a bulk job after an interruption, with each row once', async () => {
    const { job } = await ask()
    // A signal of a process that ends after the first portion of the bulk job.
    const first = new AbortController()
    const seen = here.database.onStatement((text) => {
      if (text.includes('update bulk_rows')) first.abort()
    })
    await runJob({ database: here.database, writers: {} }, job.id, first.signal)
    seen()
    const broken = await jobNow(job)
    expect(broken.state).toBe('running')
    expect(broken.done).toBeGreaterThan(0)
    expect(broken.done).toBeLessThan(rows)
    await startQueue(here.queue)
    await ended(job).toBe('finished')
    expect(await jobNow(job)).toMatchObject({ done: rows, changed: rows })
    const [written] = await here.database.query(sql<{ revisions: number }>`
      select count(*)::int as revisions from revisions where job = ${job.id}`)
    expect(written).toEqual({ revisions: rows })
  })

  it('returns the same result in a dry run of a long bulk job', async () => {
    await startQueue(here.queue)
    const before = await contentOf(here.database)
    const dry = await ask({ dryRun: true })
    await ended(dry.job).toBe('finished')
    expect(await contentOf(here.database)).toBe(before)
    const real = await ask()
    await ended(real.job).toBe('finished')
    const outcome = async ({ id }: Job) =>
      (await here.read<{ data: unknown }>(`/bulk/${id}/rows?pagination[pageSize]=100`)).data
    expect(await outcome(real.job)).toEqual(await outcome(dry.job))
    expect((await jobNow(real.job)).changed).toBe((await jobNow(dry.job)).changed)
  })

  it('stops a bulk job on request, and when its author may not write any more', async () => {
    const stopped = await ask()
    expect((await here.ask('POST', `/bulk/${stopped.job.id}/stop`)).body).toMatchObject({
      data: { state: 'stopped', done: 0 },
    })
    const { job } = await ask()
    const role = (type: 'admin' | 'authenticated') => buildRole(here.database, type)
    const setRole = async (id: number) =>
      here.database.query(sql`update users set role_id = ${id} where id = ${here.people.admin}`)
    await setRole(await role('authenticated'))
    await runJob({ database: here.database, writers: {} }, job.id, new AbortController().signal)
    await setRole(await role('admin'))
    expect(await jobNow(job)).toMatchObject({ state: 'stopped', code: 'access.denied', done: 0 })
  })

  it('refuses a bulk job above the maximum number of open jobs', async () => {
    for (let count = 0; count < 5; count += 1) await ask()
    expect((await ask()).status).toBe(429)
  })
})
