import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
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

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const readAttributes = (path: string) => resourceApp.read<One>(path).then(({ data }) => data.attributes)
const removeRecord = async (path: string) => expect((await resourceApp.ask('DELETE', path)).status).toBe(200)
const restoreRecord = (path: string, query = '') => resourceApp.ask('POST', `${path}/restore${query}`)

describe('restoring what was deleted (contract §4)', () => {
  it('restores a record with its id, times, languages and links in both directions', async () => {
    const region = await buildRegion(resourceApp.database)
    const district = await buildDistrict(resourceApp.database, { region, code: `code-${nextNumber()}` })
    const kaa = await buildTranslation(resourceApp.database, 'districts', district, 'kaa', { name: 'Rayon' })
    const branch = await buildRecord(resourceApp.database, 'branches', { name: 'B', address: 'A', district })
    await resourceApp.ask('PUT', `/branches/${branch}`, { data: { email: 'b@example.org' } })
    const districtBefore = await readAttributes(`/districts/${district}?populate=*`)
    const user = resourceApp.people.authenticated
    await resourceApp.ask('PUT', `/users/${user}`, { district })
    expect((await resourceApp.ask('DELETE', `/districts/${district}?locale=all`)).status).toBe(409)
    await removeRecord(`/branches/${branch}`)
    await removeRecord(`/districts/${district}?locale=all`)
    expect((await resourceApp.ask('GET', `/districts/${kaa}`)).status).toBe(404)

    const { status, body } = await restoreRecord(`/districts/${kaa}`, '?populate=*')
    expect([status, (body as One).data.id]).toEqual([200, kaa])
    const districtAfter = await readAttributes(`/districts/${district}?populate=*`)
    const movedTimes = { updatedAt: districtAfter.updatedAt, version: Number(districtBefore.version) + 1 }
    expect(districtAfter).toEqual({ ...districtBefore, ...movedTimes, localizations: districtAfter.localizations })
    expect(districtAfter).toMatchObject({
      localizations: { data: [{ id: kaa, attributes: { name: 'Rayon', version: 2 } }] },
    })
    expect((await restoreRecord(`/branches/${branch}`)).status).toBe(200)
    expect(await readAttributes(`/branches/${branch}?populate=district`)).toMatchObject({
      district: { data: { id: district } },
    })
  })
  it('adds a restored record to the lists that contained it', async () => {
    const [tag, otherTag] = [await buildTag(resourceApp.database), await buildTag(resourceApp.database)]
    const id = await buildNews(resourceApp.database, { tags: [tag, otherTag] })
    await removeRecord(`/tags/${tag}`)
    expect(await readAttributes(`/news/${id}?populate[tags][fields]=name`)).toMatchObject({
      tags: { data: [{ id: otherTag }] },
    })
    expect((await restoreRecord(`/tags/${tag}`)).status).toBe(200)
    const { tags } = (await readAttributes(`/news/${id}?populate[tags][fields]=name`)) as {
      tags: { data: { id: number }[] }
    }
    expect(tags.data.map((item) => item.id).toSorted((a, b) => a - b)).toEqual([tag, otherTag])
  })
  it('restores one language of an existing document, and a document without its later languages', async () => {
    const en = await buildNews(resourceApp.database)
    const ru = await buildTranslation(resourceApp.database, 'news', en, 'ru', { title: 'Р' })
    await removeRecord(`/news/${ru}`)
    expect((await restoreRecord(`/news/${ru}`)).status).toBe(200)
    await removeRecord(`/news/${ru}`)
    await removeRecord(`/news/${en}`)
    expect((await restoreRecord(`/news/${ru}`)).status).toBe(200)
    expect((await resourceApp.ask('GET', `/news/${en}`)).status).toBe(404)
    expect((await restoreRecord(`/news/${en}`)).status).toBe(200)
    expect(await readAttributes(`/news/${en}?populate=localizations`)).toMatchObject({
      localizations: { data: [{ id: ru }] },
    })
  })
  it('restores the lessons and groups of a course with the course', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, lessongroup: group })
    await removeRecord(`/courses/${course}`)
    expect((await resourceApp.ask('GET', `/lessons/${lesson}`)).status).toBe(404)
    expect((await restoreRecord(`/courses/${course}`)).status).toBe(200)
    expect(
      await readAttributes(`/lessons/${lesson}?populate[course][fields]=title&populate[lessongroup][fields]=title`),
    ).toMatchObject({
      course: { data: { id: course } },
      lessongroup: { data: { id: group } },
    })
  })
  it('writes an audit line for a restored record', async () => {
    const id = await buildTag(resourceApp.database)
    await removeRecord(`/tags/${id}`)
    await restoreRecord(`/tags/${id}`)
    const [line] = await resourceApp.database.query(
      sql<{ action: string; entry: number }>`select action, entry from audit order by id desc limit 1`,
    )
    expect(line).toEqual({ action: 'record.restore', entry: id })
  })
})

describe('a refused restore', () => {
  it('returns 409 and the field for a restore when a unique value or the language is taken by now', async () => {
    const code = `code-${nextNumber()}`
    const id = await buildRegion(resourceApp.database, { code })
    await removeRecord(`/regions/${id}`)
    await buildRegion(resourceApp.database, { code })
    expect(await restoreRecord(`/regions/${id}`)).toMatchObject({
      status: 409,
      body: { error: { name: 'ConflictError', details: { field: 'code' } } },
    })
    const newsId = await buildNews(resourceApp.database)
    const ru = await buildTranslation(resourceApp.database, 'news', newsId, 'ru', { title: 'Р' })
    await removeRecord(`/news/${ru}`)
    await buildTranslation(resourceApp.database, 'news', newsId, 'ru', { title: 'Р2' })
    expect(await restoreRecord(`/news/${ru}`)).toMatchObject({
      status: 409,
      body: { error: { details: { field: 'locale' } } },
    })
  })
  it('returns 409 for a restore when a record that the restored one needs is deleted', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course })
    await removeRecord(`/lessons/${lesson}`)
    await removeRecord(`/courses/${course}`)
    expect(await restoreRecord(`/lessons/${lesson}`)).toMatchObject({
      status: 409,
      body: { error: { details: { field: 'course' } } },
    })
  })
  it.each([
    ['an existing record', async () => buildTag(resourceApp.database)],
    ['a record that never existed', async () => 999_999],
    [
      'one deleted more than 30 days ago',
      async () => {
        const id = await buildTag(resourceApp.database)
        await removeRecord(`/tags/${id}`)
        await skipTriggers(
          resourceApp.database,
          sql`update revisions set created_at = now() - interval '31 days' where kept ->> 'entry' = ${String(id)} and resource = 'tags'`,
        )
        return id
      },
    ],
  ])('returns 404 for the restore of %s', async (_what, prepare) => {
    expect((await restoreRecord(`/tags/${await prepare()}`)).status).toBe(404)
  })
  it.each([
    ['authenticated', 403],
    ['public', 401],
  ] as const)('refuses a restore by the role %s with %i', async (role, status) => {
    const id = await buildTag(resourceApp.database)
    await removeRecord(`/tags/${id}`)
    expect((await resourceApp.ask('POST', `/tags/${id}/restore`, undefined, role)).status).toBe(status)
  })
  it('refuses to restore another user’s record, which stays deleted', async () => {
    const type = await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    const post = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: type,
      user: resourceApp.people.admin,
    })
    await removeRecord(`/tradinposts/${post}`)
    expect((await resourceApp.ask('POST', `/tradinposts/${post}/restore`, undefined, 'authenticated')).status).toBe(404)
    expect((await resourceApp.ask('GET', `/tradinposts/${post}`)).status).toBe(404)
  })
})
