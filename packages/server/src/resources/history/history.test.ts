import { type Caller, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildNews, buildRegion, buildTag, buildUser, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { updateEntry } from '../write/write.ts'

const resourceApp = startResourceApp()

interface Revision {
  locale: string | null
  operation: string
  changes: Record<string, { before: unknown; after: unknown }>
  user_id: number | null
}
const revisionsSince = (id: number) =>
  resourceApp.database.query(
    sql<
      Revision & { id: number }
    >`select id, locale, operation, changes, user_id from revisions where id > ${id} order by id`,
  )
const readLastRow = async (table: string) => {
  const [row] = await resourceApp.database.query(
    sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`,
  )
  return row?.id ?? 0
}
const rowsOf = async (table: string) => {
  const [row] = await resourceApp.database.query(
    sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`,
  )
  return row?.count
}
/** Returns the revisions and audit lines of a write. */
const traceOf = async (runWrite: () => Promise<unknown>) => {
  const [revision, line] = [await readLastRow('revisions'), await readLastRow('audit')]
  await runWrite()
  const audit = await resourceApp.database.query(sql<Record<string, unknown>>`
    select action, user_id, resource, entry, revision_ids, address, request_id from audit where id > ${line} order by id`)
  return { revisions: await revisionsSince(revision), audit }
}

describe('the trace of a write', () => {
  it('stores in the history of a write the old and new values, the record, its language and the author', async () => {
    const tag = await buildTag(resourceApp.database)
    let id = 0
    const createdTrace = await traceOf(async () => {
      const { body } = await resourceApp.ask('POST', '/news', {
        data: { title: 'T', views: 2, tags: [tag], locale: 'ru' },
      })
      id = (body as { data: { id: number } }).data.id
    })
    expect(createdTrace.revisions).toMatchObject([
      {
        locale: null,
        operation: 'create',
        user_id: resourceApp.people.admin,
        changes: { views: { before: null, after: 2 }, tags: { before: [] } },
      },
      { locale: 'ru', operation: 'create', changes: { title: { before: null, after: 'T' } } },
    ])
    expect(createdTrace.audit).toMatchObject([
      {
        action: 'record.create',
        user_id: resourceApp.people.admin,
        resource: 'news',
        entry: id,
        revision_ids: createdTrace.revisions.map((row) => row.id),
        address: '127.0.0.1',
      },
    ])
    const changedTrace = await traceOf(() =>
      resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'U', views: 2, featured: true } }),
    )
    expect(changedTrace.revisions.map(({ locale, changes }) => [locale, changes])).toEqual([
      [null, { featured: { before: false, after: true } }],
      ['ru', { title: { before: 'T', after: 'U' } }],
    ])
    const deletionTrace = await traceOf(() => resourceApp.ask('DELETE', `/news/${id}`))
    expect(deletionTrace.revisions).toMatchObject([
      { locale: null, operation: 'remove', changes: { views: { before: 2, after: null }, tags: { after: null } } },
      { locale: 'ru', operation: 'remove', changes: { title: { before: 'U', after: null } } },
    ])
  })
  it('stores no history for a write that changes nothing', async () => {
    const id = await buildNews(resourceApp.database, { title: 'T' })
    const { revisions, audit } = await traceOf(() =>
      resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'T', views: '0' } }),
    )
    expect([revisions, audit]).toEqual([[], []])
  })
  it('stores no history for a refused write', async () => {
    const { revisions, audit } = await traceOf(() =>
      resourceApp.ask('POST', '/news', { data: { title: '', region: 999_999 } }),
    )
    expect([revisions, audit]).toEqual([[], []])
  })
  it('stores no private field in the history of a write', async () => {
    const caller: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'test' }
    let id = 0
    const createdTrace = await traceOf(async () => {
      id = await buildUser(resourceApp.database, 'authenticated')
    })
    const changedTrace = await traceOf(() =>
      updateEntry(
        { database: resourceApp.database, author: { caller, seeding: true }, view: {} },
        resources.users,
        id,
        {
          password: 'another',
          phone: '1',
        },
      ),
    )
    expect(JSON.stringify([createdTrace, changedTrace])).not.toMatch(/password|argon2|another/)
    expect(changedTrace.revisions).toMatchObject([{ changes: { phone: { before: null, after: '1' } } }])
  })
  it('stores the history of each language of a family separately', async () => {
    // Languages of the record are written in another order than that of their codes.
    const id = await buildNews(resourceApp.database, { title: 'R' }, 'ru')
    const en = await buildTranslation(resourceApp.database, 'news', id, 'en', { title: 'E' })
    const { revisions } = await traceOf(() => resourceApp.ask('DELETE', `/news/${en}?locale=all`))
    expect(revisions.map(({ locale }) => locale)).toEqual([null, 'en', 'ru'])
  })
})

describe('the transaction of a write', () => {
  const counts = () => Promise.all(['news', 'news_texts', 'news_tags', 'revisions', 'audit'].map(rowsOf))
  it('rolls a whole write back when its transaction fails after the rows and the links', async () => {
    const tag = await buildTag(resourceApp.database)
    await resourceApp.database
      .script(`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
      create trigger refuse before insert on audit for each row execute function refuse()`)
    const countsBefore = await counts()
    const answer = await resourceApp.ask('POST', '/news', { data: { title: 'T', tags: [tag] } })
    await resourceApp.database.script('drop trigger refuse on audit; drop function refuse()')
    expect(answer).toMatchObject({ status: 500, body: { error: { message: 'internal server error' } } })
    expect(JSON.stringify(answer.body)).not.toContain('refused')
    expect(await counts()).toEqual(countsBefore)
    expect((await resourceApp.ask('POST', '/news', { data: { title: 'T', tags: [tag] } })).status).toBe(200)
  })
  it('accepts one of several concurrent first translations into one language', async () => {
    const id = await buildNews(resourceApp.database)
    const answers = await Promise.all(
      [1, 2, 3].map(() => resourceApp.ask('POST', `/news/${id}/localizations`, { locale: 'uz', title: 'U' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })
  it('either deletes a record or links to it in concurrent requests, never half of both', async () => {
    for (let roundNumber = 0; roundNumber < 5; roundNumber += 1) {
      const region = await buildRegion(resourceApp.database)
      const [deleteAnswer, createAnswer] = await Promise.all([
        resourceApp.ask('DELETE', `/regions/${region}`),
        resourceApp.ask('POST', '/districts', { data: { name: 'D', region } }),
      ])
      expect(deleteAnswer.status).toBe(200)
      expect([200, 400, 409]).toContain(createAnswer.status)
    }
    const [countRow] = await resourceApp.database.query(sql<{ count: number }>`
      select count(*)::int as count from districts d where region_id is not null and not exists (select 1 from regions r where r.id = d.region_id)`)
    expect(countRow?.count).toBe(0)
  })
  it('counts every version of a record when many requests write concurrently', async () => {
    const id = await buildNews(resourceApp.database, { views: 0 })
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((views) => resourceApp.ask('PUT', `/news/${id}`, { data: { views } })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await resourceApp.read(`/news/${id}`)).toMatchObject({ data: { attributes: { version: 7 } } })
  })
})
