import type { RoutingDecision, RoutingTrial } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { startDesk } from '../../testing/desk.ts'
import { build } from '../../testing/factories.ts'
import { buildConsultant, type TestPerson } from '../../testing/people.ts'
import { DeskSweep } from '../chat/desk/sweep.ts'

const desk = startDesk()
const database = () => desk.app.database
const day = '1-7 00:00-24:00'
const idOf = (name: Parameters<typeof desk.person>[0]) => desk.person(name).id

beforeEach(async () => {
  for (const table of ['notices', 'consultations', 'chatrooms', 'routingrules', 'absences'])
    await database().query(sql`delete from ${sql.table(table)}`)
  await database().query(sql`delete from users_answers_categories`)
  await database().query(sql`delete from users_answers_regions`)
  await database().query(sql`
    update users set working_hours = ${day}, max_open = null, answers_ru = false`)
})

const buildRule = (draft: object = {}) => build(database(), 'routingrules', { name: 'All to the best', ...draft })
const askQuestion = async (who: TestPerson = desk.person('customer'), draft: object = {}) => {
  const { status, body } = await who.ask('POST', '/consultations', { data: { question: 'Why?', ...draft } })
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
  (await desk.read<{ data: RoutingDecision[] }>('admin', `${path}/routing`)).data
const codesIn = ({ reasons }: Pick<RoutingTrial, 'reasons'>): Record<string, string[]> =>
  Object.fromEntries(reasons.map(({ person, codes }) => [String(person?.id), codes]))
const trial = async (data: object = {}, who: Parameters<typeof desk.ask>[0] = 'admin') => {
  const { status, body } = await desk.ask(who, 'POST', '/routing/try', data)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data as RoutingTrial
}

describe('a new consultation', () => {
  it('stays in the queue without an active rule, and no decision is stored', async () => {
    await buildRule({ active: false })
    const id = await askQuestion()
    expect(await consultantOf(id)).toBeNull()
    expect(await decisionsOf(`/consultations/${id}`)).toEqual([])
  })

  it('goes to the best available consultant, with the rule as the note, a notice and the reasons', async () => {
    const rule = await buildRule()
    const busy = await build(database(), 'consultations', { question: 'Q', consultant: idOf('consultant') })
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
    expect(codesIn(decision ?? { reasons: [] })).toMatchObject({ [idOf('consultant')]: ['busier'] })
    expect(busy).toBeGreaterThan(0)
  })

  it('goes by its category, region and language to the person of the rule', async () => {
    const parent = await build(database(), 'consultationcategories', { name: 'Plants' })
    const category = await build(database(), 'consultationcategories', { name: 'Cotton', parent })
    const region = await build(database(), 'regions', { name: 'Nukus' })
    const person = idOf('consultant')
    await buildRule({ name: 'Cotton', category: parent, region, language: 'kaa', action: 'person', person })
    await buildRule({ name: 'Others', action: 'queue', order: 1 })
    expect(await consultantOf(await askQuestion(desk.person('customer'), { category, region, language: 'kaa' }))).toBe(
      person,
    )
    expect(
      await consultantOf(await askQuestion(desk.person('customer'), { category, region, language: 'ru' })),
    ).toBeNull()
    expect(await consultantOf(await askQuestion(desk.person('customer'), { region, language: 'kaa' }))).toBeNull()
  })

  it('is routed by the region and the language of its customer where it has none', async () => {
    const region = await build(database(), 'regions', { name: 'Khiva' })
    const document = sql`(select document_id from regions_texts where id = ${region})`
    await database().query(sql`update users set region_id = ${document} where id = ${idOf('customer')}`)
    await buildRule({ region, language: 'ru' })
    expect(await consultantOf(await askQuestion())).not.toBeNull()
    await database().query(sql`update users set region_id = null`)
    expect(await consultantOf(await askQuestion())).toBeNull()
  })

  it('never goes to its own customer, to absent people, or to people beyond their hours and limits', async () => {
    await buildRule()
    const now = Date.now()
    const iso = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    await build(database(), 'absences', { user: idOf('consultant'), starts_at: iso(-60), ends_at: iso(60) })
    const asked = await askQuestion(desk.person('colleague'))
    const [decision] = await decisionsOf(`/consultations/${asked}`)
    expect(codesIn(decision ?? { reasons: [] })).toMatchObject({
      [idOf('consultant')]: ['absent'],
      [idOf('colleague')]: ['asker'],
    })
    await database().query(sql`update users set max_open = 0 where id = ${idOf('colleague')}`)
    const [limited] = await decisionsOf(`/consultations/${await askQuestion()}`)
    expect(limited).toMatchObject({ person: null, rule: null, rules: [{ outcome: 'nobody' }] })
    expect(codesIn(limited ?? { reasons: [] })).toMatchObject({ [idOf('colleague')]: ['limit'] })
    await database().query(sql`update absences set ends_at = now() - interval '1 second'`)
    expect(await consultantOf(await askQuestion())).toBe(idOf('consultant'))
  })

  it('is not routed when staff create it with a consultant or with an answer', async () => {
    await buildRule({ action: 'person', person: idOf('colleague') })
    const given = await askQuestion(desk.person('admin'), { consultant: idOf('consultant'), user: idOf('customer') })
    const answered = await askQuestion(desk.person('admin'), { answer: '<p>Because</p>', user: idOf('customer') })
    expect(await consultantOf(given)).toBe(idOf('consultant'))
    expect(await consultantOf(answered)).toBeNull()
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('is not routed by trusted writes, by a restore and by an undo', async () => {
    await buildRule()
    const id = await build(database(), 'consultations', { question: 'Q', user: idOf('customer') })
    expect(await consultantOf(id)).toBeNull()
    expect((await desk.ask('admin', 'DELETE', `/consultations/${id}`)).status).toBe(200)
    expect((await desk.ask('admin', 'POST', `/consultations/${id}/restore`)).status).toBe(200)
    expect(await consultantOf(id)).toBeNull()
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('respects the limit of a person when several questions arrive at once', async () => {
    await buildRule()
    await database().query(sql`update users set max_open = 1 where id = ${idOf('consultant')}`)
    await database().query(sql`update users set max_open = 2 where id = ${idOf('colleague')}`)
    const ids = await Promise.all(Array.from({ length: 6 }, () => askQuestion()))
    const owners = await Promise.all(ids.map(consultantOf))
    expect(owners.filter((owner) => owner === idOf('consultant'))).toHaveLength(1)
    expect(owners.filter((owner) => owner === idOf('colleague'))).toHaveLength(2)
    expect(owners.filter((owner) => owner === null)).toHaveLength(3)
  })

  it('goes to nobody who is blocked at the same moment', async () => {
    const leaver = await buildConsultant(desk.app)
    await database().query(sql`update users set working_hours = ${day} where id = ${leaver.id}`)
    await buildRule()
    const reason = { reason: 'Left', handover: { to: null } }
    const block = desk.app.ask('POST', `/users/${leaver.id}/block`, reason, 'owner')
    const ids = await Promise.all(Array.from({ length: 6 }, () => askQuestion()))
    expect((await block).status).toBe(200)
    for (const id of ids) expect(await consultantOf(id)).not.toBe(leaver.id)
    const [last] = await decisionsOf(`/consultations/${await askQuestion()}`)
    expect(codesIn(last ?? { reasons: [] })).toMatchObject({ [leaver.id]: ['unavailable'] })
    await database().query(sql`update users set is_consultant = false where id = ${leaver.id}`)
  })

  it('comes back from the trash with its decision', async () => {
    await buildRule()
    const id = await askQuestion()
    const before = await decisionsOf(`/consultations/${id}`)
    await desk.ask('admin', 'DELETE', `/consultations/${id}`)
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
    await desk.ask('admin', 'POST', `/consultations/${id}/restore`)
    expect(before).toHaveLength(1)
    expect(await decisionsOf(`/consultations/${id}`)).toEqual(before)
  })
})

describe('a chat room', () => {
  it('goes to a consultant with the first question, and is not routed again by later messages', async () => {
    await buildRule()
    const room = await desk.room(null)
    expect((await desk.row(room)).assignee_id).toBeNull()
    await desk.sendMessage('customer', room)
    const { assignee_id: owner } = await desk.row(room)
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
    await desk.sendMessage('customer', room)
    expect(await decisionsOf(`/chatrooms/${room}`)).toHaveLength(1)
  })

  it('answers the customer with the revision of the message, and the consultant can reply', async () => {
    await buildRule({ action: 'person', person: idOf('consultant') })
    const room = await desk.room(null)
    const { body } = await desk.ask('customer', 'POST', '/chatmessages', { room, text: 'Help' })
    expect(body).toMatchObject({ rev: 1 })
    await desk.sendMessage('consultant', room)
    expect((await desk.row(room)).waiting_since).toBeNull()
  })

  it('is routed in a new episode only when nobody owns it', async () => {
    const room = await desk.room(null)
    await desk.sendMessage('customer', room)
    expect((await desk.row(room)).assignee_id).toBeNull()
    await buildRule({ action: 'person', person: idOf('colleague') })
    await desk.sendMessage('customer', room)
    expect((await desk.row(room)).assignee_id).toBeNull()
    await desk.ask('admin', 'PUT', `/chatrooms/${room}`, { state: 'closed' })
    await desk.sendMessage('customer', room)
    expect((await desk.row(room)).assignee_id).toBe(idOf('colleague'))
    const owned = await desk.room('consultant')
    await desk.sendMessage('customer', owned)
    expect(await desk.row(owned)).toMatchObject({ assignee_id: null, receiver_id: idOf('consultant') })
    expect(await decisionsOf(`/chatrooms/${owned}`)).toEqual([])
  })

  it('goes on to somebody else when its owner is late, and to the queue after the last one', async () => {
    await buildRule()
    const sweep = () => new DeskSweep(database()).sweep((error) => expect.unreachable(String(error)))
    const passTarget = (room: number) =>
      database().query(sql`
        with late as (update room_changes set created_at = created_at - interval '30 days' where room_id = ${room} returning 1)
        update chatrooms set waiting_since = waiting_since - interval '30 days', warn_at = warn_at - interval '30 days',
               due_at = due_at - interval '30 days' where id = ${room}`)
    const room = await desk.room(null)
    await desk.sendMessage('customer', room)
    const { assignee_id: first } = await desk.row(room)
    await passTarget(room)
    expect(await sweep()).toMatchObject({ returned: 1 })
    const { assignee_id: second } = await desk.row(room)
    expect(new Set([first, second])).toEqual(new Set([idOf('consultant'), idOf('colleague')]))
    expect(await database().query(sql`select id from notices where kind = 'desk.returned'`)).toEqual([])
    const [decision] = await decisionsOf(`/chatrooms/${room}`)
    expect(codesIn(decision ?? { reasons: [] })).toMatchObject({ [Number(first)]: ['late'] })
    await passTarget(room)
    expect(await sweep()).toMatchObject({ returned: 1 })
    expect(await desk.row(room)).toMatchObject({ assignee_id: null, receiver_id: null })
    const [last] = await decisionsOf(`/chatrooms/${room}`)
    expect(last).toMatchObject({ person: null, rule: null })
    expect(codesIn(last ?? { reasons: [] })).toMatchObject({ [Number(first)]: ['late'], [Number(second)]: ['late'] })
    expect(await database().query(sql`select distinct kind from notices where kind = 'desk.returned'`)).toHaveLength(1)
  })
})

describe('POST /api/routing/try', () => {
  it('tells who would get a question, and writes nothing', async () => {
    const rule = await buildRule({ action: 'person', person: idOf('colleague') })
    const answer = await trial()
    expect(answer).toMatchObject({
      person: { id: idOf('colleague') },
      rule: { id: rule },
      rules: [{ id: rule, outcome: 'decided' }],
    })
    expect(codesIn(answer)).toEqual({ [idOf('colleague')]: ['chosen'], [idOf('consultant')]: ['not-named'] })
    expect(answer.reasons[0]?.person?.id).toBe(idOf('colleague'))
    expect(await database().query(sql`select id from routing_decisions`)).toEqual([])
  })

  it('compares working hours and absences with the given time', async () => {
    await buildRule()
    await database().query(sql`update users set working_hours = '1 09:00-10:00' where id = ${idOf('consultant')}`)
    await build(database(), 'absences', {
      user: idOf('colleague'),
      starts_at: '2026-11-30T04:00:00.000Z',
      ends_at: '2026-11-30T05:00:00.000Z',
    })
    const at = async (time: string) => codesIn(await trial({ at: time }))
    expect(await at('2026-11-30T04:30:00Z')).toMatchObject({
      [idOf('consultant')]: ['chosen'],
      [idOf('colleague')]: ['absent'],
    })
    expect(await at('2026-11-30T05:00:00Z')).toMatchObject({
      [idOf('consultant')]: ['off-hours'],
      [idOf('colleague')]: ['chosen'],
    })
  })

  it('compares what a person answers with the question', async () => {
    await buildRule()
    const [category, other] = await Promise.all([
      build(database(), 'consultationcategories', { name: 'Bees' }),
      build(database(), 'consultationcategories', { name: 'Soil' }),
    ])
    const { status } = await desk.app.ask('PUT', `/users/${idOf('consultant')}`, {
      answers_categories: [category],
      answers_ru: true,
    })
    expect(status).toBe(200)
    expect(codesIn(await trial({ category, language: 'ru' }))).not.toMatchObject({ [idOf('consultant')]: ['category'] })
    expect(codesIn(await trial({ category: other, language: 'uz' }))).toMatchObject({
      [idOf('consultant')]: ['category', 'language'],
    })
  })

  it('shows a consultant only their own reasons', async () => {
    await buildRule({ action: 'person', person: idOf('colleague') })
    const answer = await trial({}, 'consultant')
    expect(answer.person?.id).toBe(idOf('colleague'))
    expect(codesIn(answer)).toEqual({ [idOf('consultant')]: ['not-named'] })
  })

  it.each([
    ['category', { category: 999_999 }],
    ['region', { region: 999_999 }],
    ['category', { category: 'x' }],
    ['language', { language: 'de' }],
    ['at', { at: 'yesterday' }],
  ])('refuses a question with a wrong %s', async (field, data) => {
    const { status, body } = await desk.ask('admin', 'POST', '/routing/try', data)
    expect(status).toBe(422)
    expect(body.error?.details.errors?.map(({ path }) => path)).toEqual([[field]])
  })

  it('refuses customers', async () => {
    expect((await desk.ask('customer', 'POST', '/routing/try', {})).status).toBe(403)
  })
})

describe('the decisions about a case', () => {
  it('are for staff and the consultant of the case, who reads only their own reasons', async () => {
    await buildRule({ action: 'person', person: idOf('consultant') })
    const id = await askQuestion()
    const room = await desk.room(null)
    await desk.sendMessage('customer', room)
    for (const path of [`/consultations/${id}/routing`, `/chatrooms/${room}/routing`]) {
      expect((await desk.ask('customer', 'GET', path)).status).toBe(403)
      expect((await desk.ask('neighbour', 'GET', path)).status).toBe(404)
      expect((await desk.ask('colleague', 'GET', path)).status).toBe(404)
      const { data } = await desk.read<{ data: RoutingDecision[] }>('consultant', path)
      expect(codesIn(data[0] ?? { reasons: [] })).toEqual({ [idOf('consultant')]: ['chosen'] })
      const all = await desk.read<{ data: RoutingDecision[] }>('admin', path)
      expect(Object.keys(codesIn(all.data[0] ?? { reasons: [] }))).toHaveLength(2)
    }
  })

  it('are refused to a consultant about their own question', async () => {
    await buildRule()
    const id = await askQuestion(desk.person('consultant'))
    expect((await desk.ask('consultant', 'GET', `/consultations/${id}/routing`)).status).toBe(403)
  })
})

describe('rules', () => {
  const create = (data: object, who: Parameters<typeof desk.ask>[0] = 'admin') =>
    desk.ask(who, 'POST', '/routingrules', { name: 'Rule', ...data })

  it('are read by consultants and changed by admins', async () => {
    expect((await create({}, 'consultant')).status).toBe(403)
    expect((await create({}, 'customer')).status).toBe(403)
    expect((await create({})).status).toBe(200)
    expect((await desk.ask('consultant', 'GET', '/routingrules')).body.data).toHaveLength(1)
    expect((await desk.ask('customer', 'GET', '/routingrules')).status).toBe(403)
  })

  it('name somebody who answers customers', async () => {
    const wrong = async (data: object) => {
      const { status, body } = await create({ action: 'person', ...data })
      return [status, body.error?.code]
    }
    expect(await wrong({})).toEqual([422, 'routing.person-missing'])
    expect(await wrong({ person: idOf('customer') })).toEqual([422, 'desk.no-consultant'])
    expect((await wrong({ person: 999_999 }))[0]).toBe(400)
    expect((await create({ action: 'person', person: idOf('consultant') })).status).toBe(200)
    expect((await create({ action: 'person', person: idOf('admin') })).status).toBe(200)
  })

  it('are at most 200, also when the last ones are added at once', async () => {
    await database().query(sql`
      insert into routingrules (name, active) select 'Rule ' || n, false from generate_series(1, 198) n`)
    const answers = await Promise.all([create({}), create({}), create({})])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 422])
    expect((await create({})).body.error?.code).toBe('routing.too-many')
  })

  it('keep their category and region from being deleted', async () => {
    const category = await build(database(), 'consultationcategories', { name: 'Silk' })
    await create({ category })
    expect((await desk.ask('admin', 'DELETE', `/consultationcategories/${category}`)).status).toBe(409)
  })
})

describe('absences', () => {
  const times = { starts_at: '2026-12-01T04:00:00.000Z', ends_at: '2026-12-05T04:00:00.000Z' }
  const create = (who: Parameters<typeof desk.ask>[0], data: object = {}) =>
    desk.ask(who, 'POST', '/absences', { ...times, ...data })

  it('are entered by consultants for themselves and by admins for everybody', async () => {
    const own = await create('consultant', { user: idOf('colleague'), note: 'Family' })
    expect(own.status).toBe(200)
    const [stored] = await database().query(sql<{ user: number }>`select user_id as "user" from absences`)
    expect(stored?.user).toBe(idOf('consultant'))
    expect((await create('admin', { user: idOf('colleague') })).status).toBe(200)
    expect((await desk.ask('consultant', 'GET', '/absences')).body.data).toHaveLength(1)
    expect((await desk.ask('admin', 'GET', '/absences')).body.data).toHaveLength(2)
    expect((await create('customer')).status).toBe(403)
  })

  it('end after they start, and are those of somebody who answers customers', async () => {
    const { status } = await create('consultant', { ends_at: times.starts_at, starts_at: times.ends_at })
    expect(status).toBe(422)
    expect((await create('admin', { user: idOf('customer') })).body.error?.code).toBe('desk.no-consultant')
  })

  it('are deleted with the account of their person, also when the account stays as a removed user', async () => {
    const leaver = await buildConsultant(desk.app)
    await create('admin', { user: leaver.id, note: 'Ill' })
    await build(database(), 'consultations', { question: 'Q', user: leaver.id })
    expect((await desk.app.ask('DELETE', `/users/${leaver.id}`)).status).toBe(200)
    expect(await database().query(sql`select id from absences`)).toEqual([])
  })
})

describe('the questions that a person answers', () => {
  it('is set by admins and not by the person', async () => {
    const { status } = await desk.app.ask('PUT', `/users/${idOf('consultant')}`, {
      working_hours: '1-5 09:00-18:00',
      max_open: 5,
    })
    expect(status).toBe(200)
    await desk
      .person('consultant')
      .ask('PUT', `/users/${idOf('consultant')}`, { max_open: 99, working_hours: '1 09:00-10:00' })
    expect(
      await database().query(sql`select working_hours, max_open from users where id = ${idOf('consultant')}`),
    ).toEqual([{ working_hours: '1-5 09:00-18:00', max_open: 5 }])
  })

  it.each(['9-18', '1-5 18:00-09:00', '8 09:00-18:00', 'always'])('refuses the working hours %j', async (hours) => {
    const { status, body } = await desk.app.ask('PUT', `/users/${idOf('consultant')}`, { working_hours: hours })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { details: { errors: [{ path: ['working_hours'] }] } } })
  })
})
