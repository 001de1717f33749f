import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, nextNumber } from '../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../testing/people.ts'
import { startResourceApp } from '../testing/resource-app.ts'

/**
 * Legal transitions, copied by hand from content-model §2, §4 and §8: `from to` → the roles that may make
 * them.
 */
const courseSteps: Readonly<Record<string, string>> = {
  'draft published': 'admin',
  'published draft': 'admin',
  'draft archived': 'admin',
  'published archived': 'admin',
  'archived draft': 'admin',
}
const roomSteps: Readonly<Record<string, string>> = {
  'open waiting_customer': 'admin receiver',
  'waiting_customer open': 'admin receiver',
  'open closed': 'admin receiver',
  'waiting_customer closed': 'admin receiver',
  'closed open': 'admin receiver',
}
const postSteps: Readonly<Record<string, string>> = {
  'on_hold processed': 'admin',
  'on_hold needs_changes': 'admin',
  'on_hold rejected': 'admin',
  'needs_changes on_hold': 'author',
  'rejected on_hold': 'author',
  'processed on_hold': 'admin',
  'processed archived': 'admin author',
  'expired processed': 'admin author',
  'expired on_hold': 'author',
}

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.author = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.receiver = await buildConsultant(app)
  for (const role of ['owner', 'admin'] as const) people[role] = await buildPerson(app, role)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}

interface Case {
  from: string
  to: string
  who: string
  status: number
}
/**
 * Lists every pair of states for every caller; `others` are the answers to callers who may not write the
 * record.
 */
function casesOf(
  states: readonly string[],
  steps: Readonly<Record<string, string>>,
  writers: readonly string[],
  otherStatuses: Readonly<Record<string, number>>,
): Case[] {
  const pairs = states.flatMap((fromState) => states.map((toState) => ({ from: fromState, to: toState })))
  const isLegal = (fromState: string, toState: string, callerName: string) => {
    const leastRole = callerName === 'owner' ? 'admin' : callerName
    return fromState === toState || (steps[`${fromState} ${toState}`] ?? '').split(' ').includes(leastRole)
  }
  return pairs.flatMap(({ from, to }) => [
    ...writers.map((callerName) => ({ from, to, who: callerName, status: isLegal(from, to, callerName) ? 200 : 422 })),
    ...Object.entries(otherStatuses).map(([callerName, status]) => ({ from, to, who: callerName, status })),
  ])
}
const staff = ['owner', 'admin']
/** The expected answer: a refused transition has the message of the table. */
function answerOf(status: number, fromState: string, toState: string): object {
  const refusal = {
    name: 'UnprocessableEntityError',
    message: `status cannot change from ${fromState} to ${toState}`,
    details: { from: fromState, to: toState },
  }
  return status === 422 ? { error: refusal } : {}
}

let posttype: number | undefined
const buildPost = async (draft: object) => {
  posttype ??= await buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
  return buildRecord(resourceApp.database, 'tradinposts', {
    title: 'P',
    tradingposttype: posttype,
    user: person('author').id,
    ...draft,
  })
}

describe('trading posts', () => {
  const states = ['on_hold', 'processed', 'needs_changes', 'rejected', 'expired', 'archived']
  it.each(casesOf(states, postSteps, [...staff, 'author'], { stranger: 404 }))(
    'answers the change of a trading post from $from to $to by $who with $status',
    async ({ from, to, who, status }) => {
      const id = await buildPost({ status: from })
      const data = { status: to, reason: 'Because' }
      const answer = await person(who).ask('PUT', `/tradinposts/${id}`, { data })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(answerOf(status, from, to))
      const storedPost = await resourceApp.read<{ data: { attributes: { status: string } } }>(`/tradinposts/${id}`)
      expect(storedPost.data.attributes.status).toBe(status === 200 ? to : from)
    },
  )
})

describe('courses', () => {
  const cases = casesOf(['draft', 'published', 'archived'], courseSteps, staff, { stranger: 403, receiver: 403 })
  it.each(cases)(
    'answers the change of a course from $from to $to by $who with $status',
    async ({ from, to, who, status }) => {
      const id = await buildRecord(resourceApp.database, 'courses', { title: 'C', state: from })
      await buildRecord(resourceApp.database, 'lessons', { title: 'L', course: id, content: '<p>x</p>' })
      const answer = await person(who).ask('PUT', `/courses/${id}`, { data: { state: to } })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(answerOf(status, from, to))
    },
  )
})

describe('rooms', () => {
  const cases = casesOf(['open', 'waiting_customer', 'closed'], roomSteps, [...staff, 'receiver'], {
    author: 403,
    stranger: 403,
  })
  it.each(cases)(
    'answers the change of a chat room from $from to $to by $who with $status',
    async ({ from, to, who, status }) => {
      await resourceApp.database.query(sql`delete from chatrooms`)
      const id = await buildRecord(resourceApp.database, 'chatrooms', {
        sender: person('author').id,
        receiver: person('receiver').id,
        state: from,
      })
      const answer = await person(who).ask('PUT', `/chatrooms/${id}`, { data: { state: to } })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(answerOf(status, from, to))
      // Every change of a room's state is one revision, in the same transaction.
      const changes = await resourceApp.database.query(sql<{ rev: number; type: string; data: object }>`
      select rev, type, data from room_changes where room_id = ${id}`)
      expect(changes).toEqual(status === 200 && from !== to ? [{ rev: 1, type: 'state', data: { from, to } }] : [])
    },
  )
})

describe('price dates', () => {
  const actions = { submit: ['draft', 'checking'], publish: ['checking', 'published'], reopen: ['published', 'draft'] }
  const cases = Object.entries(actions).flatMap(([action, [requiredState = '', toState = '']]) =>
    ['draft', 'checking', 'published'].flatMap((fromState) => [
      ...staff.map((callerName) => ({
        action,
        from: fromState,
        to: toState,
        who: callerName,
        status: fromState === requiredState ? 200 : 422,
      })),
      ...['stranger', 'receiver'].map((callerName) => ({
        action,
        from: fromState,
        to: toState,
        who: callerName,
        status: 403,
      })),
    ]),
  )
  it.each(cases)(
    'answers the action $action on a price date in the state $from by $who with $status',
    async ({ action, from, to, who, status }) => {
      const date = new Date(Date.UTC(1960, 0, nextNumber())).toISOString().slice(0, 10)
      const id = await buildRecord(resourceApp.database, 'pricedates', { date, state: from })
      const answer = await person(who).ask('POST', `/pricedates/${id}/${action}`)
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(answerOf(status, from, to))
      const { data } = await resourceApp.read<{ data: { attributes: Record<string, unknown> } }>(
        `/pricedates/${id}?populate=published_by`,
      )
      const isPublished = status === 200 && to === 'published'
      expect(data.attributes.published_at === null).toBe(!isPublished)
      expect(data.attributes).toMatchObject({
        state: status === 200 ? to : from,
        published_by: { data: isPublished ? { id: person(who).id } : null },
      })
    },
  )
  it('changes the state of a price date by no other route', async () => {
    const id = await buildRecord(resourceApp.database, 'pricedates', { date: '2019-01-01' })
    const { body } = await resourceApp.ask('PUT', `/pricedates/${id}`, {
      data: { state: 'published', published_at: '2019-01-01' },
    })
    expect(body).toMatchObject({ data: { attributes: { state: 'draft', published_at: null } } })
  })
  it('refuses an invalid or stale version of a price date, and unknown dates', async () => {
    const id = await buildRecord(resourceApp.database, 'pricedates', { date: '2019-01-02' })
    const submitDay = (data: unknown, dateId = id) => resourceApp.ask('POST', `/pricedates/${dateId}/submit`, data)
    expect((await submitDay({ data: { version: 'x' } })).status).toBe(422)
    expect((await submitDay({ data: { version: 9 } })).status).toBe(409)
    expect((await submitDay({}, 2_000_000_000)).status).toBe(404)
    expect((await submitDay({ data: { version: 1 } })).status).toBe(200)
  })
})

describe('publishing prices', () => {
  const day = async (state: string, draft: object = {}) => {
    const unit = await buildRecord(resourceApp.database, 'units', { name: { en: 'kg' }, factor: 1 })
    const productcategory = await buildRecord(resourceApp.database, 'productcategories', {
      name: `Category ${nextNumber()}`,
      two_person_check: true,
    })
    const product = await buildRecord(resourceApp.database, 'products', { name: 'P', unit, productcategory })
    const district = await buildDistrict(resourceApp.database)
    const date = new Date(Date.UTC(1960, 0, nextNumber())).toISOString().slice(0, 10)
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date, state })
    const cell = { product, district, unit, price: 5, ...draft }
    await buildRecord(resourceApp.database, 'pricelists', { ...cell, pricedate })
    return { pricedate, cell, product, district }
  }
  it('refuses to publish prices while any must be confirmed', async () => {
    const { pricedate } = await day('checking', { state: 'check' })
    expect(await resourceApp.ask('POST', `/pricedates/${pricedate}/publish`)).toMatchObject({
      status: 422,
      body: { error: { code: 'price.unconfirmed', details: { count: 1 } } },
    })
  })
  it('requires a second person to publish prices where the category demands one', async () => {
    const admin = person('admin')
    const { pricedate } = await day('checking', { author: admin.id })
    expect(await admin.ask('POST', `/pricedates/${pricedate}/publish`)).toMatchObject({
      status: 422,
      body: { error: { code: 'price.second-person' } },
    })
    expect((await person('owner').ask('POST', `/pricedates/${pricedate}/publish`)).status).toBe(200)
  })
  it('lists the gaps in published prices on request, by wire ids', async () => {
    const { product, district } = await day('published')
    const { pricedate } = await day('checking')
    const { status, body } = await resourceApp.ask('POST', `/pricedates/${pricedate}/publish`, {
      data: { allow_missing: true },
    })
    expect([status, body]).toMatchObject([200, { meta: { missing: [{ product, district, market_type: 'retail' }] } }])
  })
})
