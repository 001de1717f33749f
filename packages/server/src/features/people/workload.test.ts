import { describe, expect, test } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const now = new Date().toISOString()

const resourceApp = startResourceApp(async (app) => {
  for (const name of ['one', 'other']) people[name] = await buildConsultant(app)
  people.admin = await buildPerson(app, 'admin')
  people.owner = await buildPerson(app, 'owner')
  people.asker = await buildPerson(app, 'authenticated')
  people.neighbour = await buildPerson(app, 'authenticated')
  const [consultantId, colleagueId, asker, neighbour] = ['one', 'other', 'asker', 'neighbour'].map(
    (name) => person(name).id,
  )
  const buildConsultation = (consultant: number | undefined, draft: object = {}) =>
    buildRecord(app.database, 'consultations', { question: 'Q', user: asker, consultant, ...draft })
  await buildConsultation(consultantId)
  await buildConsultation(consultantId, { answer: '<p>A</p>', answered_at: now })
  await buildConsultation(consultantId, { answer: '<p>A</p>', answered_at: now, finished_at: now })
  await buildConsultation(consultantId, { finished_at: now, finish_reason: 'Asked twice' })
  await buildConsultation(undefined)
  const room = (draft: object) => buildRecord(app.database, 'chatrooms', { state: 'open', ...draft })
  await room({ sender: asker, receiver: consultantId, waiting_since: now })
  // After a handover both consultants know the chat room, and the other one has to reply.
  await room({ sender: neighbour, receiver: consultantId, assignee: colleagueId, waiting_since: now })
  await room({ sender: asker, receiver: colleagueId, state: 'closed' })
})

function person(name: string): TestPerson {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const readWorkloadOf = (callerName: string, ids: string) =>
  person(callerName).ask('GET', `/consultants/load?ids=${ids}`)
const ids = (...names: string[]) => names.map((name) => person(name).id).join(',')
const firstFigures = { open: 2, answered: 2, finished: 2, all: 4, rooms: 2, waiting: 1 }
const secondFigures = { open: 0, answered: 0, finished: 0, all: 0, rooms: 2, waiting: 1 }

describe('GET /consultants/load', () => {
  test('counts the assigned cases of each consultant and the rooms of each', async () => {
    expect(await readWorkloadOf('admin', ids('other', 'one', 'one'))).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: person('one').id, ...firstFigures },
          { id: person('other').id, ...secondFigures },
        ],
      },
    })
  })

  test('shows staff the workload of users below their rank, and consultants only their own workload', async () => {
    const idsFor = async (callerName: string) => {
      const { body } = await readWorkloadOf(callerName, `${ids('one', 'other', 'owner')},999999`)
      return (body as { data: { id: number }[] }).data.map(({ id }) => id)
    }
    expect(await idsFor('admin')).toEqual([person('one').id, person('other').id])
    expect(await idsFor('owner')).toEqual([person('one').id, person('other').id, person('owner').id])
    expect(await idsFor('one')).toEqual([person('one').id])
    expect((await readWorkloadOf('one', ids('one'))).body).toMatchObject({ data: [firstFigures] })
    expect((await readWorkloadOf('one', ids('other'))).body).toEqual({ data: [] })
  })

  test('refuses the workload of consultants to everybody except staff and consultants', async () => {
    expect((await readWorkloadOf('asker', ids('asker'))).status).toBe(403)
    const answer = await resourceApp.app.inject({ url: '/api/consultants/load?ids=1' })
    expect(answer.statusCode).toBe(401)
  })

  test.each([
    '',
    '0',
    '-1',
    'x',
    '1,,2',
    '1;2',
    '99999999999',
    Array.from({ length: 101 }, (_, index) => index + 1).join(','),
  ])('refuses the ids %j for the workload', async (value) => {
    expect(await readWorkloadOf('admin', value)).toMatchObject({
      status: 400,
      body: { error: { code: 'query.value' } },
    })
  })
})
