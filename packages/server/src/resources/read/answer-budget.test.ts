import type { Caller } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildNews, buildTag } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { answerBudget } from './answer-budget.ts'
import { resourceNamed } from '../attributes.ts'
import { firstRows, parseList } from './parse-query.ts'
import { readPage } from './read.ts'

/**
 * Every tag of this test is linked with every one of its news; another tag has more news than a list may
 * contain.
 */
const [tags, newsCount] = [20, 60]
const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.tag = await buildTag(database, { name: 'Common' })
  ids.news = await buildNews(database, { tags: [ids.tag] })
  ids.crowded = await buildTag(database, { name: 'Crowded' })
  const tooManyRecords = answerBudget.listRecords + 1 + newsCount
  await database.session(async (session) => {
    await session.script(`
      insert into tags (source_locale) select 'en' from generate_series(1, ${tags});
      insert into tags_texts (document_id, locale, name)
        select id, 'en', 'Many ' || id from tags where id not in (select document_id from tags_texts);
      insert into news (source_locale, kind, date) select 'en', 'news', '2026-01-01' from generate_series(1, ${tooManyRecords});
      insert into news_texts (document_id, locale, title, description, content)
        select id, 'en', 'News ' || id, 'd', '<p>c</p>' from news where id not in (select document_id from news_texts);
      insert into news_tags (holder_id, target_id, position)
        select n.id, t.document_id, 1 from news n, tags_texts t
         where n.id > 1 and (t.name = 'Crowded') = (n.id > ${newsCount + 1}) and t.name <> 'Common'
        on conflict do nothing;`)
  })
})

interface Refusal {
  error: { status: number; code: string; message: string; details: { params: { path?: string } } }
}
const refusalOf = async (url: string) => {
  const { status, body } = await resourceApp.ask('GET', url, undefined, 'authenticated')
  const { error } = body as Refusal
  return { status, code: error?.code, path: error?.details.params.path ?? '', message: error?.message }
}
interface TagList {
  data: { attributes: { name: string; news: { data: { id: number }[] } } }[]
}
const { listRecords, records, megabytes } = answerBudget

describe('the budget of an answer', () => {
  it('refuses to populate lists inside lists that grow with every level, and names the path', async () => {
    const populateCycle = 'populate[news][populate][tags][populate][news][populate][tags][populate][news]=true'
    const { status, code, path, message } = await refusalOf(`/tags?filters[name][$startsWith]=Many&${populateCycle}`)
    expect([status, code]).toEqual([400, 'query.answer-too-large'])
    expect(path).toMatch(/^populate(\.news|\.tags){1,5}$/)
    expect(message).toBe(
      `The query is too large: with ${path} its lists hold more than ${records} records or ${megabytes} MB together`,
    )
  })
  it('refuses to populate a list of more records than one list may contain', async () => {
    expect(await refusalOf('/tags?filters[name]=Crowded&populate=news')).toEqual({
      status: 400,
      code: 'query.list-too-long',
      path: 'populate.news',
      message: `The query is too large: populate.news has more than ${listRecords} records in one list`,
    })
  })
  it('limits lists below a single related record, and lists of one record', async () => {
    const [item] = (
      await resourceApp.read<{ data: { id: number }[] }>('/news?filters[tags][name]=Crowded&sort=id:desc&fields=id')
    ).data
    const path = 'populate.tags.news'
    expect(await refusalOf(`/news/${item?.id}?populate[tags][populate]=news`)).toMatchObject({ status: 400, path })
  })
  it('refuses to populate lists of too many bytes', async () => {
    await resourceApp.database.query(sql`
      update news_texts set content = repeat('a', 12000) where document_id between 2 and ${newsCount + 1}`)
    expect(await refusalOf('/tags?filters[name][$startsWith]=Many&populate=news')).toMatchObject({
      status: 400,
      code: 'query.answer-too-large',
      path: 'populate.news',
    })
    await resourceApp.database.query(
      sql`update news_texts set content = '<p>c</p>' where document_id between 2 and ${newsCount + 1}`,
    )
  })
  it('populates the related records of an ordinary page', async () => {
    const url = '/tags?filters[name][$startsWith]=Many&populate[news][populate]=tags,region'
    const { data } = await resourceApp.read<TagList>(`${url}&pagination[pageSize]=3`)
    expect(data.map(({ attributes }) => attributes.news.data.length)).toEqual([newsCount, newsCount, newsCount])
  })
  it('starts a new answer budget with each statement of a transaction', async () => {
    const page = { filters: { name: { $startsWith: 'Many' } }, populate: 'news' }
    const caller: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'test' }
    const pages = Math.ceil(records / (tags * newsCount)) + 1
    const foundRecords = await resourceApp.database.transaction(async (trx) => {
      let entries = 0
      for (let count = 0; count < pages; count += 1)
        entries += (await readPage(trx, parseList(page, resourceNamed('tags'), caller, {}, firstRows(tags)))).entries
          .length
      return entries
    })
    expect(foundRecords).toBe(pages * tags)
  })
  it('rolls back a write whose answer would be too large', async () => {
    const url = `/tags/${await wireIdOf('Crowded')}?populate=news`
    const { status, body } = await resourceApp.ask('PUT', url, { data: { name: 'Renamed' } })
    expect([status, (body as Refusal).error.code]).toEqual([400, 'query.list-too-long'])
    expect(await wireIdOf('Crowded')).toBeGreaterThan(0)
  })
})

async function wireIdOf(name: string): Promise<number> {
  const { data } = await resourceApp.read<{ data: { id: number }[] }>(`/tags?filters[name]=${name}&fields=id`)
  return data[0]?.id ?? 0
}
