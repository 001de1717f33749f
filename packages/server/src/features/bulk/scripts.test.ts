import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { contentOf } from '../../testing/content.ts'
import { buildNews, buildTag, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()

interface Job {
  id: number
  state: string
  count: number
  changed: number
  unchanged: number
  refused: number
  changedFields: number
  canUndo: boolean
}
interface Row {
  id: number
  name: string | null
  outcome: string
  code?: string
  changes?: Record<string, { before: string; after: string }>
}
interface Entry {
  attributes: Record<string, unknown>
}

const action = { kind: 'script', locale: 'uz', script: 'cyrillic', fields: ['title', 'content'] }
const start = async (data: object, role: 'owner' | 'admin' | 'authenticated' = 'admin') => {
  const { status, body } = await resourceApp.ask('POST', '/bulk', { data: { resource: 'news', action, ...data } }, role)
  return { status, body, job: (body as { data?: Job }).data ?? ({ id: 0 } as Job) }
}
const rowsOf = async ({ id }: Job) => (await resourceApp.read<{ data: Row[] }>(`/bulk/${id}/rows`)).data
const attributesOf = async (id: number) =>
  (await resourceApp.read<{ data: Entry }>(`/news/${id}?publicationState=preview`)).data.attributes

let english: number
let uzbek: number
let englishOnly: number

beforeEach(async () => {
  english = await buildNews(resourceApp.database, { title: 'Cotton' })
  uzbek = await buildTranslation(resourceApp.database, 'news', english, 'uz', {
    title: 'Paxta, PDF',
    description: 'Tavsif',
    content: '<p>Gʻoʻza <b>ekildi</b>, <code>npm start</code></p>',
  })
  englishOnly = await buildNews(resourceApp.database, { title: 'Rice' })
})

describe('the script of many records', () => {
  it('converts the chosen texts of one language, whichever language was selected, and undoes it exactly', async () => {
    const contentBefore = await contentOf(resourceApp.database)
    const selection = { ids: [english, uzbek, englishOnly] }
    const { status, job } = await start({ selection })
    expect([status, job]).toMatchObject([
      200,
      { state: 'finished', count: 2, changed: 1, unchanged: 1, refused: 0, changedFields: 2, canUndo: true },
    ])
    expect(await attributesOf(uzbek)).toMatchObject({
      title: 'Пахта, PDF',
      description: 'Tavsif',
      content: '<p>Ғўза <b>экилди</b>, <code>npm start</code></p>',
    })
    expect(await attributesOf(english)).toMatchObject({ title: 'Cotton' })
    expect((await rowsOf(job)).map(({ id, outcome }) => [id, outcome])).toEqual([
      [uzbek, 'changed'],
      [englishOnly, 'unchanged'],
    ])
    const traces = await resourceApp.database.query(sql`
      select locale, operation, changes -> 'title' as title from revisions where job = ${job.id} and locale is not null`)
    expect(traces).toEqual([
      { locale: 'uz', operation: 'update', title: { before: 'Paxta, PDF', after: 'Пахта, PDF' } },
    ])

    const undone = await resourceApp.ask('POST', `/bulk/${job.id}/undo`)
    expect(undone.body).toMatchObject({ data: { state: 'finished', changed: 1, undoes: job.id } })
    expect(await attributesOf(uzbek)).toMatchObject({ title: 'Paxta, PDF' })
    expect(await contentOf(resourceApp.database)).toBe(contentBefore)
  })

  it('shows the texts before and after in a dry run, and changes nothing', async () => {
    const contentBefore = await contentOf(resourceApp.database)
    const { job } = await start({ selection: { ids: [english] }, dryRun: true })
    expect(job).toMatchObject({ state: 'finished', changed: 1, changedFields: 2, canUndo: false })
    const [row] = await rowsOf(job)
    expect(row?.changes?.title).toEqual({ before: 'Paxta, PDF', after: 'Пахта, PDF' })
    expect(await contentOf(resourceApp.database)).toBe(contentBefore)
  })

  it('converts the rows of a list, and nothing when it runs again', async () => {
    const query = { filters: { id: { $eq: english } }, locale: 'en' }
    const first = await start({ selection: { query, count: 1 } })
    expect(first.job).toMatchObject({ changed: 1, changedFields: 2 })
    const second = await start({ selection: { query, count: 1 } })
    expect(second.job).toMatchObject({ changed: 0, unchanged: 1, changedFields: 0, canUndo: false })
    const back = await start({ action: { ...action, script: 'latin' }, selection: { query, count: 1 } })
    expect(back.job).toMatchObject({ changed: 1 })
    expect(await attributesOf(uzbek)).toMatchObject({ title: 'Paxta, PDF' })
  })

  it('leaves translations as current or outdated as they were', async () => {
    const source = await buildNews(resourceApp.database, { title: 'Paxta' }, 'uz')
    const translation = await buildTranslation(resourceApp.database, 'news', source, 'ru', { title: 'Хлопок' })
    await start({ selection: { ids: [source] } })
    expect(await attributesOf(translation)).toMatchObject({ outdated: false })
    await resourceApp.ask('PUT', `/news/${english}`, { data: { title: 'Cotton prices' } })
    expect(await attributesOf(uzbek)).toMatchObject({ outdated: true })
    await start({ selection: { ids: [uzbek] } })
    expect(await attributesOf(uzbek)).toMatchObject({ title: 'Пахта, PDF', outdated: true })
  })

  it('leaves a confirmation that a translation was compared when it is undone later', async () => {
    const isOutdated = async (id: number) => (await attributesOf(id)).outdated
    await resourceApp.ask('PUT', `/news/${english}`, { data: { title: 'Cotton prices' } })
    const { job } = await start({ selection: { ids: [uzbek] } })
    expect(await isOutdated(uzbek)).toBe(true)
    const { status } = await resourceApp.ask('PUT', `/news/${uzbek}`, { data: { title: 'Пахта, PDF' } })
    expect([status, await isOutdated(uzbek)]).toEqual([200, false])
    const undone = await resourceApp.ask('POST', `/bulk/${job.id}/undo`)
    expect(undone.body).toMatchObject({ data: { state: 'finished', changed: 1 } })
    expect(await attributesOf(uzbek)).toMatchObject({ title: 'Paxta, PDF', outdated: false })
  })

  it('leaves translations outdated by a change of their source when the conversion of the source is undone', async () => {
    const source = await buildNews(resourceApp.database, { title: 'Paxta', description: 'Tavsif' }, 'uz')
    const translation = await buildTranslation(resourceApp.database, 'news', source, 'ru', { title: 'Хлопок' })
    const { job } = await start({ selection: { ids: [source] } })
    await resourceApp.database.query(sql`
      update news set source_changes = source_changes + 1
       where id = (select document_id from news_texts where id = ${source})`)
    expect(await attributesOf(translation)).toMatchObject({ outdated: true })
    await resourceApp.ask('POST', `/bulk/${job.id}/undo`)
    expect(await attributesOf(source)).toMatchObject({ title: 'Paxta' })
    expect(await attributesOf(translation)).toMatchObject({ outdated: true })
  })

  it('refuses a text that is too long in the other script, and changes the others', async () => {
    const long = await buildNews(resourceApp.database, { title: 'ш'.repeat(250) }, 'uz')
    const latin = { ...action, script: 'latin', fields: ['title'] }
    const { job } = await start({ action: latin, selection: { ids: [long, uzbek] } })
    expect(job).toMatchObject({ changed: 0, unchanged: 1, refused: 1, changedFields: 0 })
    expect((await rowsOf(job))[0]).toMatchObject({ id: long, outcome: 'refused', code: 'validation.maxLength' })
  })

  it('converts more than twenty records in the background, in a dry run too', async () => {
    const ids = await Promise.all(
      Array.from({ length: 21 }, () => buildNews(resourceApp.database, { title: 'Paxta' }, 'uz')),
    )
    await resourceApp.queue.start((error) => {
      throw error
    })
    for (const dryRun of [true, false]) {
      const { status, job } = await start({ selection: { ids }, dryRun })
      expect([status, job.count]).toEqual([202, 21])
      const readJob = async () => (await resourceApp.read<{ data: Job }>(`/bulk/${job.id}`)).data
      await expect.poll(async () => (await readJob()).state, { timeout: 30_000, interval: 20 }).toBe('finished')
      expect(await readJob()).toMatchObject({ changed: 21, changedFields: 21 })
      // The rows of one portion are written by one transaction.
      const portions = await resourceApp.database.query(sql<{ rows: number }>`
        select count(*)::int as rows from bulk_rows where job_id = ${job.id} group by xmin::text`)
      expect(Math.max(...portions.map(({ rows }) => rows))).toBeLessThanOrEqual(10)
      expect(await attributesOf(ids[20] ?? 0)).toMatchObject({ title: dryRun ? 'Paxta' : 'Пахта' })
    }
    await resourceApp.queue.stop()
  })

  it('refuses all or nothing for more than twenty records, and stores no job', async () => {
    const ids = await Promise.all(
      Array.from({ length: 21 }, () => buildNews(resourceApp.database, { title: 'Paxta' }, 'uz')),
    )
    const readJobCount = async () => (await resourceApp.database.query(sql`select 1 from bulk_jobs`)).length
    const countBefore = await readJobCount()
    for (const dryRun of [true, false]) {
      const { status, body } = await start({ selection: { ids }, mode: 'all', dryRun })
      expect([status, body]).toMatchObject([422, { error: { code: 'bulk.script-not-all', details: { max: 20 } } }])
    }
    expect(await readJobCount()).toBe(countBefore)
    const { status, job } = await start({ selection: { ids: ids.slice(1) }, mode: 'all' })
    expect([status, job]).toMatchObject([200, { state: 'finished', changed: 20 }])
  })

  it('converts each document once when it was selected in several languages', async () => {
    const { job } = await start({ selection: { ids: [englishOnly, uzbek, english] } })
    expect(job).toMatchObject({ count: 2, changed: 1, unchanged: 1 })
    expect((await rowsOf(job)).map(({ id }) => id)).toEqual([englishOnly, uzbek])
  })

  it.each([
    ['a slug', { fields: ['slug'] }, 'tags', 400],
    ['a field that the languages share', { fields: ['views'] }, 'news', 400],
    ['an unknown field', { fields: ['nothing'] }, 'news', 400],
    ['a text that is not translated', { fields: ['phone'] }, 'users', 400],
    ['a language with one script', { locale: 'ru' }, 'news', 422],
    ['an unknown script', { script: 'arabic' }, 'news', 422],
    ['no field', { fields: [] }, 'news', 422],
    ['too many fields', { fields: Array.from({ length: 21 }, () => 'title') }, 'news', 422],
  ] as const)('refuses %s', async (_name, wrong, resource, status) => {
    const id = resource === 'tags' ? await buildTag(resourceApp.database) : english
    const answer = await start({ resource, action: { ...action, ...wrong }, selection: { ids: [id] } })
    expect(answer.status).toBe(status)
  })

  it('refuses a caller who may not change the records, and reveals no language of hidden ones', async () => {
    expect((await start({ selection: { ids: [english] } }, 'authenticated')).status).toBe(403)
    const { job } = await start({ selection: { ids: [9_999_999] } })
    expect(await rowsOf(job)).toMatchObject([{ id: 9_999_999, name: null, code: 'record.not-found' }])
  })
})
