import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import {
  build,
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  nextNumber,
  translate,
} from '../../testing/factories.ts'
import { pastTriggers } from '../../testing/databases.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const here = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const read = (path: string) => here.read<One>(path).then(({ data }) => data.attributes)
const remove = async (path: string) => expect((await here.ask('DELETE', path)).status).toBe(200)
const restore = (path: string, query = '') => here.ask('POST', `${path}/restore${query}`)

describe('restoring what was deleted (contract §4)', () => {
  it('restores a record with its id, times, languages and links in both directions', async () => {
    const region = await buildRegion(here.database)
    const district = await buildDistrict(here.database, { region, code: `code-${nextNumber()}` })
    const kaa = await translate(here.database, 'districts', district, 'kaa', { name: 'Rayon' })
    const branch = await build(here.database, 'branches', { name: 'B', address: 'A', district })
    await here.ask('PUT', `/branches/${branch}`, { data: { email: 'b@example.org' } })
    const before = await read(`/districts/${district}?populate=*`)
    const user = here.people.authenticated
    await here.ask('PUT', `/users/${user}`, { district })
    expect((await here.ask('DELETE', `/districts/${district}?locale=all`)).status).toBe(409)
    await remove(`/branches/${branch}`)
    await remove(`/districts/${district}?locale=all`)
    expect((await here.ask('GET', `/districts/${kaa}`)).status).toBe(404)

    const { status, body } = await restore(`/districts/${kaa}`, '?populate=*')
    expect([status, (body as One).data.id]).toEqual([200, kaa])
    const after = await read(`/districts/${district}?populate=*`)
    const moved = { updatedAt: after.updatedAt, version: Number(before.version) + 1 }
    expect(after).toEqual({ ...before, ...moved, localizations: after.localizations })
    expect(after).toMatchObject({ localizations: { data: [{ id: kaa, attributes: { name: 'Rayon', version: 2 } }] } })
    expect((await restore(`/branches/${branch}`)).status).toBe(200)
    expect(await read(`/branches/${branch}?populate=district`)).toMatchObject({ district: { data: { id: district } } })
  })
  it('adds a restored record to the lists that contained it', async () => {
    const [tag, otherTag] = [await buildTag(here.database), await buildTag(here.database)]
    const id = await buildNews(here.database, { tags: [tag, otherTag] })
    await remove(`/tags/${tag}`)
    expect(await read(`/news/${id}?populate[tags][fields]=name`)).toMatchObject({ tags: { data: [{ id: otherTag }] } })
    expect((await restore(`/tags/${tag}`)).status).toBe(200)
    const { tags } = (await read(`/news/${id}?populate[tags][fields]=name`)) as { tags: { data: { id: number }[] } }
    expect(tags.data.map((item) => item.id).toSorted((a, b) => a - b)).toEqual([tag, otherTag])
  })
  it('restores one language of an existing document, and a document without its later languages', async () => {
    const en = await buildNews(here.database)
    const ru = await translate(here.database, 'news', en, 'ru', { title: 'Р' })
    await remove(`/news/${ru}`)
    expect((await restore(`/news/${ru}`)).status).toBe(200)
    await remove(`/news/${ru}`)
    await remove(`/news/${en}`)
    expect((await restore(`/news/${ru}`)).status).toBe(200)
    expect((await here.ask('GET', `/news/${en}`)).status).toBe(404)
    expect((await restore(`/news/${en}`)).status).toBe(200)
    expect(await read(`/news/${en}?populate=localizations`)).toMatchObject({ localizations: { data: [{ id: ru }] } })
  })
  it('restores the lessons and groups of a course with the course', async () => {
    const course = await build(here.database, 'courses', { title: 'C' })
    const group = await build(here.database, 'lessongroups', { title: 'G', course })
    const lesson = await build(here.database, 'lessons', { title: 'L', course, lessongroup: group })
    await remove(`/courses/${course}`)
    expect((await here.ask('GET', `/lessons/${lesson}`)).status).toBe(404)
    expect((await restore(`/courses/${course}`)).status).toBe(200)
    expect(
      await read(`/lessons/${lesson}?populate[course][fields]=title&populate[lessongroup][fields]=title`),
    ).toMatchObject({
      course: { data: { id: course } },
      lessongroup: { data: { id: group } },
    })
  })
  it('writes an audit line for a restored record', async () => {
    const id = await buildTag(here.database)
    await remove(`/tags/${id}`)
    await restore(`/tags/${id}`)
    const [line] = await here.database.query(
      sql<{ action: string; entry: number }>`select action, entry from audit order by id desc limit 1`,
    )
    expect(line).toEqual({ action: 'record.restore', entry: id })
  })
})

describe('a refused restore', () => {
  it('returns 409 and the field for a restore when a unique value or the language is taken by now', async () => {
    const code = `code-${nextNumber()}`
    const id = await buildRegion(here.database, { code })
    await remove(`/regions/${id}`)
    await buildRegion(here.database, { code })
    expect(await restore(`/regions/${id}`)).toMatchObject({
      status: 409,
      body: { error: { name: 'ConflictError', details: { field: 'code' } } },
    })
    const news = await buildNews(here.database)
    const ru = await translate(here.database, 'news', news, 'ru', { title: 'Р' })
    await remove(`/news/${ru}`)
    await translate(here.database, 'news', news, 'ru', { title: 'Р2' })
    expect(await restore(`/news/${ru}`)).toMatchObject({
      status: 409,
      body: { error: { details: { field: 'locale' } } },
    })
  })
  it('returns 409 for a restore when a record that the restored one needs is deleted', async () => {
    const course = await build(here.database, 'courses', { title: 'C' })
    const lesson = await build(here.database, 'lessons', { title: 'L', course })
    await remove(`/lessons/${lesson}`)
    await remove(`/courses/${course}`)
    expect(await restore(`/lessons/${lesson}`)).toMatchObject({
      status: 409,
      body: { error: { details: { field: 'course' } } },
    })
  })
  it.each([
    ['an existing record', async () => buildTag(here.database)],
    ['a record that never existed', async () => 999_999],
    [
      'one deleted more than 30 days ago',
      async () => {
        const id = await buildTag(here.database)
        await remove(`/tags/${id}`)
        await pastTriggers(
          here.database,
          sql`update revisions set created_at = now() - interval '31 days' where kept ->> 'entry' = ${String(id)} and resource = 'tags'`,
        )
        return id
      },
    ],
  ])('returns 404 for the restore of %s', async (_what, prepare) => {
    expect((await restore(`/tags/${await prepare()}`)).status).toBe(404)
  })
  it.each([
    ['authenticated', 403],
    ['public', 401],
  ] as const)('refuses a restore by the role %s with %i', async (role, status) => {
    const id = await buildTag(here.database)
    await remove(`/tags/${id}`)
    expect((await here.ask('POST', `/tags/${id}/restore`, undefined, role)).status).toBe(status)
  })
  it('refuses to restore another user’s record, which stays deleted', async () => {
    const type = await build(here.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    const post = await build(here.database, 'tradinposts', {
      title: 'P',
      tradingposttype: type,
      user: here.people.admin,
    })
    await remove(`/tradinposts/${post}`)
    expect((await here.ask('POST', `/tradinposts/${post}/restore`, undefined, 'authenticated')).status).toBe(404)
    expect((await here.ask('GET', `/tradinposts/${post}`)).status).toBe(404)
  })
})
