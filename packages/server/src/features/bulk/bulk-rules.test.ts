import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildRecord, buildRole, nextNumber } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
let kind = 0
const resourceApp = startResourceApp(async (app) => {
  people.owner = await buildPerson(app, 'owner')
  people.admin = await buildPerson(app, 'admin')
  people.customer = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  kind = await buildRecord(app.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}

interface Job {
  id: number
  changed: number
  refused: number
}
interface Rows {
  data: { id: number; name: string | null; code?: string; changes?: Record<string, unknown> }[]
}
const start = async (actingUser: TestPerson, data: object) => {
  const { status, body } = await actingUser.ask('POST', '/bulk', { data })
  return { status, job: (body as { data?: Job | null }).data ?? { id: 0, changed: 0, refused: 0 } }
}
const runBulkJob = async (actingUser: TestPerson, data: object) => {
  const { status, job } = await start(actingUser, data)
  expect([status, job]).toMatchObject([200, { changed: 1, refused: 0 }])
  return job
}
/**
 * Undoes a bulk job.
 *
 * @returns The job that undid it, and the codes of its refused rows.
 */
const undoJob = async (actingUser: TestPerson, { id }: Job) => {
  const { body } = await actingUser.ask('POST', `/bulk/${id}/undo`)
  const { data: job } = body as { data: Job }
  const rows = (await actingUser.ask('GET', `/bulk/${job.id}/rows`)).body as Rows
  return { job, codes: rows.data.flatMap(({ code }) => code ?? []) }
}
const attributes = async (path: string) =>
  (await resourceApp.read<{ data: { attributes: Record<string, unknown> } }>(path)).data.attributes
const set = (values: object) => ({ kind: 'set', values })

describe('a resource with routes of its own', () => {
  it('refuses bulk edits of a resource with routes of its own: messages of a room', async () => {
    const [customer, consultant] = [person('customer'), person('consultant')]
    const { body: room } = await customer.ask('POST', '/chatrooms', { data: { receiver: consultant.id } })
    const { body: sentMessage } = await customer.ask('POST', '/chatmessages', {
      data: { room: (room as { data: { id: number } }).data.id, text: 'As it was' },
    })
    const { id } = (sentMessage as { data: { id: number } }).data
    const selection = { ids: [id] }
    for (const action of [set({ text: 'Other words' }), { kind: 'remove' }])
      for (const actingUser of [customer, person('admin')])
        expect([action, (await start(actingUser, { resource: 'chatmessages', action, selection })).status]).toEqual([
          action,
          403,
        ])
    expect(await resourceApp.database.query(sql`select text from chatmessages where id = ${id}`)).toEqual([
      { text: 'As it was' },
    ])
  })
})

describe('an undo under today’s rules', () => {
  const post = async (status: string, draft: object) =>
    buildRecord(resourceApp.database, 'tradinposts', {
      title: 'Seed',
      price: 5,
      tradingposttype: kind,
      user: person('customer').id,
      status,
      ...draft,
    })

  it('restores no unmoderated text of a public post when a bulk edit is undone', async () => {
    const id = await post('on_hold', { title: 'Words that would be refused' })
    const job = await runBulkJob(person('customer'), {
      resource: 'tradinposts',
      action: set({ title: 'Wheat' }),
      selection: { ids: [id] },
    })
    await person('admin').ask('PUT', `/tradinposts/${id}`, { data: { status: 'processed' } })
    expect(await attributes(`/tradinposts/${id}`)).toMatchObject({ title: 'Wheat', status: 'processed' })
    await undoJob(person('customer'), job)
    expect(await attributes(`/tradinposts/${id}`)).toMatchObject({
      title: 'Wheat',
      status: 'processed',
      edit_state: 'waiting',
    })
  })

  it('lets users below staff change a state by bulk edit only along its transitions', async () => {
    const id = await post('expired', {})
    const job = await runBulkJob(person('customer'), {
      resource: 'tradinposts',
      action: set({ title: 'Rye' }),
      selection: { ids: [id] },
    })
    expect((await undoJob(person('customer'), job)).codes).toEqual(['state.step'])
    expect(await attributes(`/tradinposts/${id}`)).toMatchObject({ title: 'Rye', status: 'on_hold' })
  })

  it('restores for staff exactly the former values when a bulk edit is undone', async () => {
    const id = await post('processed', { expires_at: '2027-03-01T00:00:00.000Z' })
    const postBefore = await attributes(`/tradinposts/${id}`)
    const job = await runBulkJob(person('admin'), {
      resource: 'tradinposts',
      action: set({ status: 'archived' }),
      selection: { ids: [id] },
    })
    expect((await undoJob(person('admin'), job)).codes).toEqual([])
    const { status, reason, expires_at: end } = await attributes(`/tradinposts/${id}`)
    expect([status, reason, end]).toEqual([postBefore.status, postBefore.reason, postBefore.expires_at])
  })

  it('does not change the caller’s own role by bulk edit, and ends the sessions of users whose role changes', async () => {
    const secondAdmin = await buildPerson(resourceApp, 'admin')
    const roleOf = async ({ id }: TestPerson) => {
      const [row] = await resourceApp.database.query(sql<{ type: string }>`
        select r.type from users u join roles r on r.id = u.role_id where u.id = ${id}`)
      return row?.type
    }
    const role = await buildRole(resourceApp.database, 'owner')
    const bulkEdit = { resource: 'users', action: set({ role }), selection: { ids: [secondAdmin.id] } }
    const job = await runBulkJob(person('owner'), bulkEdit)
    const username = await resourceApp.database.query(sql<{ username: string }>`
      select username from users where id = ${secondAdmin.id}`)
    const repeatedAnswer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: username[0]?.username, password: 'Harvest-2026' },
    })
    const token = repeatedAnswer.json<{ jwt: string }>().jwt
    const signedIn: TestPerson = {
      ...secondAdmin,
      token,
      ask: async (method, url, body) => {
        const answer = await resourceApp.app.inject({
          method,
          url: `/api${url}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        })
        return { status: answer.statusCode, body: answer.json<unknown>(), headers: answer.headers }
      },
    }
    const { body } = await signedIn.ask('POST', `/bulk/${job.id}/undo`, { data: {} })
    expect(body).toMatchObject({ data: { changed: 0, refused: 1 } })
    expect(await roleOf(secondAdmin)).toBe('owner')

    expect((await undoJob(person('owner'), job)).job).toMatchObject({ changed: 1, refused: 0 })
    expect(await roleOf(secondAdmin)).toBe('admin')
    expect((await signedIn.ask('GET', '/users/me')).status).toBe(401)
  })

  it('increases the revision of a room when a bulk edit of it is undone, as its members count', async () => {
    const { body } = await person('customer').ask('POST', '/chatrooms', { data: { receiver: person('consultant').id } })
    const { id } = (body as { data: { id: number } }).data
    const revisionOf = async () => {
      const [row] = await resourceApp.database.query(sql<{ rev: number; state: string }>`
        select revision as rev, state from chatrooms where id = ${id}`)
      return row
    }
    const revisionBefore = await revisionOf()
    const job = await runBulkJob(person('admin'), {
      resource: 'chatrooms',
      action: set({ state: 'closed' }),
      selection: { ids: [id] },
    })
    await undoJob(person('admin'), job)
    expect(await revisionOf()).toEqual({ state: revisionBefore?.state, rev: Number(revisionBefore?.rev) + 2 })
  })

  it('never makes a record its own ancestor when a bulk edit is undone', async () => {
    const upperCategory = await buildRecord(resourceApp.database, 'productcategories', {
      name: `Upper ${nextNumber()}`,
    })
    const lowerCategory = await buildRecord(resourceApp.database, 'productcategories', {
      name: `Lower ${nextNumber()}`,
      parent: upperCategory,
    })
    const job = await runBulkJob(person('admin'), {
      resource: 'productcategories',
      action: set({ parent: null }),
      selection: { ids: [lowerCategory] },
    })
    await person('admin').ask('PUT', `/productcategories/${upperCategory}`, { data: { parent: lowerCategory } })
    expect((await undoJob(person('admin'), job)).codes).toEqual(['validation.cycle'])
  })
})

describe('a dry run', () => {
  it('emits no change in a dry run', async () => {
    const faq = await buildRecord(resourceApp.database, 'faqs', { question: 'Question', answer: '<p>Answer</p>' })
    const changedResources = new Set<string>()
    const stopListening = resourceApp.database.onChange((changes) => {
      if (changes !== 'all') for (const name of changes) changedResources.add(name)
    })
    const bulkEdit = { resource: 'faqs', action: set({ active: false }), selection: { ids: [faq] } }
    await runBulkJob(person('admin'), { ...bulkEdit, dryRun: true })
    expect([...changedResources]).not.toContain('faqs')
    await runBulkJob(person('admin'), bulkEdit)
    expect([...changedResources]).toContain('faqs')
    stopListening()
  })
})

describe('the query of a list in a body', () => {
  it.each([
    ['more conditions than an address has', { filters: { $or: Array.from({ length: 301 }, () => ({})) } }],
    ['more letters than an address has', { _q: 'x'.repeat(9_000) }],
    [
      'more levels than an address has',
      { filters: Array.from({ length: 13 }).reduce<object>((condition) => ({ $not: condition }), { order: 1 }) },
    ],
  ])('refuses the query of a list in a body with %s', async (_what, query) => {
    const bulkOrder = { resource: 'faqs', action: set({ active: true }), selection: { query, count: 1 } }
    expect((await person('admin').ask('POST', '/bulk', { data: bulkOrder })).body).toMatchObject({
      error: { status: 400, code: 'query.too-large' },
    })
    const file = { resource: 'faqs', format: 'csv', columns: ['question'], query }
    expect((await person('admin').ask('POST', '/export', { data: file })).body).toMatchObject({
      error: { status: 400, code: 'query.too-large' },
    })
  })
})

describe('an undo with fewer rights than the job had', () => {
  /** Changes an admin's post by a bulk edit, and makes the admin a farmer. */
  const demotedAfter = async (values: object) => {
    const admin = await buildPerson(resourceApp, 'admin')
    const post = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'Old',
      tradingposttype: kind,
      user: admin.id,
    })
    const job = await runBulkJob(admin, { resource: 'tradinposts', action: set(values), selection: { ids: [post] } })
    const role = await buildRole(resourceApp.database, 'authenticated')
    expect((await person('owner').ask('PUT', `/users/${admin.id}`, { role })).status).toBe(200)
    const [account] = await resourceApp.database.query(
      sql<{ username: string }>`select username from users where id = ${admin.id}`,
    )
    const authorization = `Bearer ${await tokenOf(resourceApp.app, account?.username ?? '')}`
    const farmer: TestPerson = { ...admin, ask: (method, url, body) => admin.ask(method, url, body, { authorization }) }
    return { post, job, farmer }
  }
  const rowsOf = async ({ id }: Job, actingUser: TestPerson) =>
    ((await actingUser.ask('GET', `/bulk/${id}/rows`)).body as Rows).data

  it('undoes a bulk edit of fields that the user may still write, and names the other fields', async () => {
    const { post, job, farmer } = await demotedAfter({ title: 'New', public_note: 'Noted' })
    const undoneJob = await undoJob(farmer, job)
    expect(undoneJob).toMatchObject({ job: { changed: 1, refused: 0 }, codes: ['access.denied'] })
    expect(await rowsOf(undoneJob.job, farmer)).toMatchObject([
      { outcome: 'changed', issues: [{ path: ['public_note'], code: 'access.denied' }] },
    ])
    expect(await attributes(`/tradinposts/${post}`)).toMatchObject({ title: 'Old', public_note: 'Noted' })
  })
  it('refuses to undo the change of a record if the user may write none of its changed fields', async () => {
    const { post, job, farmer } = await demotedAfter({ public_note: 'Noted' })
    const undoneJob = await undoJob(farmer, job)
    expect(undoneJob).toMatchObject({ job: { changed: 0, refused: 1 }, codes: ['access.denied'] })
    expect(await rowsOf(undoneJob.job, farmer)).toMatchObject([
      { outcome: 'refused', issues: [{ path: ['public_note'] }] },
    ])
    expect(await attributes(`/tradinposts/${post}`)).toMatchObject({ public_note: 'Noted' })
  })
})
