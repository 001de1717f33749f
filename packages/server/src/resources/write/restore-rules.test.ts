import { sql } from '../../db/sql.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { build, nextNumber, translate } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const here = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const read = (path: string) => here.read<One>(path).then(({ data }) => data.attributes)
const remove = async (path: string) => expect((await here.ask('DELETE', path)).status).toBe(200)
const restore = (path: string) => here.ask('POST', `${path}/restore`)

describe('restoring a trading post', () => {
  let author: TestPerson
  let type = 0
  beforeAll(async () => {
    author = await buildPerson(here, 'authenticated')
    type = await build(here.database, 'tradingposttypes', { name: { en: 'Sell' }, code: 'selling' })
  })
  const post = (draft: object = {}) =>
    build(here.database, 'tradinposts', { title: 'Wheat', tradingposttype: type, user: author.id, ...draft })
  const moderate = async (id: number, status: string) =>
    expect((await here.ask('PUT', `/tradinposts/${id}`, { data: { status, reason: 'R' } })).status).toBe(200)
  const asAuthor = async (method: 'DELETE' | 'POST' | 'PUT', url: string, body?: object) =>
    (await author.ask(method, `/tradinposts/${url}`, body)).status

  it('shows the approved text in a language of a public post that its author restores', async () => {
    const id = await post()
    const ru = await translate(here.database, 'tradinposts', id, 'ru', { title: 'Что никто не видел' })
    expect(await asAuthor('DELETE', `${ru}`)).toBe(200)
    await moderate(id, 'processed')
    expect(await asAuthor('POST', `${ru}/restore`)).toBe(200)
    expect(await read(`/tradinposts/${ru}`)).toMatchObject({ status: 'processed', edit_state: 'waiting' })
    const stranger = await buildPerson(here, 'authenticated')
    const { status, body } = await stranger.ask('GET', `/tradinposts/${ru}`)
    expect([status, JSON.stringify(body).includes('Что никто не видел')]).toEqual([200, false])
  })
  it('sends a public post back to moderation when a language brings its document with it', async () => {
    const id = await post()
    const ru = await translate(here.database, 'tradinposts', id, 'ru', { title: 'Что никто не видел' })
    await asAuthor('DELETE', `${ru}`)
    await moderate(id, 'processed')
    await asAuthor('DELETE', `${id}`)
    expect(await asAuthor('POST', `${ru}/restore`)).toBe(200)
    expect(await read(`/tradinposts/${ru}`)).toMatchObject({ status: 'on_hold' })
  })
  it('sends a public post back to moderation when its author restores all of it', async () => {
    const id = await post()
    await moderate(id, 'processed')
    await asAuthor('DELETE', `${id}`)
    expect(await asAuthor('POST', `${id}/restore`)).toBe(200)
    expect(await read(`/tradinposts/${id}`)).toMatchObject({ status: 'on_hold', expires_at: null })
  })
  it('sends a public post back to moderation in the undo of a bulk job', async () => {
    const id = await post()
    await moderate(id, 'processed')
    const data = { resource: 'tradinposts', action: { kind: 'remove' }, selection: { ids: [id] } }
    const job = (await author.ask('POST', '/bulk', { data })).body as One
    expect((await author.ask('POST', `/bulk/${job.data.id}/undo`, {})).body).toMatchObject({ data: { changed: 1 } })
    expect(await read(`/tradinposts/${id}`)).toMatchObject({ status: 'on_hold' })
  })
  it('leaves a public post public when a moderator restores it', async () => {
    const id = await post()
    const ru = await translate(here.database, 'tradinposts', id, 'ru', { title: 'Р' })
    await moderate(id, 'processed')
    const { expires_at } = await read(`/tradinposts/${id}`)
    for (const path of [`/tradinposts/${ru}`, `/tradinposts/${id}`]) {
      await remove(path)
      expect((await restore(path)).status).toBe(200)
      expect(await read(`/tradinposts/${id}`)).toMatchObject({ status: 'processed', expires_at })
    }
  })
  it('restores with a trading post that its author has already appealed', async () => {
    const id = await post()
    await moderate(id, 'rejected')
    expect(await asAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(200)
    await moderate(id, 'rejected')
    expect(await asAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(422)
    await asAuthor('DELETE', `${id}?locale=all`)
    expect(await asAuthor('POST', `${id}/restore`)).toBe(200)
    expect(await asAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(422)
    expect(await read(`/tradinposts/${id}`)).toMatchObject({ status: 'rejected' })
  })
  it('shows no user the stored private fields of a restored record', async () => {
    const id = await post()
    await moderate(id, 'rejected')
    await asAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })
    await remove(`/tradinposts/${id}`)
    await restore(`/tradinposts/${id}`)
    await remove(`/tradinposts/${id}`)
    for (const door of ['/trash', '/audit', '/audit?populate=*', `/tradinposts/${id}/history`])
      expect(JSON.stringify(await here.ask('GET', door, undefined, 'owner'))).not.toContain('appealed_at')
    await restore(`/tradinposts/${id}`)
    expect(JSON.stringify(await here.ask('GET', `/tradinposts/${id}/history`))).not.toContain('appealed_at')
  })
})

describe('restoring a course', () => {
  it('restores with a course its publication, lessons of the course included', async () => {
    const course = await build(here.database, 'courses', { title: 'C' })
    const lesson = await build(here.database, 'lessons', { title: 'L', course, content: '<p>x</p>' })
    expect((await here.ask('PUT', `/courses/${course}`, { data: { state: 'published' } })).status).toBe(200)
    await remove(`/courses/${course}`)
    const read = () => here.ask('GET', `/lessons/${lesson}`, undefined, 'authenticated')
    expect((await read()).status).toBe(404)
    expect((await restore(`/courses/${course}`)).status).toBe(200)
    expect(await read()).toMatchObject({ status: 200, body: { data: { attributes: { title: 'L' } } } })
  })
})

describe('restoring a price', () => {
  let units: { kg: number; litre: number }
  beforeAll(async () => {
    const unit = (code: string, kind: string) =>
      build(here.database, 'units', { name: { en: code }, code, kind, factor: 1 })
    units = { kg: await unit(`kg-${nextNumber()}`, 'mass'), litre: await unit(`l-${nextNumber()}`, 'volume') }
  })
  const price = async (draft: object = {}) => {
    const product = await build(here.database, 'products', { name: `P ${nextNumber()}`, unit: units.kg })
    const district = await build(here.database, 'districts', { name: `D ${nextNumber()}` })
    const pricedate = await build(here.database, 'pricedates', {
      date: `2026-01-${String((days += 1)).padStart(2, '0')}`,
    })
    const id = await build(here.database, 'pricelists', {
      product,
      district,
      pricedate,
      price: 5,
      unit: units.kg,
      ...draft,
    })
    return { id, product, pricedate }
  }
  let days = 0
  const publish = async (day: number) => {
    for (const step of ['submit', 'publish'])
      expect((await here.ask('POST', `/pricedates/${day}/${step}`, {})).status).toBe(200)
  }

  it('restores a price of a published day unchanged', async () => {
    const { id, pricedate } = await price({ origin: 'imported', note: 'N' })
    await publish(pricedate)
    const stored = async () => {
      const { version: _version, updatedAt: _updatedAt, ...rest } = await read(`/pricelists/${id}?populate=*`)
      return rest
    }
    const before = await stored()
    await remove(`/pricelists/${id}`)
    expect((await restore(`/pricelists/${id}`)).status).toBe(200)
    expect(await stored()).toEqual(before)
  })
  it('refuses to restore a price whose unit no longer has the kind of its product', async () => {
    const { id, product, pricedate } = await price()
    await remove(`/pricelists/${id}`)
    await publish(pricedate)
    expect((await here.ask('PUT', `/products/${product}`, { data: { unit: units.litre } })).status).toBe(200)
    expect(await restore(`/pricelists/${id}`)).toMatchObject({ status: 422, body: { error: { code: 'price.unit' } } })
    expect((await here.ask('GET', `/pricelists/${id}`)).status).toBe(404)
  })
  it('refuses to restore an unconfirmed price when its day was published without it', async () => {
    const { id, pricedate } = await price({ state: 'check' })
    await remove(`/pricelists/${id}`)
    await publish(pricedate)
    expect(await restore(`/pricelists/${id}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'price.unconfirmed' } },
    })
  })
})

describe('restoring a record that no write would accept', () => {
  it('refuses to restore a language with several parts of a lesson that is single by now', async () => {
    const course = await build(here.database, 'courses', { title: 'C' })
    const parts = [{ title: 'One' }, { title: 'Two' }]
    const lesson = await build(here.database, 'lessons', { title: 'L', course, kind: 'multi' })
    const ru = await translate(here.database, 'lessons', lesson, 'ru', { title: 'У', parts })
    await remove(`/lessons/${ru}`)
    expect((await here.ask('PUT', `/lessons/${lesson}`, { data: { kind: 'single' } })).status).toBe(200)
    expect(await restore(`/lessons/${ru}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'lesson.several-parts' } },
    })
  })
  it('refuses to restore a lesson whose group has moved to another course since', async () => {
    const [course, otherCourse] = [
      await build(here.database, 'courses', { title: 'C' }),
      await build(here.database, 'courses', { title: 'O' }),
    ]
    const lessongroup = await build(here.database, 'lessongroups', { title: 'G', course })
    const lesson = await build(here.database, 'lessons', { title: 'L', course, lessongroup })
    await remove(`/lessons/${lesson}`)
    expect((await here.ask('PUT', `/lessongroups/${lessongroup}`, { data: { course: otherCourse } })).status).toBe(200)
    expect(await restore(`/lessons/${lesson}`)).toMatchObject({ status: 422, body: { error: { code: 'rule.whole' } } })
  })
  it('refuses to restore a page that would be below itself', async () => {
    const page = (draft: object) => build(here.database, 'pages', { title: `P ${nextNumber()}`, ...draft })
    const above = await page({})
    const id = await page({ parent: above })
    const below = await page({ parent: id })
    await remove(`/pages/${id}`)
    expect((await here.ask('PUT', `/pages/${above}`, { data: { parent: below } })).status).toBe(200)
    expect(await restore(`/pages/${id}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation.cycle' } },
    })
  })
})

describe('restoring with fewer rights than before', () => {
  it('refuses to restore a shared view for a user who may no longer share views, and leaves it deleted', async () => {
    const person = await buildConsultant(here)
    const role = await here.database.query(sql<{ id: number }>`select id from roles where type = 'authenticated'`)
    const view = { name: 'V', screen: 'news', state: {} }
    const make = async (data: object) => ((await person.ask('POST', '/list-views', { data })).body as One).data.id
    const shared = await make({ ...view, role: role[0]?.id })
    const own = await make(view)
    for (const id of [shared, own]) expect((await person.ask('DELETE', `/list-views/${id}`)).status).toBe(200)
    expect((await here.ask('PUT', `/users/${person.id}`, { is_consultant: false }, 'owner')).status).toBe(200)
    expect(await person.ask('POST', `/list-views/${shared}/restore`)).toMatchObject({
      status: 403,
      body: { error: { details: { errors: [{ path: ['role'], code: 'access.denied' }] } } },
    })
    expect((await person.ask('GET', `/list-views/${shared}`)).status).toBe(404)
    expect((await person.ask('POST', `/list-views/${own}/restore`)).status).toBe(200)
  })
})
