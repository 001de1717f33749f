import { sql } from '../../db/sql.ts'
import { describe, expect, it, vi } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'
import { buildConsultant } from '../../testing/people.ts'
import { waitUntil } from '../../testing/eventually.ts'

const world = startChatWorld({ CHAT_TICK_SECONDS: '1' })
const { ask, get, sendMessage, connectClient: listenAs, person, buildRoom } = world
const assignRoom = (callerName: 'admin' | 'colleague' | 'consultant', newOwnerId: number | null, room = world.room()) =>
  ask<{ rev: number }>(callerName, 'POST', `/chatrooms/${room}/assign`, { to: newOwnerId, note: 'Knows maize' })

describe('room:join', () => {
  it('returns on room:join the revision that the user’s side counts', async () => {
    await sendMessage('customer', 'Hello')
    await sendMessage('consultant', 'N', { kind: 'note' })
    const joinRoom = async (callerName: 'customer' | 'consultant' | 'admin') =>
      (await listenAs(callerName)).emitEvent('room:join', { room: world.room(), rev: 0 })
    expect([await joinRoom('customer'), await joinRoom('consultant'), await joinRoom('admin')]).toEqual([
      { ok: true, rev: 1 },
      { ok: true, rev: 2 },
      { ok: true, rev: 2 },
    ])
  })

  it.each(['stranger', 'colleague'] as const)(
    'refuses room:join, typing and delivered to a %s, who receives no event',
    async (callerName) => {
      const [ear, customer] = [await listenAs(callerName), await listenAs('customer')]
      const room = world.room()
      for (const eventName of ['room:join', 'typing', 'delivered'] as const) {
        const payload = { 'room:join': { room, rev: 0 }, typing: { room, on: true }, delivered: { room, seq: 1 } }[
          eventName
        ]
        expect([eventName, await ear.emitEvent(eventName, payload)]).toEqual([
          eventName,
          { ok: false, code: 'record.not-found' },
        ])
      }
      await sendMessage('consultant', 'Hello')
      await waitUntil(() =>
        expect(customer.receivedEvents.tick.length + customer.receivedEvents.update.length).toBeGreaterThan(0),
      )
      const ownRoom = await buildRoom({ sender: person('customer').id, receiver: person('colleague').id })
      await sendMessage('customer', 'Own', { room: ownRoom })
      await waitUntil(() => expect(ear.receivedEvents.update).toHaveLength(callerName === 'colleague' ? 1 : 0))
      expect(ear.all()).not.toContain(`"room":${room}`)
      expect(customer.receivedEvents.typing).toEqual([])
    },
  )

  it.each([
    ['room:join', {}],
    ['room:join', { room: '1', rev: 0 }],
    ['room:join', { room: 2 ** 40, rev: 0 }],
    ['room:join', { room: 1, rev: 0, as: 'admin' }],
    ['room:leave', null],
    ['typing', { room: 1, on: 'yes' }],
    ['delivered', { room: 1, seq: -1 }],
    ['delivered', [1]],
  ] as const)('refuses the event %s with %j and keeps the connection', async (eventName, payload) => {
    const ear = await listenAs('customer')
    expect(await ear.emitEvent(eventName, payload)).toEqual({ ok: false, code: 'request.unprocessable' })
    expect(await ear.emitEvent('room:join', { room: world.room(), rev: 0 })).toEqual({ ok: true, rev: 0 })
  })

  it('lets staff observe a room and sends them every event until they leave', async () => {
    const [admin, owner] = [await listenAs('admin'), await listenAs('owner')]
    await admin.emitEvent('room:join', { room: world.room(), rev: 0 })
    await owner.emitEvent('room:join', { room: world.room(), rev: 0 })
    await owner.emitEvent('room:leave', { room: world.room() })
    await sendMessage('customer', 'Hello')
    await sendMessage('consultant', 'N', { kind: 'note' })
    await waitUntil(() =>
      expect(admin.receivedEvents.update.map(({ rev, prev }) => [prev, rev])).toEqual([
        [0, 1],
        [1, 2],
      ]),
    )
    expect(admin.receivedEvents['room:changed'].map(({ row }) => row?.rev)).toEqual([1, 2])
    expect([owner.receivedEvents.update, owner.receivedEvents['room:changed']]).toEqual([[], []])
    // Staff who observe a chat room set no read mark.
    expect(await world.resourceApp.database.query(sql`select 1 from chat_reads`)).toEqual([])
  })

  it('sends no notes to staff who are the customer', async () => {
    const room = await buildRoom({ sender: person('admin').id, receiver: person('consultant').id })
    const admin = await listenAs('admin')
    expect(await admin.emitEvent('room:join', { room, rev: 0 })).toEqual({ ok: true, rev: 0 })
    await sendMessage('consultant', 'N', { room, kind: 'note' })
    await sendMessage('consultant', 'Hello', { room })
    await waitUntil(() => expect(admin.receivedEvents.update).toHaveLength(1))
    expect(admin.receivedEvents.update[0]).toMatchObject({ prev: 0, rev: 2 })
    const page = await get<{ results: object[]; rev: number }>('admin', `/chatmessages?filters[room]=${room}&after=0`)
    expect([page.results.length, page.rev]).toEqual([1, 2])
  })
})

describe('the tick event', () => {
  it('sends in a tick the revisions of joined rooms from the database, as each side counts them', async () => {
    await sendMessage('customer', 'Hello')
    await sendMessage('consultant', 'N', { kind: 'note' })
    const [customer, consultant, colleague] = [
      await listenAs('customer'),
      await listenAs('consultant'),
      await listenAs('colleague'),
    ]
    for (const ear of [customer, consultant]) await ear.emitEvent('room:join', { room: world.room(), rev: 0 })
    await waitUntil(() => expect(customer.receivedEvents.tick.at(-1)).toEqual({ rooms: { [world.room()]: 1 } }))
    await waitUntil(() => expect(consultant.receivedEvents.tick.at(-1)).toEqual({ rooms: { [world.room()]: 2 } }))
    // The revision is written directly to the database, like a change of another instance whose event was
    // lost.
    await world.resourceApp.database.query(sql`update chatrooms set revision = 9 where id = ${world.room()}`)
    await waitUntil(() => expect(consultant.receivedEvents.tick.at(-1)).toEqual({ rooms: { [world.room()]: 9 } }))
    expect(colleague.receivedEvents.tick).toEqual([])
  })

  it('leaves out of a tick a room that the user may no longer read', async () => {
    const otherRoom = await buildRoom({ sender: person('stranger').id, receiver: null })
    const colleague = await listenAs('colleague')
    expect(await colleague.emitEvent('room:join', { room: otherRoom, rev: 0 })).toEqual({ ok: true, rev: 0 })
    await waitUntil(() => expect(colleague.receivedEvents.tick.length).toBeGreaterThan(0))
    await assignRoom('consultant', person('consultant').id, otherRoom)
    // The event without chat rooms informs the user even if the event of the removal was lost.
    await waitUntil(() => expect(colleague.receivedEvents.tick.at(-1)).toEqual({ rooms: {} }))
    const ownRoom = await buildRoom({ sender: person('stranger').id, receiver: person('colleague').id })
    await colleague.emitEvent('room:join', { room: ownRoom, rev: 0 })
    await waitUntil(() => expect(colleague.receivedEvents.tick.at(-1)).toEqual({ rooms: { [ownRoom]: 0 } }))
  })
})

describe('the room:changed event', () => {
  it('sends in room:changed the row that each user’s list shows', async () => {
    const [customer, consultant] = [await listenAs('customer'), await listenAs('consultant')]
    await sendMessage('customer', 'ў'.repeat(300))
    await sendMessage('consultant', 'N', { kind: 'note' })
    await sendMessage('consultant', 'Answer')
    for (const [callerName, ear] of [
      ['customer', customer],
      ['consultant', consultant],
    ] as const) {
      await waitUntil(() => expect(ear.receivedEvents['room:changed'].at(-1)?.change.rev).toBe(3))
      const list = await get<{ results: object[] }>(callerName, '/get_customized_rooms')
      expect(ear.receivedEvents['room:changed'].at(-1)?.row).toEqual(list.results[0])
    }
    expect(consultant.receivedEvents['room:changed'].map(({ row }) => row?.unread_message)).toEqual([1, 1, 1])
    expect(consultant.receivedEvents['room:changed'][0]?.row?.last_message?.text).toBe('ў'.repeat(200))
    expect(
      customer.receivedEvents['room:changed'].map(({ change, row }) => [change.prev, change.rev, row?.rev]),
    ).toEqual([
      [0, 1, 1],
      [1, 3, 3],
    ])
  })

  it('sends a free room to all consultants, and removes it from their lists when a colleague takes it', async () => {
    const room = await buildRoom({ sender: person('stranger').id, receiver: null })
    const [consultant, colleague, asker] = [
      await listenAs('consultant'),
      await listenAs('colleague'),
      await listenAs('stranger'),
    ]
    await sendMessage('stranger', 'Anybody?', { room })
    for (const ear of [consultant, colleague])
      await waitUntil(() =>
        expect(ear.receivedEvents['room:changed'][0]).toMatchObject({ room, row: { unread_message: 1 } }),
      )
    await assignRoom('colleague', person('colleague').id, room)
    const data = { from: null, to: person('colleague').id }
    await waitUntil(() =>
      expect(consultant.receivedEvents['room:changed'][1]).toEqual({
        room,
        change: { type: 'assigned', rev: 2, prev: 1, data: { ...data, note: null } },
        row: null,
      }),
    )
    await waitUntil(() =>
      expect(colleague.receivedEvents['room:changed'][1]).toMatchObject({ row: { assignee: { id: data.to } } }),
    )
    await sendMessage('stranger', 'Thanks', { room })
    await waitUntil(() => expect(asker.receivedEvents['room:changed']).toHaveLength(2))
    await waitUntil(() => expect(colleague.receivedEvents.update).toHaveLength(2))
    expect(consultant.receivedEvents.update).toHaveLength(1)
  })

  it('sends a hand-over to the former and the new owner, and never to the customer', async () => {
    await assignRoom('admin', person('consultant').id)
    const names = ['customer', 'consultant', 'colleague'] as const
    const [customer, formerAssignee, newAssignee] = await Promise.all(names.map(listenAs))
    const answer = await assignRoom('admin', person('colleague').id)
    const updateEvent = {
      room: world.room(),
      from: person('consultant').id,
      to: person('colleague').id,
      note: 'Knows maize',
    }
    expect(answer).toMatchObject({ status: 200, body: { rev: 1 } })
    await waitUntil(() =>
      expect([formerAssignee?.receivedEvents.assigned, newAssignee?.receivedEvents.assigned]).toEqual([
        [updateEvent],
        [updateEvent],
      ]),
    )
    // The first owner still sees the chat room after the hand-over, because they are its receiver.
    await waitUntil(() =>
      expect(formerAssignee?.receivedEvents['room:changed'][0]?.row?.assignee?.id).toBe(person('colleague').id),
    )
    await assignRoom('admin', person('admin').id)
    await waitUntil(() =>
      expect(newAssignee?.receivedEvents['room:changed'].at(-1)).toMatchObject({ room: world.room(), row: null }),
    )
    await sendMessage('customer', 'End')
    await waitUntil(() => expect(customer?.receivedEvents['room:changed']).toHaveLength(1))
    expect([customer?.receivedEvents.assigned, customer?.all().includes('Knows maize')]).toEqual([[], false])
    expect(customer?.receivedEvents['room:changed'][0]?.change.prev).toBe(0)
  })

  it('sends no hand-over to a former owner who left the desk', async () => {
    const room = await world.buildRoom({ receiver: person('stranger').id })
    const [formerAssignee, newAssignee] = [await listenAs('stranger'), await listenAs('colleague')]
    const data = { to: person('colleague').id, note: 'He has left us' }
    expect((await ask('admin', 'POST', `/chatrooms/${room}/assign`, data)).status).toBe(200)
    await sendMessage('customer', 'Hello', { room })
    await waitUntil(() => expect(newAssignee.receivedEvents.assigned).toMatchObject([{ room, note: data.note }]))
    // A later event of the socket has arrived, so no earlier event is pending.
    await waitUntil(() => expect(formerAssignee.receivedEvents.update).toHaveLength(1))
    expect([formerAssignee.receivedEvents.assigned, formerAssignee.all().includes(data.note)]).toEqual([[], false])
  })

  it('sends in room:changed the state, whichever route set it, and the reason only to the desk', async () => {
    const [customer, consultant] = [await listenAs('customer'), await listenAs('consultant')]
    const closeAnswer = await ask('consultant', 'POST', `/chatrooms/${world.room()}/state`, {
      state: 'waiting_customer',
      reason: 'Asked for a picture',
    })
    expect(closeAnswer).toMatchObject({
      status: 200,
      body: { rev: 1, data: { attributes: { state: 'waiting_customer' } } },
    })
    expect((await ask('consultant', 'PUT', `/chatrooms/${world.room()}`, { state: 'closed' })).status).toBe(200)
    await waitUntil(() => expect(customer.receivedEvents['room:changed']).toHaveLength(2))
    expect(customer.receivedEvents['room:changed'].map(({ change }) => change)).toEqual([
      { type: 'state', rev: 1, prev: 0, data: { from: 'open', to: 'waiting_customer', reason: null } },
      { type: 'state', rev: 2, prev: 1, data: { from: 'waiting_customer', to: 'closed', reason: null } },
    ])
    await waitUntil(() =>
      expect(consultant.receivedEvents['room:changed'][0]?.change).toMatchObject({
        data: { reason: 'Asked for a picture' },
      }),
    )
    expect(customer.receivedEvents.update).toEqual([])
  })

  it('omits the text of a long message from room:changed', async () => {
    const customer = await listenAs('customer')
    const { data } = await sendMessage('consultant', 'ў'.repeat(4_000))
    await waitUntil(() => expect(customer.receivedEvents['room:changed']).toHaveLength(1))
    const partialMessage = { id: data.id, rev: 1, partial: true }
    expect(customer.receivedEvents['room:changed'][0]).toMatchObject({
      change: { data: partialMessage },
      row: { rev: 1 },
    })
    expect(customer.receivedEvents.update[0]?.data).toEqual(partialMessage)
  })
})

describe('receipts', () => {
  it('sends receipts of the other side alone to a user who joins the room later', async () => {
    await sendMessage('customer', 'One')
    await get('consultant', `/seen_messages?room=${world.room()}`)
    await get('customer', `/seen_messages?room=${world.room()}`)
    const [customer, admin] = [await listenAs('customer'), await listenAs('admin')]
    for (const ear of [customer, admin]) await ear.emitEvent('room:join', { room: world.room(), rev: 0 })
    const marks = { room: world.room(), last_read_seq: 1, delivered_seq: 1 }
    expect([customer.receivedEvents.receipt, admin.receivedEvents.receipt]).toEqual([
      [{ ...marks, user: person('consultant').id }],
      [{ ...marks, user: person('customer').id }],
    ])
  })

  it('shows the marks of a room to the other side and to the user’s own other pages', async () => {
    await sendMessage('customer', 'One')
    await sendMessage('consultant', 'N', { kind: 'note' })
    const [customer, consultant, secondConsultant] = [
      await listenAs('customer'),
      await listenAs('consultant'),
      await listenAs('consultant'),
    ]
    const user = person('consultant').id
    expect(await consultant.emitEvent('delivered', { room: world.room(), seq: 2 })).toEqual({ ok: true })
    // The customer's receipt leaves out the note, which has a sequence number of its own.
    const deliveredEvent = { room: world.room(), user, last_read_seq: 0, delivered_seq: 1 }
    await waitUntil(() =>
      expect([customer.receivedEvents.receipt, secondConsultant.receivedEvents.receipt]).toEqual([
        [deliveredEvent],
        [deliveredEvent],
      ]),
    )
    await consultant.emitEvent('delivered', { room: world.room(), seq: 1 })
    await get('consultant', `/seen_messages?room=${world.room()}`)
    await get('consultant', `/seen_messages?room=${world.room()}`)
    const readEvent = { ...deliveredEvent, last_read_seq: 1 }
    await sendMessage('consultant', 'End')
    await waitUntil(() => expect(customer.receivedEvents.update).toHaveLength(1))
    expect([customer.receivedEvents.receipt, secondConsultant.receivedEvents.receipt]).toEqual([
      [deliveredEvent, readEvent],
      [deliveredEvent, readEvent],
    ])
  })

  it('sends receipts of the customer to the owner', async () => {
    await sendMessage('consultant', 'Hello')
    const [consultant, colleague] = [await listenAs('consultant'), await listenAs('colleague')]
    await get('customer', `/seen_messages?room=${world.room()}`)
    await waitUntil(() =>
      expect(consultant.receivedEvents.receipt).toMatchObject([{ user: person('customer').id, last_read_seq: 1 }]),
    )
    expect(colleague.receivedEvents.receipt).toEqual([])
  })

  it('sends receipts of observing staff to nobody else', async () => {
    await sendMessage('customer', 'Hello')
    const [customer, admin] = [await listenAs('customer'), await listenAs('admin')]
    await admin.emitEvent('delivered', { room: world.room(), seq: 1 })
    await get('admin', `/seen_messages?room=${world.room()}`)
    await waitUntil(() => expect(admin.receivedEvents.receipt).toHaveLength(1))
    await sendMessage('consultant', 'End')
    await waitUntil(() => expect(customer.receivedEvents.update).toHaveLength(1))
    expect(customer.receivedEvents.receipt).toEqual([])
  })

  it('sends a receipt only to the user’s own pages when the mark is lowered', async () => {
    await sendMessage('customer', 'One')
    await sendMessage('customer', 'Two')
    await get('consultant', `/seen_messages?room=${world.room()}`)
    const [customer, consultant] = [await listenAs('customer'), await listenAs('consultant')]
    const loweredMark = await ask('consultant', 'POST', `/chatrooms/${world.room()}/unread`, { from: 2 })
    expect(loweredMark).toMatchObject({ status: 200, body: { data: { unread_message: 1, last_read_seq: 1 } } })
    await waitUntil(() =>
      expect(consultant.receivedEvents.receipt).toMatchObject([{ last_read_seq: 1, delivered_seq: 2 }]),
    )
    await sendMessage('consultant', 'End')
    await waitUntil(() => expect(customer.receivedEvents.update).toHaveLength(1))
    expect(customer.receivedEvents.receipt).toEqual([])
  })
})

describe('typing', () => {
  it('shows typing to other members for six seconds, and sends the event at most every three seconds', async () => {
    const [customer, consultant] = [await listenAs('customer'), await listenAs('consultant')]
    const room = world.room()
    const timeBefore = Date.now()
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await customer.emitEvent('typing', { room, on: true })).toEqual({ ok: true })
    expect(await customer.emitEvent('typing', { room, on: false })).toEqual({ ok: true })
    await customer.emitEvent('typing', { room, on: false })
    await customer.emitEvent('typing', { room, on: true })
    await sendMessage('customer', 'End')
    await waitUntil(() => expect(consultant.receivedEvents.update).toHaveLength(1))
    const [firstTyping, secondTyping, ...otherTypings] = consultant.receivedEvents.typing
    expect([firstTyping, secondTyping, otherTypings]).toMatchObject([
      { room, user: person('customer').id },
      { room },
      [],
    ])
    expect(Date.parse(firstTyping?.until ?? '') - timeBefore).toBeGreaterThan(5_900)
    expect(Date.parse(secondTyping?.until ?? '') - timeBefore).toBeLessThan(5_900)
    expect(customer.receivedEvents.typing).toEqual([])
  })

  it('sends no typing to the customer when the typing user is not the owner', async () => {
    const [customer, consultant, admin] = [
      await listenAs('customer'),
      await listenAs('consultant'),
      await listenAs('admin'),
    ]
    await admin.emitEvent('typing', { room: world.room(), on: true })
    await consultant.emitEvent('typing', { room: world.room(), on: true })
    await waitUntil(() => expect(customer.receivedEvents.typing).toMatchObject([{ user: person('consultant').id }]))
    await waitUntil(() => expect(consultant.receivedEvents.typing).toMatchObject([{ user: person('admin').id }]))
  })
})

describe('presence', () => {
  it('sends presence to the desk immediately, and ten seconds after the last page was closed', async () => {
    const newConsultant = await buildConsultant(world.resourceApp)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const [customer, admin] = [await listenAs('customer'), await listenAs('admin')]
      const user = newConsultant.id
      const [firstClient, secondClient] = [await listenAs(newConsultant), await listenAs(newConsultant)]
      await waitUntil(() => expect(admin.receivedEvents.presence).toContainEqual({ user, state: 'online' }))
      const timers = vi.spyOn(globalThis, 'setTimeout')
      firstClient.leaveRooms()
      secondClient.leaveRooms()
      await waitUntil(() => expect(timers).toHaveBeenCalledWith(expect.any(Function), 10_000))
      vi.advanceTimersByTime(10_000)
      await waitUntil(() => expect(admin.receivedEvents.presence).toContainEqual({ user, state: 'offline' }))
      expect(
        admin.receivedEvents.presence.filter((presence) => presence.user === user).map(({ state }) => state),
      ).toEqual(['online', 'offline'])
      expect(customer.receivedEvents.presence).toEqual([])
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
    }
  })
})

describe('the end of a session', () => {
  it.each([
    ['signed-out', { blocked: true, blocked_reason: 'Left' }],
    ['rights-changed', { is_consultant: false }],
  ])(
    'sends the end of a session as %s right before closing the connection, with nothing after it',
    async (reason, change) => {
      const leavingConsultant = await buildConsultant(world.resourceApp)
      const ear = await listenAs(leavingConsultant)
      expect((await ask('owner', 'PUT', `/users/${leavingConsultant.id}`, change)).status).toBe(200)
      expect(await ear.endedSignal).toBe('io server disconnect')
      expect(ear.receivedEvents['session:ended']).toEqual([{ reason }])
    },
  )
})
