import { sql } from '../../db/sql.ts'
import { describe, expect, it, vi } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'
import { buildConsultant } from '../../testing/people.ts'
import { eventually } from '../../testing/eventually.ts'

const world = startChatWorld({ CHAT_TICK_SECONDS: '1' })
const { ask, get, send, listen, person, buildRoom } = world
const assign = (who: 'admin' | 'colleague' | 'consultant', to: number | null, room = world.room()) =>
  ask<{ rev: number }>(who, 'POST', `/chatrooms/${room}/assign`, { to, note: 'Knows maize' })

describe('room:join', () => {
  it('returns on room:join the revision that the user’s side counts', async () => {
    await send('customer', 'Hello')
    await send('consultant', 'N', { kind: 'note' })
    const join = async (who: 'customer' | 'consultant' | 'admin') =>
      (await listen(who)).emit('room:join', { room: world.room(), rev: 0 })
    expect([await join('customer'), await join('consultant'), await join('admin')]).toEqual([
      { ok: true, rev: 1 },
      { ok: true, rev: 2 },
      { ok: true, rev: 2 },
    ])
  })

  it.each(['stranger', 'colleague'] as const)(
    'refuses room:join, typing and delivered to a %s, who receives no event',
    async (who) => {
      const [ear, customer] = [await listen(who), await listen('customer')]
      const room = world.room()
      for (const word of ['room:join', 'typing', 'delivered'] as const) {
        const payload = { 'room:join': { room, rev: 0 }, typing: { room, on: true }, delivered: { room, seq: 1 } }[word]
        expect([word, await ear.emit(word, payload)]).toEqual([word, { ok: false, code: 'record.not-found' }])
      }
      await send('consultant', 'Hello')
      await eventually(() => expect(customer.received.tick.length + customer.received.update.length).toBeGreaterThan(0))
      const own = await buildRoom({ sender: person('customer').id, receiver: person('colleague').id })
      await send('customer', 'Own', { room: own })
      await eventually(() => expect(ear.received.update).toHaveLength(who === 'colleague' ? 1 : 0))
      expect(ear.all()).not.toContain(`"room":${room}`)
      expect(customer.received.typing).toEqual([])
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
  ] as const)('refuses the event %s with %j and keeps the connection', async (word, payload) => {
    const ear = await listen('customer')
    expect(await ear.emit(word, payload)).toEqual({ ok: false, code: 'request.unprocessable' })
    expect(await ear.emit('room:join', { room: world.room(), rev: 0 })).toEqual({ ok: true, rev: 0 })
  })

  it('lets staff observe a room and sends them every event until they leave', async () => {
    const [admin, owner] = [await listen('admin'), await listen('owner')]
    await admin.emit('room:join', { room: world.room(), rev: 0 })
    await owner.emit('room:join', { room: world.room(), rev: 0 })
    await owner.emit('room:leave', { room: world.room() })
    await send('customer', 'Hello')
    await send('consultant', 'N', { kind: 'note' })
    await eventually(() =>
      expect(admin.received.update.map(({ rev, prev }) => [prev, rev])).toEqual([
        [0, 1],
        [1, 2],
      ]),
    )
    expect(admin.received['room:changed'].map(({ row }) => row?.rev)).toEqual([1, 2])
    expect([owner.received.update, owner.received['room:changed']]).toEqual([[], []])
    // Staff who observe a chat room set no read mark.
    expect(await world.here.database.query(sql`select 1 from chat_reads`)).toEqual([])
  })

  it('sends no notes to staff who are the customer', async () => {
    const room = await buildRoom({ sender: person('admin').id, receiver: person('consultant').id })
    const admin = await listen('admin')
    expect(await admin.emit('room:join', { room, rev: 0 })).toEqual({ ok: true, rev: 0 })
    await send('consultant', 'N', { room, kind: 'note' })
    await send('consultant', 'Hello', { room })
    await eventually(() => expect(admin.received.update).toHaveLength(1))
    expect(admin.received.update[0]).toMatchObject({ prev: 0, rev: 2 })
    const page = await get<{ results: object[]; rev: number }>('admin', `/chatmessages?filters[room]=${room}&after=0`)
    expect([page.results.length, page.rev]).toEqual([1, 2])
  })
})

describe('the tick event', () => {
  it('sends in a tick the revisions of joined rooms from the database, as each side counts them', async () => {
    await send('customer', 'Hello')
    await send('consultant', 'N', { kind: 'note' })
    const [customer, consultant, colleague] = [
      await listen('customer'),
      await listen('consultant'),
      await listen('colleague'),
    ]
    for (const ear of [customer, consultant]) await ear.emit('room:join', { room: world.room(), rev: 0 })
    await eventually(() => expect(customer.received.tick.at(-1)).toEqual({ rooms: { [world.room()]: 1 } }))
    await eventually(() => expect(consultant.received.tick.at(-1)).toEqual({ rooms: { [world.room()]: 2 } }))
    // The revision is written directly to the database, like a change of another instance whose event was
    // lost.
    await world.here.database.query(sql`update chatrooms set revision = 9 where id = ${world.room()}`)
    await eventually(() => expect(consultant.received.tick.at(-1)).toEqual({ rooms: { [world.room()]: 9 } }))
    expect(colleague.received.tick).toEqual([])
  })

  it('leaves out of a tick a room that the user may no longer read', async () => {
    const otherRoom = await buildRoom({ sender: person('stranger').id, receiver: null })
    const colleague = await listen('colleague')
    expect(await colleague.emit('room:join', { room: otherRoom, rev: 0 })).toEqual({ ok: true, rev: 0 })
    await eventually(() => expect(colleague.received.tick.length).toBeGreaterThan(0))
    await assign('consultant', person('consultant').id, otherRoom)
    // The event without chat rooms informs the user even if the event of the removal was lost.
    await eventually(() => expect(colleague.received.tick.at(-1)).toEqual({ rooms: {} }))
    const own = await buildRoom({ sender: person('stranger').id, receiver: person('colleague').id })
    await colleague.emit('room:join', { room: own, rev: 0 })
    await eventually(() => expect(colleague.received.tick.at(-1)).toEqual({ rooms: { [own]: 0 } }))
  })
})

describe('the room:changed event', () => {
  it('sends in room:changed the row that each user’s list shows', async () => {
    const [customer, consultant] = [await listen('customer'), await listen('consultant')]
    await send('customer', 'ў'.repeat(300))
    await send('consultant', 'N', { kind: 'note' })
    await send('consultant', 'Answer')
    for (const [who, ear] of [
      ['customer', customer],
      ['consultant', consultant],
    ] as const) {
      await eventually(() => expect(ear.received['room:changed'].at(-1)?.change.rev).toBe(3))
      const list = await get<{ results: object[] }>(who, '/get_customized_rooms')
      expect(ear.received['room:changed'].at(-1)?.row).toEqual(list.results[0])
    }
    expect(consultant.received['room:changed'].map(({ row }) => row?.unread_message)).toEqual([1, 1, 1])
    expect(consultant.received['room:changed'][0]?.row?.last_message?.text).toBe('ў'.repeat(200))
    expect(customer.received['room:changed'].map(({ change, row }) => [change.prev, change.rev, row?.rev])).toEqual([
      [0, 1, 1],
      [1, 3, 3],
    ])
  })

  it('sends a free room to all consultants, and removes it from their lists when a colleague takes it', async () => {
    const room = await buildRoom({ sender: person('stranger').id, receiver: null })
    const [consultant, colleague, asker] = [
      await listen('consultant'),
      await listen('colleague'),
      await listen('stranger'),
    ]
    await send('stranger', 'Anybody?', { room })
    for (const ear of [consultant, colleague])
      await eventually(() =>
        expect(ear.received['room:changed'][0]).toMatchObject({ room, row: { unread_message: 1 } }),
      )
    await assign('colleague', person('colleague').id, room)
    const data = { from: null, to: person('colleague').id }
    await eventually(() =>
      expect(consultant.received['room:changed'][1]).toEqual({
        room,
        change: { type: 'assigned', rev: 2, prev: 1, data: { ...data, note: null } },
        row: null,
      }),
    )
    await eventually(() =>
      expect(colleague.received['room:changed'][1]).toMatchObject({ row: { assignee: { id: data.to } } }),
    )
    await send('stranger', 'Thanks', { room })
    await eventually(() => expect(asker.received['room:changed']).toHaveLength(2))
    await eventually(() => expect(colleague.received.update).toHaveLength(2))
    expect(consultant.received.update).toHaveLength(1)
  })

  it('sends a hand-over to the former and the new owner, and never to the customer', async () => {
    await assign('admin', person('consultant').id)
    const names = ['customer', 'consultant', 'colleague'] as const
    const [customer, former, next] = await Promise.all(names.map(listen))
    const answer = await assign('admin', person('colleague').id)
    const update = {
      room: world.room(),
      from: person('consultant').id,
      to: person('colleague').id,
      note: 'Knows maize',
    }
    expect(answer).toMatchObject({ status: 200, body: { rev: 1 } })
    await eventually(() => expect([former?.received.assigned, next?.received.assigned]).toEqual([[update], [update]]))
    // The first owner still sees the chat room after the hand-over, because they are its receiver.
    await eventually(() => expect(former?.received['room:changed'][0]?.row?.assignee?.id).toBe(person('colleague').id))
    await assign('admin', person('admin').id)
    await eventually(() =>
      expect(next?.received['room:changed'].at(-1)).toMatchObject({ room: world.room(), row: null }),
    )
    await send('customer', 'End')
    await eventually(() => expect(customer?.received['room:changed']).toHaveLength(1))
    expect([customer?.received.assigned, customer?.all().includes('Knows maize')]).toEqual([[], false])
    expect(customer?.received['room:changed'][0]?.change.prev).toBe(0)
  })

  it('sends no hand-over to a former owner who left the desk', async () => {
    const room = await world.buildRoom({ receiver: person('stranger').id })
    const [former, next] = [await listen('stranger'), await listen('colleague')]
    const data = { to: person('colleague').id, note: 'He has left us' }
    expect((await ask('admin', 'POST', `/chatrooms/${room}/assign`, data)).status).toBe(200)
    await send('customer', 'Hello', { room })
    await eventually(() => expect(next.received.assigned).toMatchObject([{ room, note: data.note }]))
    // A later event of the socket has arrived, so no earlier event is pending.
    await eventually(() => expect(former.received.update).toHaveLength(1))
    expect([former.received.assigned, former.all().includes(data.note)]).toEqual([[], false])
  })

  it('sends in room:changed the state, whichever route set it, and the reason only to the desk', async () => {
    const [customer, consultant] = [await listen('customer'), await listen('consultant')]
    const close = await ask('consultant', 'POST', `/chatrooms/${world.room()}/state`, {
      state: 'waiting_customer',
      reason: 'Asked for a picture',
    })
    expect(close).toMatchObject({ status: 200, body: { rev: 1, data: { attributes: { state: 'waiting_customer' } } } })
    expect((await ask('consultant', 'PUT', `/chatrooms/${world.room()}`, { state: 'closed' })).status).toBe(200)
    await eventually(() => expect(customer.received['room:changed']).toHaveLength(2))
    expect(customer.received['room:changed'].map(({ change }) => change)).toEqual([
      { type: 'state', rev: 1, prev: 0, data: { from: 'open', to: 'waiting_customer', reason: null } },
      { type: 'state', rev: 2, prev: 1, data: { from: 'waiting_customer', to: 'closed', reason: null } },
    ])
    await eventually(() =>
      expect(consultant.received['room:changed'][0]?.change).toMatchObject({ data: { reason: 'Asked for a picture' } }),
    )
    expect(customer.received.update).toEqual([])
  })

  it('omits the text of a long message from room:changed', async () => {
    const customer = await listen('customer')
    const { data } = await send('consultant', 'ў'.repeat(4_000))
    await eventually(() => expect(customer.received['room:changed']).toHaveLength(1))
    const partial = { id: data.id, rev: 1, partial: true }
    expect(customer.received['room:changed'][0]).toMatchObject({ change: { data: partial }, row: { rev: 1 } })
    expect(customer.received.update[0]?.data).toEqual(partial)
  })
})

describe('receipts', () => {
  it('sends receipts of the other side alone to a user who joins the room later', async () => {
    await send('customer', 'One')
    await get('consultant', `/seen_messages?room=${world.room()}`)
    await get('customer', `/seen_messages?room=${world.room()}`)
    const [customer, admin] = [await listen('customer'), await listen('admin')]
    for (const ear of [customer, admin]) await ear.emit('room:join', { room: world.room(), rev: 0 })
    const marks = { room: world.room(), last_read_seq: 1, delivered_seq: 1 }
    expect([customer.received.receipt, admin.received.receipt]).toEqual([
      [{ ...marks, user: person('consultant').id }],
      [{ ...marks, user: person('customer').id }],
    ])
  })

  it('shows the marks of a room to the other side and to the user’s own other pages', async () => {
    await send('customer', 'One')
    await send('consultant', 'N', { kind: 'note' })
    const [customer, consultant, second] = [
      await listen('customer'),
      await listen('consultant'),
      await listen('consultant'),
    ]
    const user = person('consultant').id
    expect(await consultant.emit('delivered', { room: world.room(), seq: 2 })).toEqual({ ok: true })
    // The customer's receipt leaves out the note, which has a sequence number of its own.
    const delivered = { room: world.room(), user, last_read_seq: 0, delivered_seq: 1 }
    await eventually(() =>
      expect([customer.received.receipt, second.received.receipt]).toEqual([[delivered], [delivered]]),
    )
    await consultant.emit('delivered', { room: world.room(), seq: 1 })
    await get('consultant', `/seen_messages?room=${world.room()}`)
    await get('consultant', `/seen_messages?room=${world.room()}`)
    const read = { ...delivered, last_read_seq: 1 }
    await send('consultant', 'End')
    await eventually(() => expect(customer.received.update).toHaveLength(1))
    expect([customer.received.receipt, second.received.receipt]).toEqual([
      [delivered, read],
      [delivered, read],
    ])
  })

  it('sends receipts of the customer to the owner', async () => {
    await send('consultant', 'Hello')
    const [consultant, colleague] = [await listen('consultant'), await listen('colleague')]
    await get('customer', `/seen_messages?room=${world.room()}`)
    await eventually(() =>
      expect(consultant.received.receipt).toMatchObject([{ user: person('customer').id, last_read_seq: 1 }]),
    )
    expect(colleague.received.receipt).toEqual([])
  })

  it('sends receipts of observing staff to nobody else', async () => {
    await send('customer', 'Hello')
    const [customer, admin] = [await listen('customer'), await listen('admin')]
    await admin.emit('delivered', { room: world.room(), seq: 1 })
    await get('admin', `/seen_messages?room=${world.room()}`)
    await eventually(() => expect(admin.received.receipt).toHaveLength(1))
    await send('consultant', 'End')
    await eventually(() => expect(customer.received.update).toHaveLength(1))
    expect(customer.received.receipt).toEqual([])
  })

  it('sends a receipt only to the user’s own pages when the mark is lowered', async () => {
    await send('customer', 'One')
    await send('customer', 'Two')
    await get('consultant', `/seen_messages?room=${world.room()}`)
    const [customer, consultant] = [await listen('customer'), await listen('consultant')]
    const lowered = await ask('consultant', 'POST', `/chatrooms/${world.room()}/unread`, { from: 2 })
    expect(lowered).toMatchObject({ status: 200, body: { data: { unread_message: 1, last_read_seq: 1 } } })
    await eventually(() => expect(consultant.received.receipt).toMatchObject([{ last_read_seq: 1, delivered_seq: 2 }]))
    await send('consultant', 'End')
    await eventually(() => expect(customer.received.update).toHaveLength(1))
    expect(customer.received.receipt).toEqual([])
  })
})

describe('typing', () => {
  it('shows typing to other members for six seconds, and sends the event at most every three seconds', async () => {
    const [customer, consultant] = [await listen('customer'), await listen('consultant')]
    const room = world.room()
    const before = Date.now()
    for (let turn = 0; turn < 5; turn += 1)
      expect(await customer.emit('typing', { room, on: true })).toEqual({ ok: true })
    expect(await customer.emit('typing', { room, on: false })).toEqual({ ok: true })
    await customer.emit('typing', { room, on: false })
    await customer.emit('typing', { room, on: true })
    await send('customer', 'End')
    await eventually(() => expect(consultant.received.update).toHaveLength(1))
    const [first, second, ...more] = consultant.received.typing
    expect([first, second, more]).toMatchObject([{ room, user: person('customer').id }, { room }, []])
    expect(Date.parse(first?.until ?? '') - before).toBeGreaterThan(5_900)
    expect(Date.parse(second?.until ?? '') - before).toBeLessThan(5_900)
    expect(customer.received.typing).toEqual([])
  })

  it('sends no typing to the customer when the typing user is not the owner', async () => {
    const [customer, consultant, admin] = [await listen('customer'), await listen('consultant'), await listen('admin')]
    await admin.emit('typing', { room: world.room(), on: true })
    await consultant.emit('typing', { room: world.room(), on: true })
    await eventually(() => expect(customer.received.typing).toMatchObject([{ user: person('consultant').id }]))
    await eventually(() => expect(consultant.received.typing).toMatchObject([{ user: person('admin').id }]))
  })
})

describe('presence', () => {
  it('sends presence to the desk immediately, and ten seconds after the last page was closed', async () => {
    const fresh = await buildConsultant(world.here)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const [customer, admin] = [await listen('customer'), await listen('admin')]
      const user = fresh.id
      const [one, two] = [await listen(fresh), await listen(fresh)]
      await eventually(() => expect(admin.received.presence).toContainEqual({ user, state: 'online' }))
      one.leave()
      two.leave()
      await eventually(() => expect(admin.received.presence).toContainEqual({ user, state: 'offline' }))
      expect(admin.received.presence.filter((presence) => presence.user === user).map(({ state }) => state)).toEqual([
        'online',
        'offline',
      ])
      expect(customer.received.presence).toEqual([])
    } finally {
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
      const leaving = await buildConsultant(world.here)
      const ear = await listen(leaving)
      expect((await ask('owner', 'PUT', `/users/${leaving.id}`, change)).status).toBe(200)
      expect(await ear.ended).toBe('io server disconnect')
      expect(ear.received['session:ended']).toEqual([{ reason }])
    },
  )
})
