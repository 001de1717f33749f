import { describe, expect, it } from 'vitest'
import { buildNews, buildRegion, buildTag, buildUpload, nextNumber, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const resourceApp = startResourceApp()

/** Statements of one request, without the look-up of its session, which runs at most once a second. */
const countOf = async (sendRequest: () => Promise<{ status: number; body: unknown }>) => {
  let answer: { status: number; body: unknown } | undefined
  const statements = await statementsOf(resourceApp.database, async () => {
    answer = await sendRequest()
  })
  const writeStatements = statements.filter((text) => !/\bsessions\b/.test(text))
  return { status: answer?.status, statements: writeStatements, body: answer?.body as { data: { id: number } } }
}

describe('statements of a write with relations', () => {
  const links = async () => ({
    region: await buildRegion(resourceApp.database),
    tags: [await buildTag(resourceApp.database), await buildTag(resourceApp.database)],
    image: await buildUpload(resourceApp.database),
    gallery: [await buildUpload(resourceApp.database), await buildUpload(resourceApp.database)],
  })
  it('creates a record with three statements: look-up, write, answer', async () => {
    const data = { title: `T ${nextNumber()}`, description: 'D', ...(await links()) }
    const { status, statements } = await countOf(() => resourceApp.ask('POST', '/news?populate=*', { data }))
    expect(status).toBe(200)
    expect(statements).toHaveLength(3)
  })
  it('updates a record with four statements: lock, look-up, write, answer', async () => {
    const id = await buildNews(resourceApp.database, await links())
    await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' })
    const data = { title: 'U', views: 7, ...(await links()) }
    const { status, statements } = await countOf(() => resourceApp.ask('PUT', `/news/${id}?populate=*`, { data }))
    expect(status).toBe(200)
    expect(statements).toHaveLength(4)
  })
  it('adds a translation of a record with four statements', async () => {
    const id = await buildNews(resourceApp.database, await links())
    const { statements } = await countOf(() =>
      resourceApp.ask('POST', `/news/${id}/localizations`, { locale: 'uz', title: 'U', tags: [] }),
    )
    expect(statements).toHaveLength(4)
  })
  it('looks up a slug and a unique value in the same statement as the rest', async () => {
    const { statements } = await countOf(() =>
      resourceApp.ask('POST', '/tags', { data: { name: `Tag ${nextNumber()}`, slug: '' } }),
    )
    expect(statements).toHaveLength(3)
  })
  it('changes nothing in a record with two statements: lock, answer', async () => {
    const id = await buildNews(resourceApp.database)
    const { status, statements } = await countOf(() => resourceApp.ask('PUT', `/news/${id}`, { data: {} }))
    expect([status, statements.length]).toEqual([200, 2])
  })
})
