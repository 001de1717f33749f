import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildUpload, nextNumber, buildTranslation } from '../testing/factories.ts'
import { buildPerson, type TestPerson } from '../testing/people.ts'
import { startResourceApp } from '../testing/resource-app.ts'
import { reportDay } from '../domain/market/report-day.ts'

const people: Record<string, TestPerson> = {}
const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async (app) => {
  const { database } = app
  people.admin = await buildPerson(app, 'admin')
  people.author = await buildPerson(app, 'authenticated')
  ids.type = await buildRecord(database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
  ids.otherType = await buildRecord(database, 'tradingposttypes', { name: { en: 'T' }, code: 'purchase' })
  ids.category = await buildRecord(database, 'tradingpostcategories', { name: 'C' })
  ids.kg = await buildRecord(database, 'units', { name: { en: 'kg' }, kind: 'mass', factor: 1 })
  ids.tonne = await buildRecord(database, 'units', { name: { en: 't' }, kind: 'mass', factor: 1000 })
  ids.third = await buildRecord(database, 'units', { name: { en: '⅓' }, kind: 'mass', factor: 3 })
  ids.litre = await buildRecord(database, 'units', { name: { en: 'l' }, kind: 'volume', factor: 1 })
  ids.box = await buildRecord(database, 'units', { name: { en: 'box' }, kind: 'mass' })
  ids.gram = await buildRecord(database, 'units', { name: { en: 'µg' }, kind: 'mass', factor: 0.000001 })
  ids.product = await buildRecord(database, 'products', { name: 'P', unit: ids.kg })
  ids.bare = await buildRecord(database, 'products', { name: 'Q' })
  ids.district = await buildDistrict(database)
  ids.image = await buildUpload(database)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const attributes = async (path: string) => (await resourceApp.read<One>(path)).data.attributes
const linkedId = (value: unknown) => (value as { data: { id: number } | null }).data?.id ?? null

describe('a trading post', () => {
  const post = (status: string, draft: object = {}) =>
    buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: ids.type,
      user: person('author').id,
      status,
      images: [ids.image],
      price: 5,
      ...draft,
    })
  const putPost = (personName: string, id: number, data: object) =>
    person(personName).ask('PUT', `/tradinposts/${id}`, { data })
  const readStoredPost = async (id: number) => attributes(`/tradinposts/${id}?populate=moderated_by`)
  const readPopulatedPrice = async (id: number) =>
    attributes(
      `/tradinposts/${id}?populate[unit]=*&populate[images]=*&populate[mainPhoto]=*&populate[tradingpostcategory]=*&populate[tradingposttype]=*`,
    )
  /** The end of the trading post is midnight in Tashkent after thirty whole days. */
  const isPublicFor30Days = (end: unknown) => {
    const days = (Date.parse(String(end)) - Date.now()) / 86_400_000
    return days > 29.99 && days <= 31 && String(end).endsWith('T19:00:00.000Z')
  }

  it('publishes an approved trading post for 30 days, to midnight in Tashkent, and stores its moderator', async () => {
    const id = await post('on_hold', { reason: 'Of an earlier refusal' })
    await putPost('admin', id, { status: 'processed' })
    const shownPost = await readStoredPost(id)
    expect([
      shownPost.status,
      isPublicFor30Days(shownPost.expires_at),
      linkedId(shownPost.moderated_by),
      shownPost.reason,
    ]).toEqual(['processed', true, person('admin').id, null])
    await putPost('admin', id, { status: 'on_hold' })
    expect(await readStoredPost(id)).toMatchObject({ status: 'on_hold', expires_at: null })
  })
  it.each(['needs_changes', 'rejected'])(
    'refuses the trading post status %s without a reason for this decision',
    async (status) => {
      const id = await post('on_hold', { reason: 'Old' })
      for (const data of [{ status }, { status, reason: '' }, { status, reason: null }])
        expect(await putPost('admin', id, data)).toMatchObject({
          status: 422,
          body: { error: { message: 'please give a reason', details: { errors: [{ path: ['reason'] }] } } },
        })
      expect((await putPost('admin', id, { status, reason: 'Blurred' })).status).toBe(200)
      expect(await readStoredPost(id)).toMatchObject({
        status,
        reason: 'Blurred',
        moderated_by: { data: { id: person('admin').id } },
      })
    },
  )
  it('accepts one appeal for a trading post', async () => {
    const id = await post('on_hold')
    const rejectPost = () => putPost('admin', id, { status: 'rejected', reason: 'R' })
    await rejectPost()
    expect((await putPost('author', id, { status: 'on_hold' })).status).toBe(200)
    await rejectPost()
    expect(await putPost('author', id, { status: 'on_hold' })).toMatchObject({
      status: 422,
      body: { error: { details: { from: 'rejected', to: 'on_hold', allowed: [] } } },
    })
    expect(await readStoredPost(id)).toMatchObject({ status: 'rejected' })
  })
  const material: [string, () => object][] = [
    ['title', () => ({ title: 'Other' })],
    ['description', () => ({ description: 'Other' })],
    ['price', () => ({ price: 6 })],
    ['unit', () => ({ unit: ids.kg })],
    ['phone', () => ({ phone: '+998 00 200-00-01' })],
    ['category', () => ({ tradingpostcategory: ids.category })],
    ['type', () => ({ tradingposttype: ids.otherType })],
    ['pictures', () => ({ images: [] })],
    ['main picture', () => ({ mainPhoto: ids.image })],
  ]
  it.each(material)('leaves a public trading post as it was when its author changes the %s', async (_what, change) => {
    const id = await post('processed')
    const { edit_state, edit_at, waiting_since, version, updatedAt, ...formerValues } = await readPopulatedPrice(id)
    expect((await putPost('author', id, change())).status).toBe(200)
    const postAfter = await readPopulatedPrice(id)
    expect(postAfter).toMatchObject({
      ...formerValues,
      status: 'processed',
      edit_state: 'waiting',
      version: Number(version) + 1,
    })
    expect([edit_state, edit_at, waiting_since, postAfter.edit_at, postAfter.waiting_since, typeof updatedAt]).toEqual([
      null,
      null,
      null,
      expect.any(String),
      expect.any(String),
      'string',
    ])
  })
  it.each(material)(
    'renews an expired trading post as it was approved, with an edit of the %s',
    async (_what, change) => {
      const id = await post('expired')
      expect((await putPost('author', id, { ...change(), status: 'processed' })).status).toBe(200)
      expect(await readStoredPost(id)).toMatchObject({
        status: 'processed',
        title: 'P',
        price: 5,
        edit_state: 'waiting',
      })
      const otherPost = await post('expired')
      await putPost('author', otherPost, change())
      expect(await readStoredPost(otherPost)).toMatchObject({ status: 'on_hold', edit_state: null })
    },
  )
  it('renews an expired trading post for 30 days, also with the whole record sent back', async () => {
    const id = await post('expired', { expires_at: '2026-01-01T00:00:00.000Z', moderated_by: person('admin').id })
    const echoedPost = await attributes(`/tradinposts/${id}`)
    expect(
      (await putPost('author', id, { ...echoedPost, images: [ids.image], status: 'processed', delivery: true })).status,
    ).toBe(200)
    const shownPost = await readStoredPost(id)
    expect([shownPost.status, isPublicFor30Days(shownPost.expires_at), linkedId(shownPost.moderated_by)]).toEqual([
      'processed',
      true,
      person('admin').id,
    ])
  })
  it('stores each renewal of an expired trading post, and none for a renewal that is undone', async () => {
    const renewals = async (id: number) =>
      resourceApp.database.query(sql<{ state: string; user: number }>`
        select r.to_state as state, r.user_id as "user" from post_renewals r
          join tradinposts_texts t on t.document_id = r.document_id where t.id = ${id} order by r.id`)
    const [renewedId, editedId, undoneId] = [await post('expired'), await post('expired'), await post('expired')]
    await putPost('author', renewedId, { status: 'processed' })
    await putPost('author', renewedId, { amount: 4 })
    await putPost('author', editedId, { title: 'Other' })
    expect(await renewals(renewedId)).toEqual([{ state: 'processed', user: person('author').id }])
    expect(await renewals(editedId)).toEqual([{ state: 'on_hold', user: person('author').id }])
    await putPost('admin', undoneId, { status: 'processed' })
    expect(await renewals(undoneId)).toHaveLength(1)
    const { status } = await person('admin').ask('POST', `/tradinposts/${undoneId}/undo`, {})
    expect([status, (await readStoredPost(undoneId)).status, await renewals(undoneId)]).toEqual([200, 'expired', []])
  })
  it('leaves a trading post public through other edits, edits of staff, and its own record sent back', async () => {
    const id = await post('processed')
    const echoedPost = await attributes(`/tradinposts/${id}`)
    for (const [personName, data] of [
      ['author', { ...echoedPost, images: [ids.image] }],
      ['author', { delivery: true, amount: 5 }],
      ['admin', { title: 'Corrected', price: 7 }],
    ] as const)
      expect([personName, (await putPost(personName, id, data)).status, (await readStoredPost(id)).status]).toEqual([
        personName,
        200,
        'processed',
      ])
  })
  it('shows the approved text of a public trading post in a language that its author adds', async () => {
    const id = await post('processed')
    const body = { locale: 'ru', title: 'Новое' }
    const answer = await person('author').ask('POST', `/tradinposts/${id}/localizations`, body)
    expect(answer.status).toBe(200)
    expect(await readStoredPost((answer.body as { id: number }).id)).toMatchObject({
      status: 'processed',
      locale: 'ru',
      title: 'P',
      edit_state: 'waiting',
    })
  })
  it('leaves the creation date of a trading post unchanged when it is decided on again', async () => {
    const id = await post('processed', { createdAt: '2026-01-01T00:00:00.000Z' })
    await putPost('admin', id, { status: 'on_hold' })
    await putPost('admin', id, { status: 'processed' })
    expect(await readStoredPost(id)).toMatchObject({ status: 'processed', createdAt: '2026-01-01T00:00:00.000Z' })
  })
  it('discards the edit of an archived trading post, on which nobody decides', async () => {
    const id = await post('processed')
    await putPost('author', id, { title: 'Other' })
    await putPost('author', id, { status: 'archived' })
    expect(await readStoredPost(id)).toMatchObject({
      status: 'archived',
      title: 'P',
      edit_state: null,
      waiting_since: null,
    })
  })
})

const dayAfter = (today: string, days: number) =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
const buildDay = (state = 'draft', date = new Date(Date.UTC(1960, 0, nextNumber())).toISOString().slice(0, 10)) =>
  buildRecord(resourceApp.database, 'pricedates', { date, state })

describe('a price', () => {
  const cell = async (draft: object = {}, state = 'draft') => ({
    product: ids.product,
    district: ids.district,
    pricedate: await buildDay(state),
    unit: ids.kg,
    price: 10,
    ...draft,
  })
  const createPrice = async (draft: object = {}) =>
    resourceApp.ask('POST', '/pricelists?populate=author', { data: await cell(draft) })
  const attributesOf = (body: unknown) => (body as One).data.attributes

  it.each([
    [10, () => ids.kg, 10],
    [3_000_000, () => ids.tonne, 3_000],
    [1, () => ids.third, 0.3333],
    [999_999_999_999.99, () => ids.tonne, 1_000_000_000],
    [0.01, () => ids.tonne, 0],
    [10, () => ids.box, null],
    [null, () => ids.kg, null],
  ])('converts the price %s in a unit to %s in the base unit', async (price, unit, expected) => {
    const { status, body } = await createPrice({ price, unit: unit(), price_base: 1 })
    expect([status, attributesOf(body).price_base]).toEqual([200, expected])
  })
  it('computes a price in the base unit for a new price or unit, and stores it through other edits', async () => {
    const { id } = ((await createPrice()).body as One).data
    const base = async (data: object) => {
      const { body } = await resourceApp.ask('PUT', `/pricelists/${id}`, { data })
      return attributesOf(body).price_base
    }
    expect([
      await base({ price: 20 }),
      await base({ unit: ids.third }),
      await base({ note: 'x' }),
      await base({ price: null }),
    ]).toEqual([20, 6.6667, 6.6667, null])
  })
  it.each([
    ['product', 400],
    ['district', 400],
    ['pricedate', 400],
    ['unit', 422],
  ])('refuses a price without its %s with %d', async (name, refusal) => {
    const { status, body } = await createPrice({ [name]: { disconnect: [ids[name] ?? 1] } })
    expect([status, body]).toMatchObject([refusal, { error: { details: { errors: [{ path: [name] }] } } }])
  })
  it('refuses a price above the maximum in the base unit', async () => {
    expect(await createPrice({ price: 999_999, unit: ids.gram })).toMatchObject({
      status: 422,
      body: { error: { code: 'price.too-high', details: { errors: [{ path: ['price'] }] } } },
    })
  })
  it('requires for a price a unit of the kind of its product, when that has one', async () => {
    expect(await createPrice({ unit: ids.litre })).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: ['unit'], code: 'price.unit' }] } } },
    })
    expect((await createPrice({ unit: ids.litre, product: ids.bare })).status).toBe(200)
    const { id } = ((await createPrice()).body as One).data
    expect((await resourceApp.ask('PUT', `/pricelists/${id}`, { data: { unit: ids.litre } })).status).toBe(422)
    expect(
      (await resourceApp.ask('PUT', `/pricelists/${id}`, { data: { product: ids.bare, unit: ids.litre } })).status,
    ).toBe(200)
  })
  it('accepts a price of today or an earlier day', async () => {
    const [{ today } = { today: '' }] = await resourceApp.database.query(
      sql<{ today: string }>`select ${reportDay} as today`,
    )
    const on = async (days: number) => {
      const date = dayAfter(today, days)
      const [knownDay] = await resourceApp.database.query(
        sql<{ id: number }>`select id from pricedates where date = ${date}`,
      )
      return (await createPrice({ pricedate: knownDay?.id ?? (await buildDay('draft', date)) })).status
    }
    expect([await on(0), await on(-1), await on(1)]).toEqual([200, 200, 422])
  })
  it.each([
    [{ price: 0 }, 400],
    [{ price: -1 }, 400],
    [{ price: 'x' }, 400],
    [{ price: 5, price_max: 4 }, 422],
    [{ price: 5, price_max: 5 }, 200],
  ])('answers the creation of a price with the values %j with the status %i', async (draft, expected) => {
    expect((await createPrice(draft)).status).toBe(expected)
  })
  it('accepts one price for each day, product, district and market', async () => {
    const data = await cell()
    expect((await resourceApp.ask('POST', '/pricelists', { data })).status).toBe(200)
    expect((await resourceApp.ask('POST', '/pricelists', { data })).status).toBe(400)
    expect((await resourceApp.ask('POST', '/pricelists', { data: { ...data, market_type: 'wholesale' } })).status).toBe(
      200,
    )
  })
  it('stores the author of a price, who changes with a new figure', async () => {
    const { body } = await createPrice({ origin: 'imported', state: 'confirmed', author: person('author').id })
    expect(attributesOf(body)).toMatchObject({
      origin: 'entered',
      state: 'ok',
      author: { data: { id: resourceApp.people.admin } },
    })
    const id = await buildRecord(resourceApp.database, 'pricelists', {
      ...(await cell()),
      origin: 'carried',
      state: 'check',
      flag: { z: 4 },
      author: person('author').id,
    })
    const putPrice = (data: object) => person('admin').ask('PUT', `/pricelists/${id}?populate=author`, { data })
    expect((await putPrice({ note: 'x' })).body).toMatchObject({
      data: { attributes: { origin: 'carried', state: 'check', author: { data: { id: person('author').id } } } },
    })
    expect((await putPrice({ price: 11 })).body).toMatchObject({
      data: {
        attributes: { origin: 'entered', state: 'ok', flag: null, author: { data: { id: person('admin').id } } },
      },
    })
  })
  it('requires a note for a corrected price of a published day, and stores the earlier price in the history', async () => {
    const id = await buildRecord(resourceApp.database, 'pricelists', await cell({ note: 'Of then' }, 'published'))
    const putPrice = (data: object) => resourceApp.ask('PUT', `/pricelists/${id}`, { data })
    for (const data of [{ price: 11 }, { price: 11, note: ' ' }, { unit: ids.tonne }])
      expect(await putPrice(data)).toMatchObject({
        status: 422,
        body: { error: { details: { errors: [{ path: ['note'] }] } } },
      })
    expect((await putPrice({ note: 'Only the note' })).status).toBe(200)
    expect((await putPrice({ price: 11, note: 'Misread' })).status).toBe(200)
    const changes = await resourceApp.database.query(sql<{ changes: object; user_id: number }>`
      select changes, user_id from revisions where resource = 'pricelists' and document_id = ${id} and operation = 'update' order by id`)
    expect(changes.at(-1)).toMatchObject({
      changes: { price: { before: 10, after: 11 }, note: { after: 'Misread' } },
      user_id: resourceApp.people.admin,
    })
  })
  it('shows a price to other users once its day is published', async () => {
    const [draft, publishedId] = [
      await buildRecord(resourceApp.database, 'pricelists', await cell()),
      await buildRecord(resourceApp.database, 'pricelists', await cell({}, 'published')),
    ]
    const status = async (id: number) => (await person('author').ask('GET', `/pricelists/${id}`)).status
    expect([await status(draft), await status(publishedId)]).toEqual([404, 200])
  })
  it("accepts the id of a price's product in any language", async () => {
    const ru = await buildTranslation(resourceApp.database, 'products', ids.product ?? 0, 'ru', { name: 'П' })
    expect((await createPrice({ product: ru, unit: ids.litre })).status).toBe(422)
    expect((await createPrice({ product: ru })).status).toBe(200)
  })
})
