import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildRecord, buildRole, buildUser } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

let customer: TestPerson
let newAssignee: TestPerson
const resourceApp = startResourceApp(async (app) => {
  customer = await buildPerson(app, 'authenticated')
  newAssignee = await buildConsultant(app)
})
const ask = async (...call: Parameters<typeof resourceApp.ask>) => {
  const answer = await resourceApp.ask(...call)
  const body = answer.body as Record<string, unknown> & { error?: { code: string; details: object } }
  return { status: answer.status, body, code: body.error?.code }
}
const reason = { reason: 'Left the company' }
const askers = ['authenticated', 'admin', 'super-admin', 'owner'] as const
const targets = ['owner', 'super-admin', 'admin', 'authenticated'] as const
/** Roles that each role may act on, copied by hand from contract §14. */
const lowerRoles: Readonly<Record<(typeof askers)[number], readonly string[]>> = {
  authenticated: [],
  admin: ['authenticated'],
  'super-admin': ['admin', 'authenticated'],
  owner: targets,
}
const pairs = askers.flatMap((callerRole) => targets.map((target) => [callerRole, target] as const))
const hiddenRefusal = [404, 'user.not-found']

/** Consultant whom a test blocks, created anew for each test. */
let leavingUser: { id: number }
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from chatrooms`)
  leavingUser = { id: await buildUser(resourceApp.database, 'authenticated', { is_consultant: true }) }
})
const room = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'chatrooms', { sender: customer.id, receiver: leavingUser.id, ...draft })
const question = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'consultations', {
    question: 'When?',
    user: customer.id,
    consultant: leavingUser.id,
    ...draft,
  })
const rows = (table: string, id: number) =>
  resourceApp.database.query(sql<Record<string, unknown>>`select * from ${sql.table(table)} where id = ${id}`)
const block = (id: number, body: object = reason, callerRole: Parameters<typeof resourceApp.ask>[3] = 'admin') =>
  ask('POST', `/users/${id}/block`, body, callerRole)
const openWork = async (id: number) => (await ask('GET', `/users/${id}/open-work`)).body

describe('rank (checklist §2)', () => {
  test.each(pairs)('checks the rank of a caller %s who blocks and unblocks a user %s', async (callerRole, target) => {
    const id = await buildUser(resourceApp.database, target)
    const isAllowed = lowerRoles[callerRole].includes(target)
    const answer = await block(id, reason, callerRole)
    expect([answer.status, answer.code]).toEqual(isAllowed ? [200, undefined] : hiddenRefusal)
    const [storedUser] = await rows('users', id)
    expect([storedUser?.blocked, storedUser?.blocked_reason]).toEqual(isAllowed ? [true, reason.reason] : [false, null])
    const unblockAnswer = await ask('POST', `/users/${id}/unblock`, { reason: 'Came back' }, callerRole)
    expect([unblockAnswer.status, unblockAnswer.code]).toEqual(isAllowed ? [200, undefined] : hiddenRefusal)
    expect((await rows('users', id))[0]).toMatchObject({ blocked: false, blocked_reason: null })
  })

  test.each(pairs)(
    'checks the rank of a caller %s who reads the open cases of a user %s',
    async (callerRole, target) => {
      const id = await buildUser(resourceApp.database, target)
      const { status, body, code } = await ask('GET', `/users/${id}/open-work`, undefined, callerRole)
      expect([status, code ?? body]).toEqual(
        lowerRoles[callerRole].includes(target) ? [200, { consultations: 0, rooms: 0 }] : hiddenRefusal,
      )
    },
  )

  test.each(askers)('refuses %s a block, an unblock and the open cases of their own account', async (callerRole) => {
    const id = resourceApp.people[callerRole] ?? 0
    for (const call of [
      await block(id, reason, callerRole),
      await ask('POST', `/users/${id}/unblock`, reason, callerRole),
      await ask('GET', `/users/${id}/open-work`, undefined, callerRole),
    ])
      expect([call.status, call.code]).toEqual([403, 'user.own-access'])
  })

  test('leaves the last owner unblocked when two owners block each other at the same time', async () => {
    const owners = sql`select u.id from users u join roles r on r.id = u.role_id where r.type = 'owner' and not u.blocked`
    const [firstOwner, secondOwner] = [await buildPerson(resourceApp, 'owner'), await buildPerson(resourceApp, 'owner')]
    const otherOwnersSql = sql`role_id = ${await buildRole(resourceApp.database, 'owner')} and id <> all(${[firstOwner.id, secondOwner.id]}::int[])`
    const setOtherOwnersBlocked = (isBlocked: boolean) =>
      resourceApp.database.transaction(async (trx) => {
        await trx.query(sql`update users set blocked = ${isBlocked} where ${otherOwnersSql}`)
        trx.changed('users')
      })
    await setOtherOwnersBlocked(true)
    const answers = await Promise.all([
      firstOwner.ask('POST', `/users/${secondOwner.id}/block`, reason),
      secondOwner.ask('POST', `/users/${firstOwner.id}/block`, reason),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await resourceApp.database.query(owners)).toHaveLength(1)
    await setOtherOwnersBlocked(false)
  })
})

describe('POST /api/users/:id/block', () => {
  test('returns the flat blocked account, ends its sessions immediately, and records the reason in the audit', async () => {
    const person = await buildPerson(resourceApp, 'authenticated')
    const { status, body } = await block(person.id)
    expect([status, body]).toMatchObject([200, { id: person.id, blocked: true, blocked_reason: reason.reason }])
    expect((await person.ask('GET', '/users/me')).status).toBe(401)
    const [line] = await resourceApp.database.query(sql`
      select user_id, resource, details from audit where action = 'user.block' and entry = ${person.id}`)
    expect(line).toEqual({ user_id: resourceApp.people.admin, resource: 'users', details: reason })
    await ask('POST', `/users/${person.id}/unblock`, { reason: 'A mistake' })
    const [auditEntry] = await resourceApp.database.query(sql`
      select details from audit where action = 'user.unblock' and entry = ${person.id}`)
    expect(auditEntry).toEqual({ details: { reason: 'A mistake' } })
  })

  test('stores the newer reason when the account is blocked already', async () => {
    await block(leavingUser.id)
    const { body } = await block(leavingUser.id, { reason: 'Sends advertising' })
    expect(body.blocked_reason).toBe('Sends advertising')
  })

  test.each<[body: object | undefined, field: string, code: string]>([
    [{}, 'reason', 'state.reason'],
    [undefined, 'reason', 'state.reason'],
    [{ reason: '' }, 'reason', 'state.reason'],
    [{ reason: '  \n' }, 'reason', 'state.reason'],
    [{ reason: null }, 'reason', 'state.reason'],
    [{ reason: 5 }, 'reason', 'validation.text'],
    [{ reason: ['x'] }, 'reason', 'validation.text'],
    [{ reason: 'x'.repeat(256) }, 'reason', 'validation.maxLength'],
  ])('refuses a missing or invalid reason to block: %j', async (body, field, code) => {
    for (const action of ['block', 'unblock']) {
      const answer = await ask('POST', `/users/${leavingUser.id}/${action}`, body)
      expect(answer.status).toBe(422)
      expect(answer.body.error?.details).toMatchObject({ errors: [{ path: [field], code }] })
    }
    expect((await rows('users', leavingUser.id))[0]?.blocked).toBe(false)
  })

  test('accepts a reason to block of 255 letters, and a body in data', async () => {
    const longReason = 'ў'.repeat(255)
    expect((await block(leavingUser.id, { data: { reason: longReason } })).body.blocked_reason).toBe(longReason)
  })

  test.each(['0', 'abc', '999999', '99999999999'])('returns 404 for a block of the unknown account %s', async (id) => {
    for (const call of [
      await ask('POST', `/users/${id}/block`, reason),
      await ask('POST', `/users/${id}/unblock`, reason),
      await ask('GET', `/users/${id}/open-work`),
    ])
      expect(call.status).toBe(404)
  })

  test('deletes the reason for blocking an account when any call unblocks it, and stores no reason without a block', async () => {
    await block(leavingUser.id)
    const unblockAnswer = await ask('PUT', `/users/${leavingUser.id}`, { blocked: false })
    expect(unblockAnswer.body).toMatchObject({ blocked: false, blocked_reason: null })
    const reasonAnswer = await ask('PUT', `/users/${leavingUser.id}`, { blocked_reason: 'For nothing' })
    expect(reasonAnswer.body.blocked_reason).toBe(null)
    const blockAnswer = await ask('PUT', `/users/${leavingUser.id}`, { blocked: true, blocked_reason: 'Plainly' })
    expect(blockAnswer.body).toMatchObject({ blocked: true, blocked_reason: 'Plainly' })
  })
})

describe('GET /api/users/:id/open-work', () => {
  test.each<[what: string, make: () => Promise<unknown>, work: { consultations: number; rooms: number }]>([
    ['a room they receive', () => room(), { consultations: 0, rooms: 1 }],
    [
      'a room assigned to them',
      () => room({ receiver: newAssignee.id, assignee: leavingUser.id }),
      { consultations: 0, rooms: 1 },
    ],
    ['a room assigned to somebody else', () => room({ assignee: newAssignee.id }), { consultations: 0, rooms: 0 }],
    ['a closed room', () => room({ state: 'closed' }), { consultations: 0, rooms: 0 }],
    [
      'a room of which they are the customer',
      () => room({ sender: leavingUser.id, receiver: newAssignee.id }),
      { consultations: 0, rooms: 0 },
    ],
    ['a question assigned to them', () => question(), { consultations: 1, rooms: 0 }],
    [
      'an answered question',
      () => question({ answer: '<p>Now</p>', answered_at: '2026-03-01T10:00:00.000Z' }),
      { consultations: 1, rooms: 0 },
    ],
    [
      'a finished question',
      () => question({ finished_at: '2026-03-01T10:00:00.000Z' }),
      { consultations: 0, rooms: 0 },
    ],
    [
      'a question they asked',
      () => question({ user: leavingUser.id, consultant: newAssignee.id }),
      { consultations: 0, rooms: 0 },
    ],
  ])('counts in the open cases of a user %s as %j', async (_what, make, openCases) => {
    await make()
    expect(await openWork(leavingUser.id)).toEqual(openCases)
    const isFree = openCases.consultations + openCases.rooms === 0
    for (const call of [
      () => block(leavingUser.id),
      () => ask('PUT', `/users/${leavingUser.id}`, { blocked: true }),
      () => ask('DELETE', `/users/${leavingUser.id}`),
    ]) {
      const { status, code, body } = await call()
      const outcome = [status, code, code && body.error?.details]
      expect(outcome).toEqual(isFree ? [200, undefined, undefined] : [409, 'user.open-work', openCases])
      expect((await rows('users', leavingUser.id))[0]?.blocked ?? true).toBe(isFree)
      if (isFree) await ask('POST', `/users/${leavingUser.id}/unblock`, reason)
    }
  })

  test('refuses to block or delete a staff account with open cases too', async () => {
    const admin = await buildUser(resourceApp.database, 'admin')
    await room({ receiver: admin })
    for (const call of [
      await ask('PUT', `/staff/${admin}`, { data: { blocked: true } }, 'owner'),
      await ask('DELETE', `/staff/${admin}`, undefined, 'owner'),
    ])
      expect([call.status, call.code]).toEqual([409, 'user.open-work'])
    expect((await block(admin, { ...reason, handover: { to: newAssignee.id } }, 'owner')).status).toBe(200)
  })

  test('refuses to clear is_consultant of a user with open cases', async () => {
    await room()
    const leaveDesk = () => ask('PUT', `/users/${leavingUser.id}`, { is_consultant: false })
    expect(await leaveDesk()).toMatchObject({ status: 409, code: 'user.open-work' })
    await resourceApp.database.query(sql`update chatrooms set state = 'closed' where receiver_id = ${leavingUser.id}`)
    expect((await leaveDesk()).status).toBe(200)
  })

  test('allows other changes of an account with open cases', async () => {
    await room()
    expect((await ask('PUT', `/users/${leavingUser.id}`, { name: 'Aman', blocked: false })).status).toBe(200)
  })
})

describe('a handover', () => {
  test('hands all open cases over to one user, with an entry in the history', async () => {
    const [receiverRoom, assignedRoom] = [
      await room(),
      await room({ sender: newAssignee.id, receiver: null, assignee: leavingUser.id }),
    ]
    const ownRoom = await room({ sender: await buildUser(resourceApp.database, 'authenticated') })
    const consultation = await question()
    const { status, body } = await block(leavingUser.id, { ...reason, handover: { to: newAssignee.id } })
    expect([status, body.blocked]).toEqual([200, true])

    expect((await rows('chatrooms', receiverRoom))[0]).toMatchObject({
      receiver_id: leavingUser.id,
      assignee_id: newAssignee.id,
      revision: 1,
    })
    expect((await rows('chatrooms', ownRoom))[0]).toMatchObject({ assignee_id: newAssignee.id })
    // Questions whose customer is the new assignee have no assignee.
    expect((await rows('chatrooms', assignedRoom))[0]).toMatchObject({ receiver_id: null, assignee_id: null })
    expect((await rows('consultations', consultation))[0]?.consultant_id).toBe(newAssignee.id)

    const changes = await resourceApp.database.query(sql`
      select rev, type, audience, data, user_id from room_changes where room_id = ${receiverRoom}`)
    expect(changes).toEqual([
      {
        rev: 1,
        type: 'assigned',
        audience: 'staff',
        data: { from: leavingUser.id, to: newAssignee.id, note: null },
        user_id: resourceApp.people.admin,
      },
    ])
    const steps = await resourceApp.database.query(sql`
      select action, from_user_id, to_user_id, note, user_id from consultation_steps where consultation_id = ${consultation}`)
    expect(steps).toEqual([
      {
        action: 'assign',
        from_user_id: leavingUser.id,
        to_user_id: newAssignee.id,
        note: null,
        user_id: resourceApp.people.admin,
      },
    ])
    const [line] = await resourceApp.database.query(sql`
      select details from audit where action = 'user.block' and entry = ${leavingUser.id}`)
    expect(line).toEqual({ details: { ...reason, to: String(newAssignee.id), consultations: '1', rooms: '3' } })
    expect(JSON.stringify(await resourceApp.database.query(sql`select data from room_changes`))).not.toContain(
      reason.reason,
    )
    const roomAnswer = await newAssignee.ask('GET', `/chatrooms/${receiverRoom}`)
    expect(roomAnswer.status).toBe(200)
    await ask('POST', `/users/${leavingUser.id}/unblock`, reason)
    expect(await openWork(leavingUser.id)).toEqual({ consultations: 0, rooms: 0 })
  })

  test('returns open cases handed over to null to the queue, where every consultant finds them', async () => {
    const [receiverRoom, assignedRoom] = [
      await room(),
      await room({ receiver: newAssignee.id, assignee: leavingUser.id }),
    ]
    const consultation = await question()
    const ownQuestion = await question({ user: newAssignee.id })
    expect((await block(leavingUser.id, { ...reason, handover: { to: null } })).status).toBe(200)
    for (const id of [receiverRoom, assignedRoom])
      expect((await rows('chatrooms', id))[0]).toMatchObject({ receiver_id: null, assignee_id: null, state: 'open' })
    for (const id of [consultation, ownQuestion]) expect((await rows('consultations', id))[0]?.consultant_id).toBe(null)
    expect((await newAssignee.ask('GET', `/consultations/${consultation}`)).status).toBe(200)
    expect(
      (await newAssignee.ask('POST', `/chatrooms/${receiverRoom}/assign`, { data: { to: newAssignee.id } })).status,
    ).toBe(200)
  })

  test('leaves finished questions and closed rooms unchanged in a handover', async () => {
    const closedRoom = await room({ state: 'closed' })
    const finishedQuestion = await question({ finished_at: '2026-03-01T10:00:00.000Z' })
    await block(leavingUser.id, { ...reason, handover: { to: newAssignee.id } })
    expect((await rows('chatrooms', closedRoom))[0]).toMatchObject({
      receiver_id: leavingUser.id,
      assignee_id: null,
      revision: 0,
    })
    expect((await rows('consultations', finishedQuestion))[0]?.consultant_id).toBe(leavingUser.id)
  })

  test('accepts an administrator as the new assignee, who may answer', async () => {
    const receivedRoom = await room()
    const admin = resourceApp.people.admin ?? 0
    expect((await block(leavingUser.id, { ...reason, handover: { to: admin } })).status).toBe(200)
    expect((await rows('chatrooms', receivedRoom))[0]?.assignee_id).toBe(admin)
  })

  test.each<[what: string, handover: () => unknown, field: string, code: string]>([
    ['a customer', () => ({ to: customer.id }), 'to', 'desk.no-consultant'],
    ['the blocked user', () => ({ to: leavingUser.id }), 'to', 'desk.no-consultant'],
    ['an unknown user', () => ({ to: 999_999 }), 'to', 'desk.no-consultant'],
    ['a text', () => ({ to: 'heir' }), 'to', 'validation.relation'],
    ['no user', () => ({}), 'handover', 'validation.required'],
    ['no object', () => 5, 'handover', 'validation.required'],
    ['a list', () => [newAssignee.id], 'handover', 'validation.required'],
  ])('refuses %s as the new assignee, and hands over nothing', async (_what, handover, field, code) => {
    const receivedRoom = await room()
    const answer = await block(leavingUser.id, { ...reason, handover: handover() })
    expect(answer.status).toBe(422)
    expect(answer.body.error?.details).toMatchObject({ errors: [{ path: [field], code }] })
    expect((await rows('chatrooms', receivedRoom))[0]).toMatchObject({
      receiver_id: leavingUser.id,
      assignee_id: null,
      revision: 0,
    })
    expect((await rows('users', leavingUser.id))[0]?.blocked).toBe(false)
  })

  test.each(['blocked', 'removed_at'])('refuses as the new assignee a user whose %s is set', async (column) => {
    await room()
    const value = column === 'blocked' ? sql`true` : sql`now()`
    const removedConsultant = await buildUser(resourceApp.database, 'authenticated', { is_consultant: true })
    await resourceApp.database.query(
      sql`update users set ${sql.ref(column)} = ${value} where id = ${removedConsultant}`,
    )
    const answer = await block(leavingUser.id, { ...reason, handover: { to: removedConsultant } })
    expect([answer.status, answer.code]).toEqual([422, 'desk.no-consultant'])
  })
})

describe('new work of a blocked user', () => {
  beforeEach(async () => void (await block(leavingUser.id)))

  test.each<[what: string, url: string, data: () => object]>([
    ['a new room', '/chatrooms', () => ({ sender: customer.id, receiver: leavingUser.id })],
    ['a new question', '/consultations', () => ({ question: 'x', consultant: leavingUser.id })],
  ])('refuses %s for a blocked consultant', async (_what, url, data) => {
    const answer = await ask('POST', url, { data: data() })
    expect([answer.status, answer.code]).toEqual([422, 'desk.no-consultant'])
  })

  test('refuses to hand a case over to a blocked consultant', async () => {
    const [chat, consultation] = [
      await room({ receiver: newAssignee.id }),
      await question({ consultant: newAssignee.id }),
    ]
    const handoverDraft = { data: { to: leavingUser.id, note: 'x' } }
    for (const url of [`/chatrooms/${chat}/assign`, `/consultations/${consultation}/assign`]) {
      const answer = await ask('POST', url, handoverDraft)
      expect([answer.status, answer.code]).toEqual([422, 'desk.no-consultant'])
    }
  })
})

describe('work that is reopened after its consultant is gone', () => {
  const askQuestionAgain = (id: number) =>
    customer.ask('POST', '/chatmessages', {
      data: { room: id, text: 'One more thing', client_id: '0b9d1c3e-8a53-4f7e-9a51-0d1c5e6f7a8b' },
    })
  const people = async (id: number) => {
    const [{ receiver_id, assignee_id, state } = {}] = await rows('chatrooms', id)
    return { receiver_id, assignee_id, state }
  }

  test.each<[what: string, draft: () => object, receiver: () => number | null]>([
    ['received by them', () => ({}), () => null],
    [
      'assigned to them, received by another consultant',
      () => ({ receiver: newAssignee.id, assignee: leavingUser.id }),
      () => newAssignee.id,
    ],
    ['received by and assigned to them', () => ({ assignee: leavingUser.id }), () => null],
  ])(
    'reopens a closed room %s (a blocked user) for other consultants when a new message arrives',
    async (_what, draft, receiver) => {
      const id = await room({ ...draft(), state: 'closed' })
      await block(leavingUser.id)
      expect((await askQuestionAgain(id)).status).toBe(200)
      expect(await people(id)).toEqual({ receiver_id: receiver(), assignee_id: null, state: 'open' })
      expect((await newAssignee.ask('GET', `/chatrooms/${id}`)).status).toBe(200)
      const log = await resourceApp.database.query(sql`
      select rev, type, audience from room_changes where room_id = ${id} order by rev`)
      expect(log).toEqual([
        { rev: 1, type: 'assigned', audience: 'staff' },
        { rev: 2, type: 'created', audience: 'public' },
      ])
    },
  )

  test('returns a closed room of a former consultant to the queue when a new message arrives', async () => {
    const id = await room({ state: 'closed' })
    await resourceApp.ask('PUT', `/users/${leavingUser.id}`, { is_consultant: false })
    expect((await askQuestionAgain(id)).status).toBe(200)
    expect(await people(id)).toEqual({ receiver_id: null, assignee_id: null, state: 'open' })
  })

  test('leaves a reopened room with the assignee when its receiver is blocked', async () => {
    const id = await room({ assignee: newAssignee.id, state: 'closed' })
    await block(leavingUser.id)
    expect((await askQuestionAgain(id)).status).toBe(200)
    expect(await people(id)).toEqual({ receiver_id: leavingUser.id, assignee_id: newAssignee.id, state: 'open' })
  })

  test('returns a room to the queue when the assignee gives the room back after its receiver was blocked', async () => {
    const id = await room({ assignee: newAssignee.id })
    await block(leavingUser.id)
    const returnAnswer = await newAssignee.ask('POST', `/chatrooms/${id}/assign`, {
      data: { to: null, note: 'On leave' },
    })
    expect(returnAnswer.status).toBe(200)
    expect(await people(id)).toEqual({ receiver_id: null, assignee_id: null, state: 'open' })
  })

  test('reopens a consultation of a blocked consultant without a consultant', async () => {
    const id = await question({ finished_at: new Date().toISOString() })
    await block(leavingUser.id)
    const reopenAnswer = await customer.ask('POST', `/consultations/${id}/reopen`, { data: { reason: 'Still ill' } })
    expect(reopenAnswer.status).toBe(200)
    expect((await rows('consultations', id))[0]).toMatchObject({ consultant_id: null, finished_at: null })
    const [step] = await resourceApp.database.query(sql`
      select action, from_user_id, to_user_id from consultation_steps where consultation_id = ${id} order by id desc limit 1`)
    expect(step).toEqual({ action: 'reopen', from_user_id: leavingUser.id, to_user_id: null })
  })
})

test('hands over or refuses a case that a user receives during the block', async () => {
  const chats = await Promise.all(
    [1, 2, 3].map(async () =>
      room({ sender: await buildUser(resourceApp.database, 'authenticated'), receiver: newAssignee.id }),
    ),
  )
  const [blockingAnswer, ...assignments] = await Promise.all([
    block(leavingUser.id, { ...reason, handover: { to: newAssignee.id } }),
    ...chats.map((id) => ask('POST', `/chatrooms/${id}/assign`, { data: { to: leavingUser.id, note: 'x' } })),
  ])
  expect(blockingAnswer.status).toBe(200)
  for (const { status } of assignments) expect([200, 422]).toContain(status)
  const leftRooms = await resourceApp.database.query(
    sql`select id from chatrooms where assignee_id = ${leavingUser.id}`,
  )
  expect(leftRooms).toEqual([])
})
