import { decideAccess, resources, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { hasTrash } from '../../resources/write/restore.ts'
import { buildRecord, buildNews, buildRegion, buildTag, buildTranslation } from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { skipTriggers } from '../../testing/databases.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const resourceApp = startResourceApp()

interface Line {
  resource: string
  id: number
  name: string | null
  at: string
  by: { username: string } | null
  until: string
  locales: string[]
  whole: boolean
  parts: number
}
interface Trash {
  data: Line[]
  meta: { pagination: { total?: number } }
}
const trash = (query = '') => resourceApp.read<Trash>(`/trash?${query}`)
const lineOf = async (wire: string, id: number, query = '') =>
  (await trash(`resource=${wire}&pagination[pageSize]=100&${query}`)).data.find((line) => line.id === id)
const removeRecord = async (path: string) => expect((await resourceApp.ask('DELETE', path)).status).toBe(200)
const restoreRecord = async (path: string) =>
  expect((await resourceApp.ask('POST', `${path}/restore`)).status).toBe(200)

/** Collects the statements of a call, without those that read the session. */
const sentStatements = async (runCall: () => Promise<unknown>) =>
  (await statementsOf(resourceApp.database, runCall)).filter((text) => !/\bsessions\b/.test(text))

describe('GET /api/trash', () => {
  it('lists a deleted document with all its languages in one line, named in the user’s language', async () => {
    const id = await buildNews(resourceApp.database, { title: 'E' })
    const kaa = await buildTranslation(resourceApp.database, 'news', id, 'kaa', { title: 'K' })
    await removeRecord(`/news/${id}?locale=all`)
    const line = await lineOf('news', kaa, 'locale=kaa')
    expect(line).toMatchObject({
      name: 'K',
      by: { username: 'admin' },
      locales: ['kaa', 'en'],
      whole: true,
      parts: 0,
    })
    expect(Date.parse(line?.until ?? '') - Date.parse(line?.at ?? '')).toBe(30 * 86_400_000)
    expect(await lineOf('news', id, 'locale=ru')).toMatchObject({ name: 'E', locales: ['en', 'kaa'] })
    await restoreRecord(`/news/${kaa}`)
    expect([await lineOf('news', id), await lineOf('news', kaa)]).toEqual([undefined, undefined])
    expect((await resourceApp.ask('GET', `/news/${id}`)).status).toBe(200)
  })
  it('lists a line of trash for each language that was deleted alone', async () => {
    const id = await buildNews(resourceApp.database, { title: 'E' })
    const [ru, uz] = [
      await buildTranslation(resourceApp.database, 'news', id, 'ru', { title: 'Р' }),
      await buildTranslation(resourceApp.database, 'news', id, 'uz', { title: 'U' }),
    ]
    await removeRecord(`/news/${ru}`)
    await removeRecord(`/news/${uz}`)
    expect(await lineOf('news', ru)).toMatchObject({ name: 'Р', locales: ['ru'], whole: false })
    expect(await lineOf('news', uz)).toMatchObject({ name: 'U', locales: ['uz'], whole: false })
    await removeRecord(`/news/${id}`)
    expect(await lineOf('news', id)).toMatchObject({ name: 'E', locales: ['en'], whole: true })
    await restoreRecord(`/news/${ru}`)
    expect(await lineOf('news', ru)).toBeUndefined()
    expect(await lineOf('news', id)).toMatchObject({ locales: ['en'] })
    await restoreRecord(`/news/${id}`)
    await restoreRecord(`/news/${uz}`)
    expect(await lineOf('news', id)).toBeUndefined()
  })
  it('lists a record that was deleted twice once in the trash, and no language that was translated again', async () => {
    const id = await buildTag(resourceApp.database, { name: 'T' })
    await removeRecord(`/tags/${id}`)
    await restoreRecord(`/tags/${id}`)
    await removeRecord(`/tags/${id}`)
    const { data } = await trash('resource=tags&pagination[pageSize]=100')
    expect(data.filter((line) => line.id === id)).toHaveLength(1)
    const newsId = await buildNews(resourceApp.database)
    const ru = await buildTranslation(resourceApp.database, 'news', newsId, 'ru', { title: 'Р' })
    await removeRecord(`/news/${ru}`)
    await buildTranslation(resourceApp.database, 'news', newsId, 'ru', { title: 'Р2' })
    expect(await lineOf('news', ru)).toBeUndefined()
  })
  it('counts the parts of a deleted record and lists them with it', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, lessongroup: group })
    await removeRecord(`/courses/${course}`)
    expect(await lineOf('courses', course)).toMatchObject({ name: 'C', parts: 2, whole: true })
    expect([await lineOf('lessons', lesson), await lineOf('lessongroups', group)]).toEqual([undefined, undefined])
    await restoreRecord(`/courses/${course}`)
    expect(await lineOf('courses', course)).toBeUndefined()
  })
  it('names records in the trash whose title has several languages in one value', async () => {
    const id = await buildRecord(resourceApp.database, 'tradingposttypes', {
      name: { en: 'Buy', ru: 'Куплю' },
      code: 'purchase',
    })
    await removeRecord(`/tradingposttypes/${id}`)
    expect((await lineOf('tradingposttypes', id, 'locale=ru'))?.name).toBe('Куплю')
    expect((await lineOf('tradingposttypes', id, 'locale=kaa'))?.name).toBe('Buy')
  })
  it('returns the trash of the last 30 days, newest first, in pages, in one statement', async () => {
    const ids = []
    for (let number = 0; number < 5; number += 1) ids.push(await buildRegion(resourceApp.database))
    for (const id of ids) await removeRecord(`/regions/${id}`)
    const allLines = await trash('resource=regions')
    expect(allLines.data.map(({ id }) => id)).toEqual(ids.toReversed())
    const page = await trash('resource=regions&pagination[page]=2&pagination[pageSize]=2')
    expect(page.data).toEqual(allLines.data.slice(2, 4))
    expect(page.meta.pagination).toEqual({ page: 2, pageSize: 2, pageCount: 3, total: 5 })
    expect((await trash('resource=regions&pagination[start]=90&pagination[limit]=2')).meta.pagination.total).toBe(5)
    expect(await sentStatements(() => trash())).toHaveLength(1)
    await skipTriggers(
      resourceApp.database,
      sql`update revisions set created_at = now() - interval '31 days' where kept ->> 'entry' = ${String(ids[0])} and resource = 'regions'`,
    )
    expect((await trash('resource=regions')).meta.pagination.total).toBe(4)
  })
  it('shows authors only their own records in the trash, as restore does', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const type = await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    const post = (user: number | undefined) =>
      buildRecord(resourceApp.database, 'tradinposts', { title: 'P', tradingposttype: type, user })
    const [ownPost, otherPost] = [await post(author.id), await post(resourceApp.people.admin)]
    const ru = await buildTranslation(resourceApp.database, 'tradinposts', ownPost, 'ru', { title: 'П' })
    const list = async () => ((await author.ask('GET', '/trash')).body as Trash).data.map(({ id }) => id)
    await removeRecord(`/tradinposts/${ru}`)
    await removeRecord(`/tradinposts/${otherPost}`)
    expect(await list()).toEqual([ru])
    await removeRecord(`/tradinposts/${ownPost}`)
    expect(await list()).toEqual([ownPost, ru])
    expect((await author.ask('POST', `/tradinposts/${ownPost}/restore`)).status).toBe(200)
    expect(await list()).toEqual([ru])
  })
})

describe('refusals of GET /api/trash', () => {
  it('refuses the trash of a resource that is unknown, has no trash, or is not the caller’s', async () => {
    const reader = await buildPerson(resourceApp, 'authenticated')
    const answers = await Promise.all(
      ['nosuch', 'users', 'news'].map((wire) => reader.ask('GET', `/trash?resource=${wire}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })
  it('refuses a wrong page of the trash, and requires a session', async () => {
    expect((await resourceApp.ask('GET', '/trash?pagination[page]=x')).status).toBe(400)
    expect((await resourceApp.ask('GET', '/trash', undefined, 'public')).status).toBe(401)
  })
})

it('checks that no right to delete depends on localized fields, which the trash cannot read', () => {
  const boundedResources = Object.values(resources).filter(
    (resource) =>
      hasTrash(resource) &&
      roleTypes.some((role) => {
        const grant = decideAccess(resource.access, 'remove', { role, isConsultant: false })
        return typeof grant === 'object' && grant.rows !== undefined
      }),
  )
  const textBoundResources = boundedResources.filter(({ fields, access }) =>
    Object.entries(fields).some(
      ([name, field]) => 'localized' in field && JSON.stringify(access.remove ?? access.write).includes(`"${name}"`),
    ),
  )
  expect(boundedResources.map(({ name }) => name).toSorted()).toEqual([
    'listviews',
    'replytemplates',
    'tradinposts',
    'uploads',
  ])
  expect(textBoundResources).toEqual([])
})
