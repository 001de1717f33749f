import { request } from 'node:http'
import { sql } from '../../db/sql.ts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildRecord, buildRole, buildUser, testPassword } from '../../testing/factories.ts'
import { type SocketListener, disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

let address = ''
const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.customer = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}

let room = 0
const buildRoom = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'chatrooms', {
    sender: person('customer').id,
    receiver: person('consultant').id,
    ...draft,
  })
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from chatrooms`)
  room = await buildRoom()
})
afterEach(disconnectSockets)

const connectListener = (callerName: string): Promise<SocketListener> =>
  connectSocket(address, { token: person(callerName).token })
const ask = async (callerName: string, method: 'POST' | 'PUT' | 'DELETE' | 'GET', url: string, data?: object) => {
  const { status, body } = await person(callerName).ask(method, url, data && { data })
  return { status, body: body as { data: { id: number }; rev: number } }
}
const sendMessage = async (callerName: string, text: string, data: object = {}) => {
  const { status, body } = await ask(callerName, 'POST', '/chatmessages', { room, text, ...data })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

describe('the handshake', () => {
  const unauthorizedError = { data: { status: 401, name: 'UnauthorizedError' } }

  it.each([
    ['nothing', {}],
    ['an empty token', { token: '' }],
    ['something that is no text', { token: { $ne: null } }],
    ['a forged token', { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJ4In0.c2lnbmVk' }],
    ['something endless', { token: `${'a'.repeat(2_000)}.b.c` }],
  ])('refuses the handshake of a socket with %s', async (_what, auth) => {
    await expect(connectSocket(address, auth)).rejects.toMatchObject(unauthorizedError)
  })

  it('reads the token of a socket from nowhere but the handshake', async () => {
    const { token } = person('customer')
    const extraHeaders = { authorization: `Bearer ${token}` }
    await expect(connectSocket(address, {}, { extraHeaders, query: { token } })).rejects.toMatchObject(
      unauthorizedError,
    )
  })

  it('throttles guessed tokens of sockets by address, and still accepts a right token', async () => {
    const { app: throttledApp } = await openTestApp({
      database: resourceApp.database,
      settings: { ADDRESS_THROTTLE: '2/15m', TRUSTED_PROXIES: '127.0.0.1' },
    })
    await buildUser(resourceApp.database, 'admin', { username: 'behind-a-proxy' })
    const token = await tokenOf(throttledApp, 'behind-a-proxy')
    const appAddress = await throttledApp.listen({ port: 0, host: '127.0.0.1' })
    const socketOptions = (forwarded: string) => ({ extraHeaders: { 'x-forwarded-for': forwarded } })
    const guessToken = (forwarded: string) =>
      connectSocket(appAddress, { token: 'a.b.c' }, socketOptions(forwarded)).catch(
        (error: { data?: { status: number } }) => error.data?.status,
      )
    expect([await guessToken('203.0.113.1'), await guessToken('203.0.113.1')]).toEqual([401, 401])
    expect([await guessToken('203.0.113.1'), await guessToken('203.0.113.2')]).toEqual([429, 401])
    expect((await connectSocket(appAddress, { token }, socketOptions('203.0.113.1'))).socket.connected).toBe(true)
    disconnectSockets()
    await throttledApp.close()
  })

  it('refuses the handshake of a blocked user', async () => {
    const blockedUser = await buildPerson(resourceApp, 'authenticated')
    expect((await ask('admin', 'PUT', `/users/${blockedUser.id}`, { blocked: true })).status).toBe(200)
    await expect(connectSocket(address, { token: blockedUser.token })).rejects.toMatchObject(unauthorizedError)
  })

  it.each([
    ['none, as from a program', undefined, true],
    ['our own', () => address, true],
    ['another one', () => 'https://elsewhere.example', false],
    ['what is no origin', () => 'null', false],
  ])('checks the origin of a socket: %s', async (_what, origin, isAllowed) => {
    const extraHeaders = origin ? { origin: origin() } : {}
    const joinedSocket = await connectSocket(address, { token: person('customer').token }, { extraHeaders }).then(
      ({ socket }) => socket.connected,
      () => false,
    )
    expect(joinedSocket).toBe(isAllowed)
  })

  it('connects sockets over polling, without caching', async () => {
    const ear = await connectSocket(address, { token: person('customer').token }, { transports: ['polling'] })
    await sendMessage('consultant', 'Hello')
    await ear.until('Hello')
    const answer = await fetch(`${address}/socket.io/?EIO=4&transport=polling`)
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('x-content-type-options')]).toEqual([
      200,
      'no-store',
      'nosniff',
    ])
  })

  it('refuses a sixth connection of one user until another one ends', async () => {
    const listeners = await Promise.all(Array.from({ length: 5 }, () => connectListener('stranger')))
    const reconnectSocket = () =>
      connectListener('stranger').then(
        () => 'in',
        (error: { data?: { status: number } }) => error.data?.status,
      )
    expect(await reconnectSocket()).toBe(429)
    expect((await connectListener('customer')).socket.connected).toBe(true)
    listeners[0]?.socket.disconnect()
    await expect.poll(reconnectSocket).toBe('in')
  })
})

describe('an event', () => {
  it('sends an event to both members when a message is created, edited and deleted', async () => {
    const [customer, consultant, colleague] = [
      await connectListener('customer'),
      await connectListener('consultant'),
      await connectListener('colleague'),
    ]
    const { data } = await sendMessage('customer', 'Hello', { client_id: 'a' })
    await ask('customer', 'PUT', `/chatmessages/${data.id}`, { text: 'Hello there' })
    await ask('customer', 'DELETE', `/chatmessages/${data.id}`)
    await sendMessage('consultant', 'End')
    const events = await customer.until('End')
    const listedMessages = (await person('customer').ask('GET', `/chatmessages?filters[room]=${room}`)).body
    expect(events).toMatchObject([
      {
        status: 'created',
        room,
        rev: 1,
        prev: 0,
        data: {
          id: data.id,
          room,
          text: 'Hello',
          kind: 'message',
          client_id: 'a',
          seq: 1,
          seen: false,
          attachments: [],
        },
      },
      { status: 'updated', rev: 2, prev: 1, data: { id: data.id, text: 'Hello there', seq: 1 } },
      { status: 'deleted', rev: 3, prev: 2, data: { id: data.id } },
      { status: 'created', rev: 4, prev: 3 },
    ])
    expect(events[2]?.data).toEqual({ id: data.id, deleted: true })
    // The chat message in the event equals the message in the list.
    expect({ results: [events[3]?.data] }).toMatchObject({ results: (listedMessages as { results: object[] }).results })
    expect(await consultant.until('End')).toEqual(events)

    // Another user received none of these events: the first event of that user is a later one of their own
    // chat room.
    room = await buildRoom({ receiver: person('colleague').id })
    await sendMessage('customer', 'For the colleague')
    expect(await colleague.until('For the colleague')).toHaveLength(1)
  })

  it('sends the event for a note to the desk alone, without a gap in the customer’s revisions', async () => {
    const [customer, consultant] = [await connectListener('customer'), await connectListener('consultant')]
    await sendMessage('customer', 'One')
    const note = await sendMessage('consultant', 'Ask for the field', { kind: 'note' })
    await ask('consultant', 'PUT', `/chatmessages/${note.data.id}`, { text: 'Ask for the size' })
    await sendMessage('consultant', 'Two')
    await ask('consultant', 'DELETE', `/chatmessages/${note.data.id}`)
    await sendMessage('customer', 'Three')
    const steps = (events: readonly { prev: number; rev: number }[]) => events.map(({ prev, rev }) => [prev, rev])
    const receivedEvents = await customer.until('Three')
    expect(steps(receivedEvents)).toEqual([
      [0, 1],
      [1, 4],
      [4, 6],
    ])
    expect(JSON.stringify(receivedEvents)).not.toMatch(/Ask for/)
    expect(steps(await consultant.until('Three'))).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ])
  })

  it('sends events to the present owner of the room, and never to strangers', async () => {
    const names = ['customer', 'consultant', 'colleague', 'stranger', 'admin']
    const listeners = await Promise.all(names.map(connectListener))
    room = await buildRoom({ receiver: null })
    await sendMessage('customer', 'Is anybody there?')
    await ask('colleague', 'POST', `/chatrooms/${room}/assign`, { to: person('colleague').id })
    await sendMessage('customer', 'Thank you')
    // Each member of the desk then receives a later event of their own chat room.
    for (const callerName of names) {
      const receiver = person(callerName === 'colleague' ? 'consultant' : 'colleague').id
      room = await buildRoom({ sender: person(callerName).id, receiver })
      await sendMessage(callerName, `End of ${callerName}`)
    }
    const texts = await Promise.all(
      listeners.map(async (ear, index) => {
        const receivedEvents = await ear.until(`End of ${names[index]}`)
        return receivedEvents.map(({ data }) => data.text).filter((text) => !text?.startsWith('End of'))
      }),
    )
    expect(texts).toEqual([
      ['Is anybody there?', 'Thank you'],
      ['Is anybody there?'],
      ['Is anybody there?', 'Thank you'],
      [],
      [],
    ])
  })

  it('sends no notes to a consultant who is the customer, even while the room is free', async () => {
    const askingListener = await connectListener('colleague')
    const readingListener = await connectListener('consultant')
    room = await buildRoom({ sender: person('colleague').id, receiver: null })
    await sendMessage('consultant', 'A colleague asks', { kind: 'note' })
    await sendMessage('colleague', 'Who knows?')
    expect((await askingListener.until('Who knows?')).map(({ rev, prev }) => [prev, rev])).toEqual([[0, 2]])
    expect(await readingListener.until('Who knows?')).toHaveLength(2)
  })

  it('sends no event for a write that was refused, repeated, without effect or rolled back', async () => {
    const [customer, consultant] = [await connectListener('customer'), await connectListener('consultant')]
    const { data } = await sendMessage('customer', 'First', { client_id: 'a' })
    await sendMessage('customer', 'First', { client_id: 'a' })
    const calls: [string, 'POST' | 'PUT' | 'DELETE', string, object?][] = [
      ['stranger', 'POST', '/chatmessages', { room, text: 'Refused' }],
      ['admin', 'POST', '/chatmessages', { room, text: 'Refused' }],
      ['customer', 'POST', '/chatmessages', { room, text: '' }],
      ['customer', 'POST', '/chatmessages', { room, text: 'Other', client_id: 'a' }],
      ['consultant', 'PUT', `/chatmessages/${data.id}`, { text: 'Refused' }],
      ['consultant', 'DELETE', `/chatmessages/${data.id}`],
      // The response fails after the chat event was created, and all of it is rolled back.
      ['customer', 'POST', '/chatmessages?populate[sender][filters][nothing]=1', { room, text: 'Rolled back' }],
    ]
    for (const [callerName, method, url, body] of calls) {
      const { status } = await ask(callerName, method, url, body)
      expect(status, `${callerName} ${method} ${url}`).toBeGreaterThanOrEqual(400)
    }
    await ask('customer', 'PUT', `/chatmessages/${data.id}`, { text: 'First' })
    await sendMessage('customer', 'End')
    expect((await customer.until('End')).map(({ rev, data: { text } }) => [rev, text])).toEqual([
      [1, 'First'],
      [2, 'End'],
    ])
    expect(await consultant.until('End')).toHaveLength(2)
  })

  it('emits the event `update` for messages alone', async () => {
    const [customer, consultant] = [await connectListener('customer'), await connectListener('consultant')]
    await sendMessage('customer', 'Begin')
    const calls = [
      await ask('consultant', 'PUT', `/chatrooms/${room}`, { state: 'waiting_customer' }),
      await ask('customer', 'GET', `/seen_messages?room=${room}`),
      await ask('admin', 'POST', `/chatrooms/${room}/assign`, { to: person('colleague').id, note: 'Away' }),
    ]
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
    await sendMessage('customer', 'End')
    // The change of the room's state is a public revision, the change of the owner one for the desk.
    expect((await customer.until('End')).map(({ prev, rev }) => [prev, rev])).toEqual([
      [0, 1],
      [2, 4],
    ])
    expect((await consultant.until('End')).map(({ prev, rev }) => [prev, rev])).toEqual([
      [0, 1],
      [3, 4],
    ])
  })

  it('sends only the id of a long message in an event', async () => {
    const customer = await connectListener('customer')
    const { data } = await sendMessage('consultant', 'ў'.repeat(4_000))
    await sendMessage('consultant', 'a'.repeat(4_000))
    await sendMessage('consultant', 'End')
    const [longEvent, shortEvent] = await customer.until('End')
    expect(longEvent).toEqual({
      status: 'created',
      room,
      rev: 1,
      prev: 0,
      data: { id: data.id, rev: 1, partial: true },
    })
    expect(shortEvent?.data.text).toHaveLength(4_000)
  })
})

describe('a connection', () => {
  it.each([
    ['an event nobody knows', (ear: SocketListener) => ear.socket.emit('room:write', { room, text: 'Hello' })],
    ['an update of its own', (ear: SocketListener) => ear.socket.emit('update', { status: 'created' })],
    ['more than 64 KB', (ear: SocketListener) => ear.socket.emit('update', 'a'.repeat(70_000))],
    [
      'more than 20 packets in a second',
      (ear: SocketListener) => Array.from({ length: 30 }, () => ear.socket.io.engine.write('31[]')),
    ],
  ])('closes a connection after %s', async (_what, act) => {
    const ear = await connectListener('customer')
    act(ear)
    expect(await ear.endedSignal).toMatch(/disconnect|transport/)
    expect((await connectListener('customer')).socket.connected).toBe(true)
  })

  it.each([
    ['signs out', (leavingPerson: TestPerson) => leavingPerson.ask('POST', '/auth/logout')],
    ['is blocked', ({ id }: TestPerson) => person('admin').ask('PUT', `/users/${id}`, { data: { blocked: true } })],
    [
      'is no consultant any more',
      ({ id }: TestPerson) => person('admin').ask('PUT', `/users/${id}`, { data: { is_consultant: false } }),
    ],
  ])('closes the connection of a user who %s, and no other connection', async (_what, act) => {
    const leavingConsultant = await buildConsultant(resourceApp)
    const ear = await connectSocket(address, { token: leavingConsultant.token })
    const remainingListener = await connectListener('customer')
    const timeBefore = Date.now()
    expect((await act(leavingConsultant)).status).toBe(200)
    expect(await ear.endedSignal).toBe('io server disconnect')
    expect(Date.now() - timeBefore).toBeLessThan(5_000)
    await sendMessage('consultant', 'Still there')
    await remainingListener.until('Still there')
  })

  it('closes a connection when the password was changed elsewhere', async () => {
    const username = 'changes-password'
    await buildUser(resourceApp.database, 'authenticated', { username, email: `${username}@example.org` })
    const [ear, ownConnection] = await Promise.all(
      [await tokenOf(resourceApp.app, username), await tokenOf(resourceApp.app, username)].map(async (token) => ({
        token,
        ear: await connectSocket(address, { token }),
      })),
    )
    const answer = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/auth/change-password',
      headers: { authorization: `Bearer ${ownConnection?.token}` },
      payload: { currentPassword: testPassword, password: 'Other-2026', passwordConfirmation: 'Other-2026' },
    })
    expect(answer.statusCode).toBe(200)
    expect(await ear?.ear.endedSignal).toBe('io server disconnect')
    expect(ownConnection?.ear.socket.connected).toBe(true)
  })

  it('closes a connection when its session expires, without an event', async () => {
    const leavingUser = await buildPerson(resourceApp, 'authenticated')
    const ear = await connectSocket(address, { token: leavingUser.token })
    await resourceApp.database.query(sql`update sessions set expires_at = now() where user_id = ${leavingUser.id}`)
    expect(await ear.endedSignal).toBe('io server disconnect')
  })
})

describe('other HTTP requests of the server', () => {
  it('answers HTTP requests on paths outside the sockets', async () => {
    expect((await fetch(`${address}/health`)).status).toBe(200)
    expect((await fetch(`${address}/socket.io`)).status).toBe(404)
  })

  it('closes HTTP requests that upgrade another path', async () => {
    const { port } = new URL(address)
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const endedSignal = new Promise<string>((resolve) => {
      const askingRequest = request({ port, host: '127.0.0.1', path: '/api/elsewhere', headers })
      askingRequest.on('upgrade', () => resolve('upgraded'))
      askingRequest.on('response', ({ statusCode }) => resolve(String(statusCode)))
      askingRequest.on('error', () => resolve('ended'))
      askingRequest.end()
    })
    expect(await endedSignal).toBe('ended')
  })
})

describe('closing the server', () => {
  let lastApp: Awaited<ReturnType<typeof openTestApp>> | undefined
  afterAll(() => lastApp?.app.close())

  it('ends socket connections when the server closes, and does not wait for them', async () => {
    lastApp = await openTestApp()
    await buildRole(lastApp.database, 'public')
    await buildUser(lastApp.database, 'authenticated', { username: 'last', email: 'last@example.org' })
    const serverAddress = await lastApp.app.listen({ port: 0, host: '127.0.0.1' })
    const ear = await connectSocket(serverAddress, { token: await tokenOf(lastApp.app, 'last') })
    await lastApp.app.close()
    expect(await ear.endedSignal).toBe('io server disconnect')
  })
})
