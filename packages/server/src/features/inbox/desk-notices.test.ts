import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { OverdueSweep } from '../consultations/overdue-sweep.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.asker = await buildPerson(app, 'authenticated', { name: 'Aysánem', surname: 'Bekova' })
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from notices`)
  await resourceApp.database.query(sql`delete from consultations`)
})

interface Notice {
  kind: string
  params: object
  address: string
}
const inboxOf = async (name: string) =>
  ((await person(name).ask('GET', '/notices')).body as { data: Notice[] }).data.map(({ kind, params, address }) => ({
    kind,
    params,
    address,
  }))
const post = async (callerName: string, url: string, data: object) =>
  expect((await person(callerName).ask('POST', url, { data })).status).toBe(200)
const params = { customer: 'Aysánem Bekova' }

const question = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'consultations', { question: 'Q', user: person('asker').id, ...draft })

describe('notices of consultations', () => {
  it('notifies the new consultant of each assignment, and nobody else', async () => {
    const id = await question()
    const address = `/consultation/${id}`
    await post('admin', `/consultations/${id}/assign`, { to: person('consultant').id, note: 'n' })
    expect(await inboxOf('consultant')).toEqual([{ kind: 'consultation.assigned', params, address }])
    await post('admin', `/consultations/${id}/assign`, { to: person('colleague').id, note: 'n' })
    await post('admin', `/consultations/${id}/assign`, { to: person('consultant').id, note: 'n' })
    expect(await inboxOf('consultant')).toHaveLength(2)
    expect(await inboxOf('colleague')).toHaveLength(1)
    for (const name of ['admin', 'asker']) expect(await inboxOf(name)).toEqual([])
  })

  it('notifies the new consultant of an edit of the record, once, and not of an undo', async () => {
    const id = await question()
    const address = `/consultation/${id}`
    const edit = async (callerName: string, data: object) =>
      expect((await person(callerName).ask('PUT', `/consultations/${id}`, { data })).status).toBe(200)
    await edit('admin', { consultant: person('colleague').id, question: 'Q2' })
    await edit('admin', { consultant: person('colleague').id, question: 'Q3' })
    expect(await inboxOf('colleague')).toEqual([{ kind: 'consultation.assigned', params, address }])
    await edit('admin', { consultant: null })
    expect(await inboxOf('colleague')).toHaveLength(1)
    for (const name of ['admin', 'asker', 'consultant']) expect(await inboxOf(name)).toEqual([])
  })

  it('notifies the new consultant of each record of a bulk edit', async () => {
    const ids = [await question(), await question()]
    const action = { kind: 'set', values: { consultant: person('colleague').id } }
    const data = { resource: 'consultations', action, selection: { ids } }
    const { status } = await person('admin').ask('POST', '/bulk', { data })
    expect(status).toBeLessThan(300)
    await expect
      .poll(async () => (await inboxOf('colleague')).map(({ kind }) => kind))
      .toEqual(['consultation.assigned', 'consultation.assigned'])
  })

  it('sends no notice to a consultant who takes a free consultation', async () => {
    await post('consultant', `/consultations/${await question()}/assign`, { to: person('consultant').id })
    expect(await inboxOf('consultant')).toEqual([])
  })

  it('notifies the consultant of a reopened consultation', async () => {
    const finished_at = new Date().toISOString()
    const id = await question({ consultant: person('consultant').id, finished_at })
    await post('asker', `/consultations/${id}/reopen`, { reason: 'Still ill' })
    const address = `/consultation/${id}`
    expect(await inboxOf('consultant')).toEqual([{ kind: 'consultation.reopened', params, address }])
  })
})

describe('notices of questions', () => {
  const ask = async (callerName: string, data: object = {}) => {
    const { status, body } = await person(callerName).ask('POST', '/consultations', {
      data: { question: 'Q', ...data },
    })
    expect(status).toBe(200)
    return (body as { data: { id: number } }).data.id
  }

  it('notifies all consultants of a new question, and then those who have answered in its category', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'Wheat' })
    const firstQuestion = await ask('asker', { category })
    for (const name of ['consultant', 'colleague'])
      expect(await inboxOf(name)).toEqual([
        { kind: 'consultation.asked', params, address: `/consultation/${firstQuestion}` },
      ])
    await post('admin', `/consultations/${firstQuestion}/assign`, { to: person('colleague').id, note: 'n' })
    const answer = { data: { answer: '<p>Sow later</p>' } }
    expect((await person('colleague').ask('PUT', `/consultations/${firstQuestion}`, answer)).status).toBe(200)
    await ask('asker', { category })
    expect(await inboxOf('consultant')).toHaveLength(1)
    expect((await inboxOf('colleague')).map(({ kind }) => kind)).toEqual([
      'consultation.asked',
      'consultation.assigned',
      'consultation.asked',
    ])
    for (const name of ['admin', 'asker']) expect(await inboxOf(name)).toEqual([])
  })

  it('notifies the consultant whom a new question names, and nobody of one that is answered', async () => {
    const user = person('asker').id
    const id = await ask('admin', { user, consultant: person('colleague').id })
    expect(await inboxOf('colleague')).toEqual([
      { kind: 'consultation.assigned', params, address: `/consultation/${id}` },
    ])
    await ask('admin', { user, answer: '<p>Yes</p>' })
    expect(await inboxOf('consultant')).toEqual([])
  })

  it('notifies the consultant and staff once of each time that a question is overdue', async () => {
    const overdueSweep = new OverdueSweep(resourceApp.database)
    const lateQuestion = await question({ consultant: person('consultant').id })
    await question()
    const age = (interval: string) =>
      resourceApp.database.query(
        sql`update consultations set due_at = now() - ${interval}::interval where id = ${lateQuestion}`,
      )
    await age('2 days')
    expect(await overdueSweep.sweep()).toBe(0)
    await age('3 hours')
    await Promise.all([overdueSweep.sweep(), new OverdueSweep(resourceApp.database).sweep()])
    expect(await overdueSweep.sweep()).toBe(0)
    for (const name of ['consultant', 'admin'])
      expect(await inboxOf(name)).toEqual([
        { kind: 'consultation.overdue', params, address: `/consultation/${lateQuestion}` },
      ])
    expect(await inboxOf('colleague')).toEqual([])
    await resourceApp.database.query(sql`update consultations set turn = turn + 1 where id = ${lateQuestion}`)
    expect(await overdueSweep.sweep()).toBe(1)
    expect(await inboxOf('consultant')).toHaveLength(2)
  })
})

describe('notices of chat rooms', () => {
  const room = () => buildRecord(resourceApp.database, 'chatrooms', { sender: person('asker').id, state: 'open' })

  it('notifies the new owner of a hand-over, but not a consultant who takes the room', async () => {
    const id = await room()
    await post('consultant', `/chatrooms/${id}/assign`, { to: person('consultant').id })
    expect(await inboxOf('consultant')).toEqual([])
    await post('consultant', `/chatrooms/${id}/assign`, { to: person('colleague').id, note: 'Away' })
    expect(await inboxOf('colleague')).toEqual([{ kind: 'chat.assigned', params, address: `/chats/${id}` }])
  })

  it('sends no notice of chats to an owner who has switched them off', async () => {
    await resourceApp.database.query(sql`update users set chat_notify = 'none' where id = ${person('colleague').id}`)
    await post('admin', `/chatrooms/${await room()}/assign`, { to: person('colleague').id, note: 'Away' })
    expect(await inboxOf('colleague')).toEqual([])
  })
})
