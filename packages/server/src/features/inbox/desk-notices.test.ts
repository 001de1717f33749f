import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { build } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const here = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.asker = await buildPerson(app, 'authenticated', { name: 'Aysánem', surname: 'Bekova' })
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const found = people[name]
  if (!found) throw new Error(name)
  return found
}
beforeEach(() => here.database.query(sql`delete from notices`))

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
const post = async (who: string, url: string, data: object) =>
  expect((await person(who).ask('POST', url, { data })).status).toBe(200)
const params = { customer: 'Aysánem Bekova' }

describe('notices of consultations', () => {
  const question = (draft: object = {}) =>
    build(here.database, 'consultations', { question: 'Q', user: person('asker').id, ...draft })

  it('notifies the new consultant of each assignment, and nobody else', async () => {
    const id = await question()
    const address = `/consultation/${id}`
    await post('admin', `/consultations/${id}/assign`, { to: person('consultant').id })
    expect(await inboxOf('consultant')).toEqual([{ kind: 'consultation.assigned', params, address }])
    await post('admin', `/consultations/${id}/assign`, { to: person('colleague').id })
    await post('admin', `/consultations/${id}/assign`, { to: person('consultant').id })
    expect(await inboxOf('consultant')).toHaveLength(2)
    expect(await inboxOf('colleague')).toHaveLength(1)
    for (const name of ['admin', 'asker']) expect(await inboxOf(name)).toEqual([])
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

describe('notices of chat rooms', () => {
  const room = () => build(here.database, 'chatrooms', { sender: person('asker').id, state: 'open' })

  it('notifies the new owner of a hand-over, but not a consultant who takes the room', async () => {
    const id = await room()
    await post('consultant', `/chatrooms/${id}/assign`, { to: person('consultant').id })
    expect(await inboxOf('consultant')).toEqual([])
    await post('consultant', `/chatrooms/${id}/assign`, { to: person('colleague').id, note: 'Away' })
    expect(await inboxOf('colleague')).toEqual([{ kind: 'chat.assigned', params, address: `/chats/${id}` }])
  })

  it('sends no notice of chats to an owner who has switched them off', async () => {
    await here.database.query(sql`update users set chat_notify = 'none' where id = ${person('colleague').id}`)
    await post('admin', `/chatrooms/${await room()}/assign`, { to: person('colleague').id, note: 'Away' })
    expect(await inboxOf('colleague')).toEqual([])
  })
})
