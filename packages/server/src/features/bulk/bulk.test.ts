import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  nextNumber,
  buildTranslation,
} from '../../testing/factories.ts'
import { skipTriggers } from '../../testing/databases.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { contentOf } from '../../testing/content.ts'

const resourceApp = startResourceApp()

interface Job {
  id: number
  state: string
  count: number
  done: number
  changed: number
  unchanged: number
  refused: number
  canUndo: boolean
  undoes?: number
  code?: string
}
interface Rows {
  data: { id: number; name: string | null; outcome: string; code?: string; issues?: unknown[]; changes?: object }[]
}
const start = async (data: object, role: 'owner' | 'admin' | 'authenticated' = 'admin') => {
  const { status, body } = await resourceApp.ask('POST', '/bulk', { data }, role)
  return { status, body, job: (body as { data?: Job }).data ?? ({ id: 0 } as Job) }
}
const rowsOf = async (job: Job, query = '') => (await resourceApp.read<Rows>(`/bulk/${job.id}/rows${query}`)).data
const undoJob = async (job: Job) => {
  const { status, body } = await resourceApp.ask('POST', `/bulk/${job.id}/undo`)
  return { status, body, job: (body as { data?: Job }).data ?? ({ id: 0 } as Job) }
}
const content = () => contentOf(resourceApp.database)

let faqs: number[] = []
const buildFaq = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'faqs', { question: `Question ${nextNumber()}`, answer: '<p>Answer</p>', ...draft })

beforeEach(async () => {
  faqs = []
  for (const order of [10, 20, 40]) faqs.push(await buildFaq({ order }))
})

describe('the same values for many records', () => {
  it('changes each record of a bulk edit, returns its outcome, and undoes the job', async () => {
    const inactiveFaq = await buildFaq({ active: false })
    const contentBefore = await content()
    const selection = { ids: [...faqs, inactiveFaq, 9_999_999] }
    const { status, job } = await start({
      resource: 'faqs',
      action: { kind: 'set', values: { active: false } },
      selection,
    })
    expect([status, job]).toMatchObject([
      200,
      { state: 'finished', count: 5, done: 5, changed: 3, unchanged: 1, refused: 1, canUndo: true },
    ])
    expect(await rowsOf(job, '?outcome=refused')).toMatchObject([
      { id: 9_999_999, name: null, code: 'record.not-found' },
    ])
    expect((await rowsOf(job, '?outcome=changed'))[0]).toMatchObject({
      id: faqs[0],
      outcome: 'changed',
      changes: { active: { before: true, after: false } },
    })
    expect(await resourceApp.database.query(sql`select distinct job from revisions where job is not null`)).toEqual([
      { job: job.id },
    ])

    const undoneJob = await undoJob(job)
    expect(undoneJob.job).toMatchObject({ state: 'finished', undoes: job.id, changed: 3, canUndo: false })
    expect(await content()).toBe(contentBefore)
    expect(await resourceApp.read(`/bulk/${job.id}`)).toMatchObject({ data: { state: 'undone', canUndo: false } })
    expect((await undoJob(job)).status).toBe(409)
    expect((await undoJob(undoneJob.job)).status).toBe(409)
    await resourceApp.database.query(sql`delete from bulk_jobs`)
    await skipTriggers(resourceApp.database, sql`delete from revisions where job is not null`)
  })

  it('refuses impossible values and unknown fields of a bulk edit before any change', async () => {
    const wrongAnswer = await start({
      resource: 'faqs',
      action: { kind: 'set', values: { active: 'maybe' } },
      selection: { ids: faqs },
    })
    expect([wrongAnswer.status, wrongAnswer.body]).toMatchObject([
      422,
      { error: { details: { errors: [{ path: ['active'] }] } } },
    ])
    for (const name of ['nothing', 'version', 'id']) {
      const { status } = await start({
        resource: 'faqs',
        action: { kind: 'set', values: { [name]: 1 } },
        selection: { ids: faqs },
      })
      expect([name, status]).toEqual([name, 400])
    }
    const people = await start({
      resource: 'users',
      action: { kind: 'set', values: { password: 'Harvest-2027' } },
      selection: { ids: [1] },
    })
    expect(people.status).toBe(400)
  })

  it('checks the rules of each row in a bulk edit', async () => {
    const region = await buildRegion(resourceApp.database)
    const [ownDistrict, foreignDistrict] = [
      await buildDistrict(resourceApp.database, { region }),
      await buildDistrict(resourceApp.database),
    ]
    const job = (
      await start({
        resource: 'districts',
        action: { kind: 'set', values: { name: '' } },
        selection: { ids: [ownDistrict, foreignDistrict] },
      })
    ).status
    expect(job).toBe(422)
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'Course' })
    const steps = await start({
      resource: 'courses',
      action: { kind: 'set', values: { state: 'published' } },
      selection: { ids: [course] },
    })
    expect(steps.job).toMatchObject({ changed: 0, refused: 1 })
    expect((await rowsOf(steps.job))[0]?.code).toMatch(/^(state|course)\./)
  })
})

describe('the mode `all`', () => {
  const cells = (values: object[]) => ({
    kind: 'edit',
    rows: values.map((rowValues, index) => ({ id: faqs[index], values: rowValues })),
  })

  it('changes nothing in mode `all` when one row is refused, and lists every error', async () => {
    const contentBefore = await content()
    const { job } = await start({ resource: 'faqs', action: cells([{ order: 1 }, { order: 'x' }, { question: '' }]) })
    expect(job).toMatchObject({ state: 'refused', mode: 'all', changed: 0, unchanged: 1, refused: 2, canUndo: false })
    expect(await rowsOf(job, '?outcome=refused')).toMatchObject([
      { id: faqs[1], code: 'validation.number', issues: [{ path: ['order'] }] },
      { id: faqs[2], code: 'validation.question', issues: [{ path: ['question'] }] },
    ])
    expect(await content()).toBe(contentBefore)
  })

  it('gives each row its own values in mode `all`, and refuses a stale version', async () => {
    const contentBefore = await content()
    const { job } = await start({ resource: 'faqs', action: cells([{ order: 1, question: 'One' }, { order: 2 }]) })
    expect(job).toMatchObject({ state: 'finished', changed: 2 })
    const staleAnswer = await start({
      resource: 'faqs',
      action: { kind: 'edit', rows: [{ id: faqs[0], version: 1, values: { order: 5 } }] },
      mode: 'each',
    })
    expect(staleAnswer.job).toMatchObject({ state: 'finished', changed: 0, refused: 1 })
    expect((await rowsOf(staleAnswer.job))[0]?.code).toBe('record.stale')
    await undoJob(job)
    expect(await content()).toBe(contentBefore)
  })
})

describe('a dry run', () => {
  it('returns in a dry run the result of the real run, and changes nothing', async () => {
    const contentBefore = await content()
    const bulkEdit = {
      resource: 'faqs',
      action: { kind: 'set', values: { order: 20 } },
      selection: { ids: [...faqs, 9_999_999] },
    }
    const dryRunAnswer = await start({ ...bulkEdit, dryRun: true })
    expect(dryRunAnswer.job).toMatchObject({ state: 'finished', changed: 2, unchanged: 1, refused: 1, canUndo: false })
    expect(await content()).toBe(contentBefore)
    expect((await undoJob(dryRunAnswer.job)).status).toBe(409)
    const realJob = await start(bulkEdit)
    expect(await rowsOf(realJob.job)).toEqual(await rowsOf(dryRunAnswer.job))
  })

  it('applies the changes of earlier rows to later rows of a dry run', async () => {
    const bulkEdit = { resource: 'tags', action: { kind: 'set', values: { name: 'One name' } } }
    const tags = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    const dryRunAnswer = await start({ ...bulkEdit, selection: { ids: tags }, dryRun: true })
    const realJob = await start({ ...bulkEdit, selection: { ids: tags } })
    expect(await rowsOf(realJob.job)).toEqual(await rowsOf(dryRunAnswer.job))
  })
})

describe('a selection by the filter of a list', () => {
  const selectFaqs = (count: number) => ({
    query: { filters: { order: { $gte: 20 } }, _q: 'needle', locale: 'en', fallback: true },
    count,
  })

  it('changes the rows that a filter selects, and refuses a bulk edit when their number differs', async () => {
    const foundRows = [
      await buildFaq({ question: 'A needle', order: 20 }),
      await buildFaq({ question: 'Needles', order: 30 }),
    ]
    await buildFaq({ question: 'A needle', order: 1 })
    const contentBefore = await content()
    const action = { kind: 'set', values: { active: false } }
    const refusedAnswer = await start({ resource: 'faqs', action, selection: selectFaqs(3) })
    expect([refusedAnswer.status, refusedAnswer.body]).toMatchObject([
      409,
      { error: { details: { expected: 3, actual: 2 } } },
    ])
    expect(await content()).toBe(contentBefore)
    const { job } = await start({ resource: 'faqs', action, selection: selectFaqs(2) })
    expect(job).toMatchObject({ changed: 2 })
    expect((await rowsOf(job)).map(({ id }) => id)).toEqual(foundRows)
    await undoJob(job)
    expect(await content()).toBe(contentBefore)
  })
})

describe('links of many records', () => {
  it('adds and removes links of many records by bulk edit, and restores the order of both sides by undo', async () => {
    const [firstTag, secondTag, thirdTag] = [
      await buildTag(resourceApp.database),
      await buildTag(resourceApp.database),
      await buildTag(resourceApp.database),
    ]
    const newsIds = [
      await buildNews(resourceApp.database, { tags: [firstTag, secondTag] }),
      await buildNews(resourceApp.database, { tags: [thirdTag] }),
      await buildNews(resourceApp.database),
    ]
    await buildTranslation(resourceApp.database, 'news', newsIds[0] ?? 0, 'ru', { title: 'Новость' })
    const contentBefore = await content()
    const addedJob = await start({
      resource: 'news',
      action: { kind: 'connect', field: 'tags', ids: [firstTag, thirdTag] },
      selection: { ids: newsIds },
    })
    expect(addedJob.job).toMatchObject({ changed: 3 })
    const repeatedJob = await start({
      resource: 'news',
      action: { kind: 'connect', field: 'tags', ids: [firstTag] },
      selection: { ids: newsIds },
    })
    expect(repeatedJob.job).toMatchObject({ changed: 0, unchanged: 3 })
    const [firstRow] = await rowsOf(addedJob.job)
    expect(firstRow?.changes).toMatchObject({
      tags: {
        before: [{ id: firstTag }, { id: secondTag }],
        after: [{ id: firstTag }, { id: secondTag }, { id: thirdTag }],
      },
    })
    const takenJob = await start({
      resource: 'news',
      action: { kind: 'disconnect', field: 'tags', ids: [firstTag] },
      selection: { ids: newsIds },
    })
    expect(takenJob.job).toMatchObject({ changed: 3 })
    await undoJob(takenJob.job)
    await undoJob(addedJob.job)
    expect(await content()).toBe(contentBefore)
    expect(
      (
        await start({
          resource: 'news',
          action: { kind: 'connect', field: 'title', ids: [1] },
          selection: { ids: newsIds },
        })
      ).status,
    ).toBe(400)
  })

  it('restores the source version that a translation has seen when a bulk edit of the source is undone', async () => {
    const item = await buildNews(resourceApp.database)
    const russian = await buildTranslation(resourceApp.database, 'news', item, 'ru', { title: 'Новость' })
    const contentBefore = await content()
    const { job } = await start({
      resource: 'news',
      action: { kind: 'edit', rows: [{ id: item, values: { title: 'Changed' } }] },
    })
    expect(await resourceApp.read(`/news/${russian}`)).toMatchObject({ data: { attributes: { outdated: true } } })
    await undoJob(job)
    expect(await resourceApp.read(`/news/${russian}`)).toMatchObject({ data: { attributes: { outdated: false } } })
    expect(await content()).toBe(contentBefore)
  })
})

describe('deleting many records', () => {
  it('deletes all languages of many records, and restores them with links of both directions', async () => {
    const [tag, otherTag] = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    await buildTranslation(resourceApp.database, 'tags', tag, 'ru', { name: `Метка ${nextNumber()}` })
    await buildNews(resourceApp.database, { tags: [otherTag, tag] })
    await buildNews(resourceApp.database, { tags: [tag, otherTag] })
    const contentBefore = await content()
    const { job } = await start({ resource: 'tags', action: { kind: 'remove' }, selection: { ids: [tag, otherTag] } })
    expect(job).toMatchObject({ changed: 2, canUndo: true })
    expect((await rowsOf(job))[0]?.name).toMatch(/^Tag/)
    expect((await resourceApp.ask('GET', `/tags/${tag}`)).status).toBe(404)
    expect((await undoJob(job)).job).toMatchObject({ changed: 2, refused: 0 })
    expect(await content()).toBe(contentBefore)
  })

  it('deletes each language in a list of all languages as a row, and restores the record once', async () => {
    const tag = await buildTag(resourceApp.database, { name: 'Twofold' })
    await buildTranslation(resourceApp.database, 'tags', tag, 'ru', { name: 'Twofold ru' })
    const contentBefore = await content()
    const query = { filters: { name: { $startsWith: 'Twofold' } }, locale: 'all' }
    const { job } = await start({ resource: 'tags', action: { kind: 'remove' }, selection: { query, count: 2 } })
    expect(job).toMatchObject({ count: 2, changed: 2, refused: 0 })
    expect((await undoJob(job)).job).toMatchObject({ changed: 1, unchanged: 1, refused: 0 })
    expect(await content()).toBe(contentBefore)
  })

  it('refuses to delete records in use, row by row', async () => {
    const [usedRegion, freeRegion] = [
      await buildRegion(resourceApp.database, { name: 'Held' }),
      await buildRegion(resourceApp.database),
    ]
    const district = await buildDistrict(resourceApp.database, { region: usedRegion })
    await buildRecord(resourceApp.database, 'branches', {
      name: 'Branch',
      region: usedRegion,
      district,
      address: 'Street 1',
    })
    const { job } = await start({
      resource: 'regions',
      action: { kind: 'remove' },
      selection: { ids: [usedRegion, freeRegion] },
    })
    expect(job).toMatchObject({ done: 2, changed: 1, refused: 1 })
    expect(await rowsOf(job, '?outcome=refused')).toMatchObject([
      { id: usedRegion, name: 'Held', code: 'record.in-use' },
    ])
    const wholeJob = await start({
      resource: 'regions',
      action: { kind: 'remove' },
      selection: { ids: [usedRegion] },
      mode: 'all',
    })
    expect(wholeJob.job).toMatchObject({ state: 'refused', changed: 0, refused: 1 })
  })
})

describe('the order of records', () => {
  it('redistributes the order values of many records in one step', async () => {
    const contentBefore = await content()
    const sequence = [faqs[2], faqs[0], faqs[1]]
    const { job } = await start({ resource: 'faqs', action: { kind: 'order', ids: sequence } })
    expect(job).toMatchObject({ state: 'finished', mode: 'all', changed: 3 })
    const orders = await resourceApp.database.query(sql<{ order: number }>`
      select f."order" from faqs_texts t join faqs f on f.id = t.document_id where t.id = any(${sequence}::int[]) order by array_position(${sequence}::int[], t.id)`)
    expect(orders.map(({ order }) => order)).toEqual([10, 20, 40])
    await undoJob(job)
    expect(await content()).toBe(contentBefore)
    expect((await start({ resource: 'news', action: { kind: 'order', ids: faqs } })).status).toBe(400)
  })
})

describe('undoing a job', () => {
  it('never overwrites later changes of other users when a bulk job is undone', async () => {
    const { job } = await start({
      resource: 'faqs',
      action: { kind: 'set', values: { order: 7 } },
      selection: { ids: faqs },
    })
    await resourceApp.ask('PUT', `/faqs/${faqs[0]}`, { data: { order: 8 } }, 'owner')
    await resourceApp.ask('PUT', `/faqs/${faqs[1]}`, { data: { active: false } }, 'owner')
    const { job: undoingJob } = await undoJob(job)
    expect(undoingJob).toMatchObject({ changed: 1, refused: 2 })
    expect((await rowsOf(undoingJob, '?outcome=refused')).map(({ code }) => code)).toEqual([
      'bulk.changed-since',
      'bulk.changed-since',
    ])
    expect(await resourceApp.read(`/faqs/${faqs[0]}`)).toMatchObject({ data: { attributes: { order: 8 } } })
  })
})

describe('the rights of bulk edits', () => {
  const bulkEditOf = () => ({
    resource: 'faqs',
    action: { kind: 'set', values: { active: false } },
    selection: { ids: faqs },
  })

  it('refuses callers who may not write by bulk edit before the rest of the body is read', async () => {
    expect((await start({ ...bulkEditOf(), selection: 'nonsense' }, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('POST', '/bulk', { data: bulkEditOf() }, 'public')).status).toBe(401)
  })

  it('shows a bulk job to its author and the owner alone', async () => {
    const { job } = await start(bulkEditOf())
    const readJobAs = (role: 'owner' | 'super-admin') => resourceApp.ask('GET', `/bulk/${job.id}`, undefined, role)
    expect((await readJobAs('owner')).status).toBe(200)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['POST', '/undo'],
      ['POST', '/stop'],
    ] as const)
      expect((await resourceApp.ask(method, `/bulk/${job.id}${path}`, undefined, 'super-admin')).status).toBe(404)
    const { data } = await resourceApp.read<{ data: Job[] }>('/bulk')
    expect(data[0]?.id).toBe(job.id)
    expect((await resourceApp.ask('GET', '/bulk', undefined, 'super-admin')).body).toMatchObject({ data: [] })
  })

  it('refuses an invalid request of a bulk edit with 422', async () => {
    for (const data of [
      { resource: 'nothing' },
      { ...bulkEditOf(), action: { kind: 'burn' } },
      { ...bulkEditOf(), selection: { ids: [] } },
      { ...bulkEditOf(), selection: { ids: [1, 1] } },
      { ...bulkEditOf(), selection: { query: {}, count: 'x' } },
      { ...bulkEditOf(), mode: 'some' },
    ])
      expect([data, (await start(data)).status]).toEqual([data, 422])
    const manyIds = Array.from({ length: 1_001 }, (_, index) => index + 1)
    expect((await start({ ...bulkEditOf(), selection: { ids: manyIds } })).status).toBe(422)
  })
})

describe('a repeated Idempotency-Key', () => {
  it('runs a bulk job once for a repeated Idempotency-Key', async () => {
    const payload = JSON.stringify({
      data: { resource: 'faqs', action: { kind: 'set', values: { order: 77 } }, selection: { ids: faqs } },
    })
    const ask = () =>
      resourceApp.app.inject({
        method: 'POST',
        url: '/api/bulk',
        payload,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'once',
          authorization: `Bearer ${resourceApp.tokens.admin}`,
        },
      })
    const [firstAnswer, secondAnswer] = [await ask(), await ask()]
    expect(secondAnswer.headers['idempotent-replayed']).toBe('true')
    expect(secondAnswer.json()).toEqual(firstAnswer.json())
  })
})
