import type { RoutingDecision, RoutingTrial } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { startDesk } from '../../testing/desk.ts'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, type TestPerson } from '../../testing/people.ts'
import { DeskSweep } from '../chat/desk/sweep.ts'

const testDesk = startDesk()
const database = () => testDesk.app.database
const day = '1-7 00:00-24:00'
const idOf = (name: Parameters<typeof testDesk.person>[0]) => testDesk.person(name).id

beforeEach(async () => {
  for (const table of ['notices', 'consultations', 'chatrooms', 'routingrules', 'absences'])
    await database().query(sql`delete from ${sql.table(table)}`)
  await database().query(sql`delete from users_answers_categories`)
  await database().query(sql`delete from users_answers_regions`)
  await database().query(sql`
    update users set working_hours = ${day}, max_open = null, answers_ru = false`)
})

const buildRule = (draft: object = {}) => buildRecord(database(), 'routingrules', { name: 'All to the best', ...draft })
const askQuestion = async (questioner: TestPerson = testDesk.person('customer'), draft: object = {}) => {
  const { status, body } = await questioner.ask('POST', '/consultations', { data: { question: 'Why?', ...draft } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { data: { id: number } }).data.id
}
const consultantOf = async (id: number) => {
  const [row] = await database().query(
    sql<{ id: number | null }>`select consultant_id as id from consultations where id = ${id}`,
  )
  return row?.id ?? null
}
const decisionsOf = async (path: string) =>
  (await testDesk.read<{ data: RoutingDecision[] }>('admin', `${path}/routing`)).data
const reasonCodesOf = ({ reasons }: Pick<RoutingTrial, 'reasons'>): Record<string, string[]> =>
  Object.fromEntries(reasons.map(({ person, codes }) => [String(person?.id), codes]))
const tryRouting = async (data: object = {}, callerName: Parameters<typeof testDesk.ask>[0] = 'admin') => {
  const { status, body } = await testDesk.ask(callerName, 'POST', '/routing/try', data)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data as RoutingTrial
}

describe('a new consultation', () => {
  it('leaves a new consultation in the queue without an active rule, and stores no decision', async () => {
    await buildRule({ active: false })
    const id = await askQuestion()
    expect(await consultantOf(id)).toBeNull()
    expect(await decisionsOf(`/consultations/${id}`)).toEqual([])
  })

  it('assigns a consultation to the best available consultant, with the rule as the note, a notice and the reasons', async () => {
    const rule = await buildRule()
    const busyQuestion = await buildRecord(database(), 'consultations', {
      question: 'Q',
      consultant: idOf('consultant'),
    })
    const id = await askQuestion()
    expect(await consultantOf(id)).toBe(idOf('colleague'))
    expect(
      await database().query(
        sql`select action, from_user_id, to_user_id, note, user_id from consultation_steps where consultation_id = ${id}`,
      ),
    ).toEqual([
      { action: 'assign', from_user_id: null, to_user_id: idOf('colleague'), note: 'All to the best', user_id: null },
    ])
    expect(await database().query(sql`select user_id, kind, address from notices`)).toEqual([
      { user_id: idOf('colleague'), kind: 'consultation.assigned', address: `/consultation/${id}` },
    ])
    const [decision] = await decisionsOf(`/consultations/${id}`)
    expect(decision).toMatchObject({
      person: { id: idOf('colleague') },
      rule: { id: rule, name: 'All to the best' },
      rules: [{ id: rule, outcome: 'decided' }],
    })
    expect(decision?.reasons[0]).toMatchObject({
      person: { id: idOf('colleague') },
      codes: ['chosen'],
      open: 0,
      limit: null,
    })
    expect(reasonCodesOf(decision ?? { reasons: [] })).toMatchObject({ [idOf('consultant')]: ['busier'] })
    expect(busyQuestion).toBeGreaterThan(0)
  })

  it('assigns a consultation by its category, region and language to the person of the rule', async () => {
    const parent = await buildRecord(database(), 'consultationcategories', { name: 'Plants' })
    const category = await buildRecord(database(), 'consultationcategories', { name: 'Cotton', parent })
    const region = await buildRecord(database(), 'regions', { name: 'Nukus' })
    const person = idOf('consultant')
    await buildRule({ name: 'Cotton', category: parent, region, language: 'kaa', action: 'person', person })
    await buildRule({ name: 'Others', action: 'queue', order: 1 })
    expect(
      await consultantOf(await askQuestion(testDesk.person('customer'), { category, region, language: 'kaa' })),
    ).toBe(person)
    expect(
      await consultantOf(await askQuestion(testDesk.person('customer'), { category, region, language: 'ru' })),
    ).toBeNull()
    expect(await consultantOf(await askQuestion(testDesk.person('customer'), { region, language: 'kaa' }))).toBeNull()
  })

  it('routes a consultation without region and language by those of its customer', async () => {
    const region = await buildRecord(database(), 'regions', { name: 'Khiva' })
    const document = sql`(select document_id from regions_texts where id = ${region})`
    await database().query(sql`update users set region_id = ${document} where id = ${idOf('customer')}`)
    await buildRule({ region, language: 'ru' })
    expect(await consultantOf(await askQuestion())).not.toBeNull()
    await database().query(sql`update users set region_id = null`)
    expect(await consultantOf(await askQuestion())).toBeNull()
  })

  it('assigns no consultation to its own customer, to absent people, or to people beyond their hours and limits', async () => {
    await buildRule()
    const now = Date.now()
    const iso = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    await buildRecord(database(), 'absences', { user: idOf('consultant'), starts_at: iso(-60), ends_at: iso(60) })
    const askedQuestion = await askQuestion(testDesk.person('colleague'))
    const [decision] = await decisionsOf(`/consultations/${askedQuestion}`)
    expect(reasonCodesOf(decision ?? { reasons: [] })).toMatchObject({
      [idOf('consultant')]: ['absent'],
      [idOf('colleague')]: ['asker'],
    })
    await database().query(sql`update users set max_open = 0 where id = ${idOf('colleague')}`)
    const [limitedDecision] = await decisionsOf(`/consultations/${await askQuestion()}`)
    expect(limitedDecision).toMatchObject({ person: null, rule: null, rules: [{ outcome: 'nobody' }] })
    expect(reasonCodesOf(limitedDecision ?? { reasons: [] })).toMatchObject({ [idOf('colleague')]: ['limit'] })
    await database().query(sql`update absences set ends_at = now() - interval '1 second'`)
    expect(await consultantOf(await askQuestion())).toBe(idOf('consultant'))
  })

  it('does not route a consultation that staff create with a consultant or with an answer', async () => {
    await buildRule({ action: 'person', person: idOf('colleague') })
    const givenQuestion = await askQuestion(testDesk.person('admin'), {
      consultant: idOf('consultant'),
      user: idOf('customer'),
    })
    const answeredQuestion = await askQuestion(testDesk.person('admin'), {
      answer: '<p>Because</p>',
      user: idOf('customer'),
    })
    expect(await consultantOf(givenQuestion)).toBe(idOf('consultant'))
    expect(await consultantOf(answeredQuestion)).toBeNull()
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('does not route a consultation in trusted writes, in a restore and in an undo', async () => {
    await buildRule()
    const id = await buildRecord(database(), 'consultations', { question: 'Q', user: idOf('customer') })
    expect(await consultantOf(id)).toBeNull()
    expect((await testDesk.ask('admin', 'DELETE', `/consultations/${id}`)).status).toBe(200)
    expect((await testDesk.ask('admin', 'POST', `/consultations/${id}/restore`)).status).toBe(200)
    expect(await consultantOf(id)).toBeNull()
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('respects the limit of a consultant when several questions arrive concurrently', async () => {
    await buildRule()
    await database().query(sql`update users set max_open = 1 where id = ${idOf('consultant')}`)
    await database().query(sql`update users set max_open = 2 where id = ${idOf('colleague')}`)
    const ids = await Promise.all(Array.from({ length: 6 }, () => askQuestion()))
    const owners = await Promise.all(ids.map(consultantOf))
    expect(owners.filter((owner) => owner === idOf('consultant'))).toHaveLength(1)
    expect(owners.filter((owner) => owner === idOf('colleague'))).toHaveLength(2)
    expect(owners.filter((owner) => owner === null)).toHaveLength(3)
  })

  it('assigns no consultation to a user who is blocked at the same moment', async () => {
    const leavingConsultant = await buildConsultant(testDesk.app)
    await database().query(sql`update users set working_hours = ${day} where id = ${leavingConsultant.id}`)
    await buildRule()
    const reason = { reason: 'Left', handover: { to: null } }
    const block = testDesk.app.ask('POST', `/users/${leavingConsultant.id}/block`, reason, 'owner')
    const ids = await Promise.all(Array.from({ length: 6 }, () => askQuestion()))
    expect((await block).status).toBe(200)
    for (const id of ids) expect(await consultantOf(id)).not.toBe(leavingConsultant.id)
    const [lastDecision] = await decisionsOf(`/consultations/${await askQuestion()}`)
    expect(reasonCodesOf(lastDecision ?? { reasons: [] })).toMatchObject({ [leavingConsultant.id]: ['unavailable'] })
    await database().query(sql`update users set is_consultant = false where id = ${leavingConsultant.id}`)
  })

  it('restores a consultation from the trash with its routing decision', async () => {
    await buildRule()
    const id = await askQuestion()
    const decisionsBefore = await decisionsOf(`/consultations/${id}`)
    await testDesk.ask('admin', 'DELETE', `/consultations/${id}`)
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
    await testDesk.ask('admin', 'POST', `/consultations/${id}/restore`)
    expect(decisionsBefore).toHaveLength(1)
    expect(await decisionsOf(`/consultations/${id}`)).toEqual(decisionsBefore)
  })
})

describe('a chat room', () => {
  it('routes a chat room with its first question, and not again with later messages', async () => {
    await buildRule()
    const room = await testDesk.room(null)
    expect((await testDesk.row(room)).assignee_id).toBeNull()
    await testDesk.sendMessage('customer', room)
    const { assignee_id: owner } = await testDesk.row(room)
    expect([idOf('consultant'), idOf('colleague')]).toContain(owner)
    const changes = await database().query(sql<{ type: string; audience: string; data: unknown; user: number | null }>`
      select type, audience, data, user_id as "user" from room_changes where room_id = ${room} order by rev`)
    expect(changes.map(({ type }) => type)).toEqual(['created', 'assigned'])
    expect(changes[1]).toEqual({
      type: 'assigned',
      audience: 'staff',
      data: { from: null, to: owner, note: 'All to the best' },
      user: null,
    })
    expect(await database().query(sql`select user_id from notices where kind = 'chat.assigned'`)).toEqual([
      { user_id: owner },
    ])
    await testDesk.sendMessage('customer', room)
    expect(await decisionsOf(`/chatrooms/${room}`)).toHaveLength(1)
  })

  it('returns the revision of the message to the customer of a routed room, and lets the consultant reply', async () => {
    await buildRule({ action: 'person', person: idOf('consultant') })
    const room = await testDesk.room(null)
    const { body } = await testDesk.ask('customer', 'POST', '/chatmessages', { room, text: 'Help' })
    expect(body).toMatchObject({ rev: 1 })
    await testDesk.sendMessage('consultant', room)
    expect((await testDesk.row(room)).waiting_since).toBeNull()
  })

  it('routes a chat room in a new episode only when nobody owns the room', async () => {
    const room = await testDesk.room(null)
    await testDesk.sendMessage('customer', room)
    expect((await testDesk.row(room)).assignee_id).toBeNull()
    await buildRule({ action: 'person', person: idOf('colleague') })
    await testDesk.sendMessage('customer', room)
    expect((await testDesk.row(room)).assignee_id).toBeNull()
    await testDesk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await testDesk.sendMessage('customer', room)
    expect((await testDesk.row(room)).assignee_id).toBe(idOf('colleague'))
    const ownedRoom = await testDesk.room('consultant')
    await testDesk.sendMessage('customer', ownedRoom)
    expect(await testDesk.row(ownedRoom)).toMatchObject({ assignee_id: null, receiver_id: idOf('consultant') })
    expect(await decisionsOf(`/chatrooms/${ownedRoom}`)).toEqual([])
  })

  it('routes a chat room to another consultant when its owner is late, and to the queue after the last one', async () => {
    await buildRule()
    const runSweep = () => new DeskSweep(database()).sweep((error) => expect.unreachable(String(error)))
    const passRoomTarget = (room: number) =>
      database().query(sql`
        with late as (update room_changes set created_at = created_at - interval '30 days' where room_id = ${room} returning 1)
        update chatrooms set waiting_since = waiting_since - interval '30 days', warn_at = warn_at - interval '30 days',
               due_at = due_at - interval '30 days' where id = ${room}`)
    const room = await testDesk.room(null)
    await testDesk.sendMessage('customer', room)
    const { assignee_id: firstAssignee } = await testDesk.row(room)
    await passRoomTarget(room)
    expect(await runSweep()).toMatchObject({ returned: 1 })
    const { assignee_id: secondAssignee } = await testDesk.row(room)
    expect(new Set([firstAssignee, secondAssignee])).toEqual(new Set([idOf('consultant'), idOf('colleague')]))
    expect(await database().query(sql`select id from notices where kind = 'desk.returned'`)).toEqual([])
    const [decision] = await decisionsOf(`/chatrooms/${room}`)
    expect(reasonCodesOf(decision ?? { reasons: [] })).toMatchObject({ [Number(firstAssignee)]: ['late'] })
    await passRoomTarget(room)
    expect(await runSweep()).toMatchObject({ returned: 1 })
    expect(await testDesk.row(room)).toMatchObject({ assignee_id: null, receiver_id: null })
    const [lastDecision] = await decisionsOf(`/chatrooms/${room}`)
    expect(lastDecision).toMatchObject({ person: null, rule: null })
    expect(reasonCodesOf(lastDecision ?? { reasons: [] })).toMatchObject({
      [Number(firstAssignee)]: ['late'],
      [Number(secondAssignee)]: ['late'],
    })
    expect(await database().query(sql`select distinct kind from notices where kind = 'desk.returned'`)).toHaveLength(1)
  })
})

describe('POST /api/routing/try', () => {
  it('returns who would get a question, and writes nothing', async () => {
    const rule = await buildRule({ action: 'person', person: idOf('colleague') })
    const answer = await tryRouting()
    expect(answer).toMatchObject({
      person: { id: idOf('colleague') },
      rule: { id: rule },
      rules: [{ id: rule, outcome: 'decided' }],
    })
    expect(reasonCodesOf(answer)).toEqual({ [idOf('colleague')]: ['chosen'], [idOf('consultant')]: ['not-named'] })
    expect(answer.reasons[0]?.person?.id).toBe(idOf('colleague'))
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('compares working hours and absences with the given time of a routing trial', async () => {
    await buildRule()
    await database().query(sql`update users set working_hours = '1 09:00-10:00' where id = ${idOf('consultant')}`)
    await buildRecord(database(), 'absences', {
      user: idOf('colleague'),
      starts_at: '2026-11-30T04:00:00.000Z',
      ends_at: '2026-11-30T05:00:00.000Z',
    })
    const readReasonsAt = async (time: string) => reasonCodesOf(await tryRouting({ at: time }))
    expect(await readReasonsAt('2026-11-30T04:30:00Z')).toMatchObject({
      [idOf('consultant')]: ['chosen'],
      [idOf('colleague')]: ['absent'],
    })
    expect(await readReasonsAt('2026-11-30T05:00:00Z')).toMatchObject({
      [idOf('consultant')]: ['off-hours'],
      [idOf('colleague')]: ['chosen'],
    })
  })

  it('compares the topics that a person answers with the question of a routing trial', async () => {
    await buildRule()
    const [category, otherCategory] = await Promise.all([
      buildRecord(database(), 'consultationcategories', { name: 'Bees' }),
      buildRecord(database(), 'consultationcategories', { name: 'Soil' }),
    ])
    const { status } = await testDesk.app.ask('PUT', `/users/${idOf('consultant')}`, {
      answers_categories: [category],
      answers_ru: true,
    })
    expect(status).toBe(200)
    expect(reasonCodesOf(await tryRouting({ category, language: 'ru' }))).not.toMatchObject({
      [idOf('consultant')]: ['category'],
    })
    expect(reasonCodesOf(await tryRouting({ category: otherCategory, language: 'uz' }))).toMatchObject({
      [idOf('consultant')]: ['category', 'language'],
    })
  })

  it('shows a consultant only their own reasons in a routing trial', async () => {
    await buildRule({ action: 'person', person: idOf('colleague') })
    const answer = await tryRouting({}, 'consultant')
    expect(answer.person?.id).toBe(idOf('colleague'))
    expect(reasonCodesOf(answer)).toEqual({ [idOf('consultant')]: ['not-named'] })
  })

  it.each([
    ['category', { category: 999_999 }],
    ['region', { region: 999_999 }],
    ['category', { category: 'x' }],
    ['language', { language: 'de' }],
    ['at', { at: 'yesterday' }],
  ])('refuses a routing trial for a question with a wrong %s', async (field, data) => {
    const { status, body } = await testDesk.ask('admin', 'POST', '/routing/try', data)
    expect(status).toBe(422)
    expect(body.error?.details.errors?.map(({ path }) => path)).toEqual([[field]])
  })

  it('refuses a routing trial of customers', async () => {
    expect((await testDesk.ask('customer', 'POST', '/routing/try', {})).status).toBe(403)
  })
})

describe('the decisions about a case', () => {
  it('shows routing decisions to staff, and to the consultant of the case with only their own reasons', async () => {
    await buildRule({ action: 'person', person: idOf('consultant') })
    const id = await askQuestion()
    const room = await testDesk.room(null)
    await testDesk.sendMessage('customer', room)
    for (const path of [`/consultations/${id}/routing`, `/chatrooms/${room}/routing`]) {
      expect((await testDesk.ask('customer', 'GET', path)).status).toBe(403)
      expect((await testDesk.ask('neighbour', 'GET', path)).status).toBe(404)
      expect((await testDesk.ask('colleague', 'GET', path)).status).toBe(404)
      const { data } = await testDesk.read<{ data: RoutingDecision[] }>('consultant', path)
      expect(reasonCodesOf(data[0] ?? { reasons: [] })).toEqual({ [idOf('consultant')]: ['chosen'] })
      const allDecisions = await testDesk.read<{ data: RoutingDecision[] }>('admin', path)
      expect(Object.keys(reasonCodesOf(allDecisions.data[0] ?? { reasons: [] }))).toHaveLength(2)
    }
  })

  it('refuses the routing decisions about their own question to a consultant', async () => {
    await buildRule()
    const id = await askQuestion(testDesk.person('consultant'))
    expect((await testDesk.ask('consultant', 'GET', `/consultations/${id}/routing`)).status).toBe(403)
  })
})

describe('rules', () => {
  const createRule = (data: object, callerName: Parameters<typeof testDesk.ask>[0] = 'admin') =>
    testDesk.ask(callerName, 'POST', '/routingrules', { name: 'Rule', ...data })

  it('lets consultants read routing rules, and only admins change them', async () => {
    expect((await createRule({}, 'consultant')).status).toBe(403)
    expect((await createRule({}, 'customer')).status).toBe(403)
    expect((await createRule({})).status).toBe(200)
    expect((await testDesk.ask('consultant', 'GET', '/routingrules')).body.data).toHaveLength(1)
    expect((await testDesk.ask('customer', 'GET', '/routingrules')).status).toBe(403)
  })

  it('accepts in a routing rule only a person who answers customers', async () => {
    const wrongRule = async (data: object) => {
      const { status, body } = await createRule({ action: 'person', ...data })
      return [status, body.error?.code]
    }
    expect(await wrongRule({})).toEqual([422, 'routing.person-missing'])
    expect(await wrongRule({ person: idOf('customer') })).toEqual([422, 'desk.no-consultant'])
    expect((await wrongRule({ person: 999_999 }))[0]).toBe(400)
    expect((await createRule({ action: 'person', person: idOf('consultant') })).status).toBe(200)
    expect((await createRule({ action: 'person', person: idOf('admin') })).status).toBe(200)
  })

  it('accepts at most 200 routing rules, also when the last ones are added concurrently', async () => {
    await database().query(sql`
      insert into routingrules (name, active) select 'Rule ' || n, false from generate_series(1, 198) n`)
    const answers = await Promise.all([createRule({}), createRule({}), createRule({})])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 422])
    expect((await createRule({})).body.error?.code).toBe('routing.too-many')
  })

  it('refuses to delete the category or the region of a routing rule', async () => {
    const category = await buildRecord(database(), 'consultationcategories', { name: 'Silk' })
    await createRule({ category })
    expect((await testDesk.ask('admin', 'DELETE', `/consultationcategories/${category}`)).status).toBe(409)
  })
})

describe('absences', () => {
  const absenceTimes = { starts_at: '2026-12-01T04:00:00.000Z', ends_at: '2026-12-05T04:00:00.000Z' }
  const createAbsence = (callerName: Parameters<typeof testDesk.ask>[0], data: object = {}) =>
    testDesk.ask(callerName, 'POST', '/absences', { ...absenceTimes, ...data })

  it('lets consultants enter their own absences, and admins those of everybody', async () => {
    const absenceAnswer = await createAbsence('consultant', { user: idOf('colleague'), note: 'Family' })
    expect(absenceAnswer.status).toBe(200)
    const [storedAbsence] = await database().query(sql<{ user: number }>`select user_id as "user" from absences`)
    expect(storedAbsence?.user).toBe(idOf('consultant'))
    expect((await createAbsence('admin', { user: idOf('colleague') })).status).toBe(200)
    expect((await testDesk.ask('consultant', 'GET', '/absences')).body.data).toHaveLength(1)
    expect((await testDesk.ask('admin', 'GET', '/absences')).body.data).toHaveLength(2)
    expect((await createAbsence('customer')).status).toBe(403)
  })

  it('requires an absence to end after its start, and its person to answer customers', async () => {
    const { status } = await createAbsence('consultant', {
      ends_at: absenceTimes.starts_at,
      starts_at: absenceTimes.ends_at,
    })
    expect(status).toBe(422)
    expect((await createAbsence('admin', { user: idOf('customer') })).body.error?.code).toBe('desk.no-consultant')
  })

  it('deletes absences with the account of their person, also when the account stays as a removed user', async () => {
    const leavingConsultant = await buildConsultant(testDesk.app)
    await createAbsence('admin', { user: leavingConsultant.id, note: 'Ill' })
    await buildRecord(database(), 'consultations', { question: 'Q', user: leavingConsultant.id })
    expect((await testDesk.app.ask('DELETE', `/users/${leavingConsultant.id}`)).status).toBe(200)
    expect(await database().query(sql`select id from absences`)).toEqual([])
  })
})

describe('the questions that a person answers', () => {
  it('lets admins, and not the person, set the questions that a person answers', async () => {
    const { status } = await testDesk.app.ask('PUT', `/users/${idOf('consultant')}`, {
      working_hours: '1-5 09:00-18:00',
      max_open: 5,
    })
    expect(status).toBe(200)
    await testDesk
      .person('consultant')
      .ask('PUT', `/users/${idOf('consultant')}`, { max_open: 99, working_hours: '1 09:00-10:00' })
    expect(
      await database().query(sql`select working_hours, max_open from users where id = ${idOf('consultant')}`),
    ).toEqual([{ working_hours: '1-5 09:00-18:00', max_open: 5 }])
  })

  it.each(['9-18', '1-5 18:00-09:00', '8 09:00-18:00', 'always'])('refuses the working hours %j', async (hours) => {
    const { status, body } = await testDesk.app.ask('PUT', `/users/${idOf('consultant')}`, { working_hours: hours })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { details: { errors: [{ path: ['working_hours'] }] } } })
  })
})
