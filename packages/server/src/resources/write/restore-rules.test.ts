import { sql } from '../../db/sql.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildRecord, nextNumber, buildTranslation } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const readAttributes = (path: string) => resourceApp.read<One>(path).then(({ data }) => data.attributes)
const removeRecord = async (path: string) => expect((await resourceApp.ask('DELETE', path)).status).toBe(200)
const restoreRecord = (path: string) => resourceApp.ask('POST', `${path}/restore`)

describe('restoring a trading post', () => {
  let author: TestPerson
  let type = 0
  beforeAll(async () => {
    author = await buildPerson(resourceApp, 'authenticated')
    type = await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'Sell' }, code: 'selling' })
  })
  const post = (draft: object = {}) =>
    buildRecord(resourceApp.database, 'tradinposts', {
      title: 'Wheat',
      tradingposttype: type,
      user: author.id,
      ...draft,
    })
  const moderatePost = async (id: number, status: string) =>
    expect((await resourceApp.ask('PUT', `/tradinposts/${id}`, { data: { status, reason: 'R' } })).status).toBe(200)
  const askAsAuthor = async (method: 'DELETE' | 'POST' | 'PUT', url: string, body?: object) =>
    (await author.ask(method, `/tradinposts/${url}`, body)).status

  it('shows the approved text in a language of a public post that its author restores', async () => {
    const id = await post()
    const ru = await buildTranslation(resourceApp.database, 'tradinposts', id, 'ru', { title: 'Что никто не видел' })
    expect(await askAsAuthor('DELETE', `${ru}`)).toBe(200)
    await moderatePost(id, 'processed')
    expect(await askAsAuthor('POST', `${ru}/restore`)).toBe(200)
    expect(await readAttributes(`/tradinposts/${ru}`)).toMatchObject({ status: 'processed', edit_state: 'waiting' })
    const otherUser = await buildPerson(resourceApp, 'authenticated')
    const { status, body } = await otherUser.ask('GET', `/tradinposts/${ru}`)
    expect([status, JSON.stringify(body).includes('Что никто не видел')]).toEqual([200, false])
  })
  it('sends a public post back to moderation when a language brings its document with it', async () => {
    const id = await post()
    const ru = await buildTranslation(resourceApp.database, 'tradinposts', id, 'ru', { title: 'Что никто не видел' })
    await askAsAuthor('DELETE', `${ru}`)
    await moderatePost(id, 'processed')
    await askAsAuthor('DELETE', `${id}`)
    expect(await askAsAuthor('POST', `${ru}/restore`)).toBe(200)
    expect(await readAttributes(`/tradinposts/${ru}`)).toMatchObject({ status: 'on_hold' })
  })
  it('sends a public post back to moderation when its author restores all of it', async () => {
    const id = await post()
    await moderatePost(id, 'processed')
    await askAsAuthor('DELETE', `${id}`)
    expect(await askAsAuthor('POST', `${id}/restore`)).toBe(200)
    expect(await readAttributes(`/tradinposts/${id}`)).toMatchObject({ status: 'on_hold', expires_at: null })
  })
  it('sends a public post back to moderation in the undo of a bulk job', async () => {
    const id = await post()
    await moderatePost(id, 'processed')
    const data = { resource: 'tradinposts', action: { kind: 'remove' }, selection: { ids: [id] } }
    const job = (await author.ask('POST', '/bulk', { data })).body as One
    expect((await author.ask('POST', `/bulk/${job.data.id}/undo`, {})).body).toMatchObject({ data: { changed: 1 } })
    expect(await readAttributes(`/tradinposts/${id}`)).toMatchObject({ status: 'on_hold' })
  })
  it('leaves a public post public when a moderator restores it', async () => {
    const id = await post()
    const ru = await buildTranslation(resourceApp.database, 'tradinposts', id, 'ru', { title: 'Р' })
    await moderatePost(id, 'processed')
    const { expires_at } = await readAttributes(`/tradinposts/${id}`)
    for (const path of [`/tradinposts/${ru}`, `/tradinposts/${id}`]) {
      await removeRecord(path)
      expect((await restoreRecord(path)).status).toBe(200)
      expect(await readAttributes(`/tradinposts/${id}`)).toMatchObject({ status: 'processed', expires_at })
    }
  })
  it('restores with a trading post that its author has already appealed', async () => {
    const id = await post()
    await moderatePost(id, 'rejected')
    expect(await askAsAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(200)
    await moderatePost(id, 'rejected')
    expect(await askAsAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(422)
    await askAsAuthor('DELETE', `${id}?locale=all`)
    expect(await askAsAuthor('POST', `${id}/restore`)).toBe(200)
    expect(await askAsAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })).toBe(422)
    expect(await readAttributes(`/tradinposts/${id}`)).toMatchObject({ status: 'rejected' })
  })
  it('shows no user the stored private fields of a restored record', async () => {
    const id = await post()
    await moderatePost(id, 'rejected')
    await askAsAuthor('PUT', `${id}`, { data: { status: 'on_hold' } })
    await removeRecord(`/tradinposts/${id}`)
    await restoreRecord(`/tradinposts/${id}`)
    await removeRecord(`/tradinposts/${id}`)
    for (const routePath of ['/trash', '/audit', '/audit?populate=*', `/tradinposts/${id}/history`])
      expect(JSON.stringify(await resourceApp.ask('GET', routePath, undefined, 'owner'))).not.toContain('appealed_at')
    await restoreRecord(`/tradinposts/${id}`)
    expect(JSON.stringify(await resourceApp.ask('GET', `/tradinposts/${id}/history`))).not.toContain('appealed_at')
  })
})

describe('restoring a course', () => {
  it('restores with a course its publication, lessons of the course included', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, content: '<p>x</p>' })
    expect((await resourceApp.ask('PUT', `/courses/${course}`, { data: { state: 'published' } })).status).toBe(200)
    await removeRecord(`/courses/${course}`)
    const readLesson = () => resourceApp.ask('GET', `/lessons/${lesson}`, undefined, 'authenticated')
    expect((await readLesson()).status).toBe(404)
    expect((await restoreRecord(`/courses/${course}`)).status).toBe(200)
    expect(await readLesson()).toMatchObject({ status: 200, body: { data: { attributes: { title: 'L' } } } })
  })
})

describe('restoring a price', () => {
  let units: { kg: number; litre: number }
  beforeAll(async () => {
    const unit = (code: string, kind: string) =>
      buildRecord(resourceApp.database, 'units', { name: { en: code }, code, kind, factor: 1 })
    units = { kg: await unit(`kg-${nextNumber()}`, 'mass'), litre: await unit(`l-${nextNumber()}`, 'volume') }
  })
  const price = async (draft: object = {}) => {
    const product = await buildRecord(resourceApp.database, 'products', { name: `P ${nextNumber()}`, unit: units.kg })
    const district = await buildRecord(resourceApp.database, 'districts', { name: `D ${nextNumber()}` })
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', {
      date: `2026-01-${String((days += 1)).padStart(2, '0')}`,
    })
    const id = await buildRecord(resourceApp.database, 'pricelists', {
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
  const publishDay = async (day: number) => {
    for (const step of ['submit', 'publish'])
      expect((await resourceApp.ask('POST', `/pricedates/${day}/${step}`, {})).status).toBe(200)
  }

  it('restores a price of a published day unchanged', async () => {
    const { id, pricedate } = await price({ origin: 'imported', note: 'N' })
    await publishDay(pricedate)
    const readStoredPrice = async () => {
      const {
        version: _version,
        updatedAt: _updatedAt,
        ...storedPrice
      } = await readAttributes(`/pricelists/${id}?populate=*`)
      return storedPrice
    }
    const rowsBefore = await readStoredPrice()
    await removeRecord(`/pricelists/${id}`)
    expect((await restoreRecord(`/pricelists/${id}`)).status).toBe(200)
    expect(await readStoredPrice()).toEqual(rowsBefore)
  })
  it('refuses to restore a price whose unit no longer has the kind of its product', async () => {
    const { id, product, pricedate } = await price()
    await removeRecord(`/pricelists/${id}`)
    await publishDay(pricedate)
    expect((await resourceApp.ask('PUT', `/products/${product}`, { data: { unit: units.litre } })).status).toBe(200)
    expect(await restoreRecord(`/pricelists/${id}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'price.unit' } },
    })
    expect((await resourceApp.ask('GET', `/pricelists/${id}`)).status).toBe(404)
  })
  it('refuses to restore an unconfirmed price when its day was published without it', async () => {
    const { id, pricedate } = await price({ state: 'check' })
    await removeRecord(`/pricelists/${id}`)
    await publishDay(pricedate)
    expect(await restoreRecord(`/pricelists/${id}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'price.unconfirmed' } },
    })
  })
})

describe('restoring a record that no write would accept', () => {
  it('refuses to restore a language with several parts of a lesson that is single by now', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const parts = [{ title: 'One' }, { title: 'Two' }]
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, kind: 'multi' })
    const ru = await buildTranslation(resourceApp.database, 'lessons', lesson, 'ru', { title: 'У', parts })
    await removeRecord(`/lessons/${ru}`)
    expect((await resourceApp.ask('PUT', `/lessons/${lesson}`, { data: { kind: 'single' } })).status).toBe(200)
    expect(await restoreRecord(`/lessons/${ru}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'lesson.several-parts' } },
    })
  })
  it('refuses to restore a lesson whose group has moved to another course since', async () => {
    const [course, otherCourse] = [
      await buildRecord(resourceApp.database, 'courses', { title: 'C' }),
      await buildRecord(resourceApp.database, 'courses', { title: 'O' }),
    ]
    const lessongroup = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course })
    const lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, lessongroup })
    await removeRecord(`/lessons/${lesson}`)
    expect(
      (await resourceApp.ask('PUT', `/lessongroups/${lessongroup}`, { data: { course: otherCourse } })).status,
    ).toBe(200)
    expect(await restoreRecord(`/lessons/${lesson}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'rule.whole' } },
    })
  })
  it('refuses to restore a page that would be below itself', async () => {
    const page = (draft: object) => buildRecord(resourceApp.database, 'pages', { title: `P ${nextNumber()}`, ...draft })
    const upperPage = await page({})
    const id = await page({ parent: upperPage })
    const lowerPage = await page({ parent: id })
    await removeRecord(`/pages/${id}`)
    expect((await resourceApp.ask('PUT', `/pages/${upperPage}`, { data: { parent: lowerPage } })).status).toBe(200)
    expect(await restoreRecord(`/pages/${id}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation.cycle' } },
    })
  })
})

describe('restoring with fewer rights than before', () => {
  it('refuses to restore a shared view for a user who may no longer share views, and leaves it deleted', async () => {
    const person = await buildConsultant(resourceApp)
    const role = await resourceApp.database.query(
      sql<{ id: number }>`select id from roles where type = 'authenticated'`,
    )
    const view = { name: 'V', screen: 'news', state: {} }
    const makeView = async (data: object) => ((await person.ask('POST', '/list-views', { data })).body as One).data.id
    const sharedView = await makeView({ ...view, role: role[0]?.id })
    const ownView = await makeView(view)
    for (const id of [sharedView, ownView]) expect((await person.ask('DELETE', `/list-views/${id}`)).status).toBe(200)
    expect((await resourceApp.ask('PUT', `/users/${person.id}`, { is_consultant: false }, 'owner')).status).toBe(200)
    expect(await person.ask('POST', `/list-views/${sharedView}/restore`)).toMatchObject({
      status: 403,
      body: { error: { details: { errors: [{ path: ['role'], code: 'access.denied' }] } } },
    })
    expect((await person.ask('GET', `/list-views/${sharedView}`)).status).toBe(404)
    expect((await person.ask('POST', `/list-views/${ownView}/restore`)).status).toBe(200)
  })
})
