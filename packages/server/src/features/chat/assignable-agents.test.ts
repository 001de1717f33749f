import { sql } from '../../db/sql.ts'
import { describe, expect, test } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import type { AssignableAgent } from '@dala/model'

const people: Record<string, TestPerson> = {}

const resourceApp = startResourceApp(async (app) => {
  for (const name of ['one', 'busy', 'away', 'gone']) people[name] = await buildConsultant(app)
  people.admin = await buildPerson(app, 'admin')
  people.asker = await buildPerson(app, 'authenticated')
  const [busyId, blockedId, awayId] = ['busy', 'gone', 'away'].map((name) => person(name).id)
  const { database } = app
  const room = (draft: object) =>
    buildRecord(database, 'chatrooms', { sender: person('asker').id, state: 'open', ...draft })
  await room({ receiver: busyId })
  await room({ receiver: person('one').id, assignee: busyId })
  await room({ receiver: awayId, state: 'closed' })
  await database.transaction((trx) => trx.query(sql`update users set blocked = true where id = ${blockedId}`))
  await database.transaction((trx) =>
    trx.query(sql`update users set last_seen_at = now() - interval '1 hour' where id <> ${busyId}`),
  )
  await database.transaction((trx) => trx.query(sql`update users set last_seen_at = now() where id = ${busyId}`))
})

function person(name: string): TestPerson {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const readAgents = async (callerName: string, query = '') => {
  const { status, body } = await person(callerName).ask('GET', `/chatrooms/takers?${query}`)
  return { status, list: (body as { data: AssignableAgent[] | null }).data ?? [] }
}

describe('GET /api/chatrooms/takers', () => {
  test('lists assignable users who are online first, with the number of their open rooms', async () => {
    const { list } = await readAgents('one')
    expect(list.map(({ consultant: { id }, online, open }) => [id, online, open])).toEqual([
      [person('busy').id, true, 2],
      [person('away').id, false, 0],
    ])
  })

  test('finds assignable consultants by a word of the name', async () => {
    const { username } = (await readAgents('admin')).list[0]?.consultant ?? { username: '' }
    expect((await readAgents('admin', `q=${username}`)).list.map(({ consultant }) => consultant.username)).toEqual([
      username,
    ])
    expect((await readAgents('admin', 'q=nobodyiscalledso')).list).toEqual([])
  })

  test('shows the categories of assignable consultants that the caller may read', async () => {
    for (const [name, isActive] of [
      ['Bees', true],
      ['Drones', false],
    ] as const) {
      const category = await buildRecord(resourceApp.database, 'consultantcategories', { name, active: isActive })
      await resourceApp.ask('PUT', `/users/${person('busy').id}`, { consultantcategories: { connect: [category] } })
    }
    const namesOf = async (callerName: string) =>
      (await readAgents(callerName)).list.find(({ consultant }) => consultant.id === person('busy').id)?.categories
    expect([await namesOf('admin'), await namesOf('one')]).toEqual([['Bees', 'Drones'], ['Bees']])
  })

  test('lists assignable users for the desk alone', async () => {
    expect((await readAgents('asker')).status).toBe(403)
    expect((await resourceApp.app.inject({ url: '/api/chatrooms/takers' })).statusCode).toBe(401)
  })
})
