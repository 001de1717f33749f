import type { ReportAnswer } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { sql } from '../../db/sql.ts'
import { buildNews, buildRecord, buildTranslation } from '../../testing/factories.ts'
import { buildConsultant, buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { OpenCounter } from './open-counter.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
})
const ids: number[] = []
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from content_opens`)
  if (ids.length > 0) return
  for (const title of ['Wheat', 'Maize', 'Hidden']) {
    const id = await buildNews(resourceApp.database, { title, active: title !== 'Hidden' })
    await buildTranslation(resourceApp.database, 'news', id, 'ru', { title })
    ids.push(id)
  }
})
const reader = { role: 'authenticated', isConsultant: false } as const
const readStoredOpens = () =>
  resourceApp.database.query(sql<{ resource: string; opens: number }>`
    select resource, opens from content_opens order by resource, document_id`)
/** Counts the openings while some requests run. */
async function runCounted(runRequests: () => Promise<unknown>): Promise<void> {
  const counter = new OpenCounter(resourceApp.database)
  counter.start(() => {})
  await runRequests()
  await counter.stop()
}
const content = (query = 'period=days7') => resourceApp.read<ReportAnswer>(`/statistics/content?${query}&locale=en`)
const valueOf = ({ data }: ReportAnswer, key: string) => data.metrics.find((metric) => metric.key === key)

describe('OpenCounter', () => {
  it('counts openings of one item by customers, not by consultants and staff', async () => {
    const customer = await buildPerson(resourceApp, 'authenticated')
    const consultant = await buildConsultant(resourceApp)
    await runCounted(async () => {
      const path = `/news/${ids[0]}`
      expect((await resourceApp.ask('GET', path, undefined, 'public')).status).toBe(401)
      expect((await customer.ask('GET', `${path}?locale=en`)).status).toBe(200)
      expect((await customer.ask('GET', path)).status).toBe(200)
      for (const role of ['admin', 'super-admin', 'owner'] as const)
        expect((await resourceApp.ask('GET', path, undefined, role)).status).toBe(200)
      expect((await consultant.ask('GET', path)).status).toBe(200)
      // Lists, missing records and kinds that are read as lists open nothing.
      expect((await customer.ask('GET', '/news')).status).toBe(200)
      expect((await customer.ask('GET', '/news/999999')).status).toBe(404)
      await customer.ask('GET', '/regions/1')
    })
    expect(await readStoredOpens()).toEqual([{ resource: 'news', opens: 2 }])
  })

  it('adds openings of all languages of an item to one row of the day', async () => {
    const texts = await resourceApp.database.query(sql<{ id: number }>`
      select id from news_texts where document_id = (select document_id from news_texts where id = ${ids[0] ?? 0})`)
    const counter = new OpenCounter(resourceApp.database)
    for (const { id } of texts) counter.note({ resource: 'news', id, caller: reader })
    await counter.store()
    counter.note({ resource: 'news', id: ids[0] ?? 0, caller: reader })
    counter.note({ resource: 'news', id: 999_999, caller: reader })
    await counter.store()
    await counter.store()
    expect(texts).toHaveLength(2)
    expect(await readStoredOpens()).toEqual([{ resource: 'news', opens: 3 }])
  })

  it('stores the openings of a bounded number of items at a time', async () => {
    const counter = new OpenCounter(resourceApp.database)
    for (let id = 10_000_000; id < 10_006_000; id += 1) counter.note({ resource: 'news', id, caller: reader })
    counter.note({ resource: 'news', id: ids[0] ?? 0, caller: reader })
    await counter.store()
    expect(await readStoredOpens()).toEqual([])
    counter.note({ resource: 'news', id: ids[0] ?? 0, caller: reader })
    await counter.store()
    expect(await readStoredOpens()).toEqual([{ resource: 'news', opens: 1 }])
  })
})

describe('the openings in the report of content', () => {
  it('reports openings by day, kind and item, the most opened first, and items that were never opened', async () => {
    const formerAnswer = await content()
    await resourceApp.database.query(sql`
      insert into content_opens (resource, document_id, day, opens)
      select 'news', t.document_id, given.day, given.opens
        from (values (${ids[0] ?? 0}::int, '2025-03-02'::date, 2), (${ids[0] ?? 0}, '2025-03-03', 3), (${ids[1] ?? 0}, '2025-03-03', 9),
                     (${ids[1] ?? 0}, '2025-02-28', 4)) as given (id, day, opens)
        join news_texts t on t.id = given.id`)
    const answer = await content('from=2025-03-01&to=2025-03-04&interval=day&compare=previous')
    expect(valueOf(answer, 'opens')).toMatchObject({ value: 14, n: 3, previous: 4 })
    expect(valueOf(answer, 'opens_news')?.value).toBe(14)
    expect(valueOf(answer, 'opens_courses')?.value).toBe(0)
    expect(answer.data.series.find(({ key }) => key === 'opens')?.points.map(({ value }) => value)).toEqual([
      0, 2, 12, 0,
    ])
    const table = answer.data.breakdowns.find(({ dim }) => dim === 'news')
    expect(table?.rows.map(({ name, value }) => [name, value])).toEqual([
      ['Maize', 9],
      ['Wheat', 5],
    ])
    expect(table?.not_set).toBeNull()
    const neverBefore = valueOf(formerAnswer, 'never_opened')?.value ?? 0
    expect(valueOf(answer, 'never_opened')?.value).toBe(neverBefore - 2)
    const path = '/statistics/content/records?from=2025-03-01&to=2025-03-04&locale=en&metric=opens_news'
    const { data } = await resourceApp.read<{ data: { title: string; value: number }[] }>(path)
    expect(data.map(({ title, value }) => `${title} ${value}`).toSorted()).toEqual(['Maize 9', 'Wheat 2', 'Wheat 3'])
  })
})
