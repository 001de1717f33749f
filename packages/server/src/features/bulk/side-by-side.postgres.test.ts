/** Cases with several concurrent transactions; this file runs only on a PostgreSQL server. */
import { sql } from '../../db/sql.ts'
import { afterEach, expect, it } from 'vitest'
import { WorkQueue } from '../../db/work-queue.ts'
import { linkOf, resourceNamed } from '../../resources/attributes.ts'
import { buildRecord, buildNews, buildTag } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { runJob, unfinishedJobs } from './runner.ts'

const resourceApp = startResourceApp()
interface Job {
  id: number
  state: string
}
const start = async (data: object) => ((await resourceApp.ask('POST', '/bulk', { data })).body as { data: Job }).data
const attributes = async (path: string) =>
  (await resourceApp.read<{ data: { attributes: Record<string, unknown> } }>(path)).data.attributes

const queues: WorkQueue[] = []
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop()
})
const startQueue = async (queue: WorkQueue) => {
  queues.push(queue)
  await queue.start((error) => {
    throw error
  })
}

it('does not undo a link that a colleague added while the bulk job waited for their lock', async () => {
  const [firstTag, secondTag, colleagueTag] = [
    await buildTag(resourceApp.database),
    await buildTag(resourceApp.database),
    await buildTag(resourceApp.database),
  ]
  const newsId = await buildNews(resourceApp.database, { tags: [firstTag] })
  const tagsOf = async () => {
    const { tags } = await attributes(`/news/${newsId}?populate=tags`)
    return (tags as { data: { id: number }[] }).data.map(({ id }) => id)
  }
  const [lockSignal, requestSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const otherTransaction = resourceApp.database.transaction(async (trx) => {
    await trx.query(sql`
      select d.id from news d join news_texts t on t.document_id = d.id where t.id = ${newsId} for update`)
    lockSignal.resolve()
    await requestSignal.promise
    const { place } = linkOf(resourceNamed('news'), 'tags')
    if (place.in !== 'table') throw new Error('Tags stand in a table of their own')
    await trx.query(sql`
      insert into ${sql.table(place.table)} (${sql.ref(place.ownColumn)}, ${sql.ref(place.otherColumn)}, position, inverse_position)
      select n.document_id, t.document_id, 9, 9 from news_texts n, tags_texts t where n.id = ${newsId} and t.id = ${colleagueTag}`)
  })
  await lockSignal.promise
  const job = start({
    resource: 'news',
    action: { kind: 'connect', field: 'tags', ids: [secondTag] },
    selection: { ids: [newsId] },
  })
  await waitUntil(async () =>
    expect(
      await resourceApp.database.query(sql`
        select 1 as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
    ).toHaveLength(1),
  )
  requestSignal.resolve()
  await otherTransaction
  const finishedJob = await job
  expect(await tagsOf()).toContain(colleagueTag)
  expect((await resourceApp.ask('POST', `/bulk/${finishedJob.id}/undo`)).status).toBe(200)
  expect((await tagsOf()).toSorted((a, b) => a - b)).toEqual([firstTag, colleagueTag])
})

it('runs a bulk job on one of two instances, with no row twice', async () => {
  const rows = 260
  for (let number = 0; number < rows; number += 1)
    await buildRecord(resourceApp.database, 'faqs', { question: `Question ${number}`, answer: '<p>Answer</p>' })
  const job = await start({
    resource: 'faqs',
    action: { kind: 'set', values: { active: false } },
    selection: { query: { filters: { active: true }, locale: 'en' }, count: rows },
  })
  const otherQueue = new WorkQueue(resourceApp.database)
  const parts = { database: resourceApp.database, writers: {} }
  otherQueue.register('bulk', {
    findUnfinished: () => unfinishedJobs(parts),
    run: (id, signal) => runJob(parts, id, signal),
  })
  await Promise.all([startQueue(resourceApp.queue), startQueue(otherQueue)])
  const readJob = async () =>
    (await resourceApp.read<{ data: Job & { done: number; changed: number } }>(`/bulk/${job.id}`)).data
  await expect.poll(async () => (await readJob()).state, { timeout: 30_000, interval: 20 }).toBe('finished')
  const [countRow] = await resourceApp.database.query(sql<{ revisions: number }>`
    select count(*)::int as revisions from revisions where job = ${job.id}`)
  expect([countRow, await readJob()]).toMatchObject([{ revisions: rows }, { done: rows, changed: rows }])
})
