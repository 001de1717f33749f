/** Two programs on one PostgreSQL server; this file runs only where there is one (vitest.config.ts). */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoomChanges } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from './db/sql.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from './app.ts'
import { engineParts as parts } from './behaviours/index.ts'
import { type Database, openDatabase } from './db/database.ts'
import { migrateDatabase, readMigrations } from './db/migrate.ts'
import { makeResetCode, voidResetCodes } from './domain/accounts/reset-codes.ts'
import { readSettings } from './settings.ts'
import { tokenOf } from './testing/app.ts'
import { createTestDatabase } from './testing/databases.ts'
import { buildRecord, buildRole, buildTag, buildUser, testPassword } from './testing/factories.ts'
import { type SocketListener, disconnectSockets, connectSocket } from './testing/listening.ts'
import { waitUntil } from './testing/eventually.ts'

interface Instance {
  app: FastifyInstance
  database: Database
}

const dataDir = mkdtempSync(join(tmpdir(), 'dala-two-'))
const instances: Instance[] = []
let appliedNames: string[] = []
let [primaryInstance, secondInstance]: Partial<[Instance, Instance]> = []

async function openInstance(database: Database, url: string): Promise<Instance> {
  await database.listen()
  const settings = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    NODE_ENV: 'test',
    CHAT_TICK_SECONDS: '1',
    JWT_SECRET: 'two-instances-0123456789-abcdefg',
  })
  const app = await buildApp({ settings, database, panelDir: join(dataDir, 'none'), log: { level: 'silent' } })
  await app.ready()
  return { app, database }
}
const firstInstance = (instance: Instance | undefined): Instance => {
  if (!instance) throw new Error('The instances are not running')
  return instance
}

beforeAll(async () => {
  const url = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', `two_${process.env.VITEST_POOL_ID ?? '0'}`)
  const databases = await Promise.all([openDatabase({ url }, { parts }), openDatabase({ url }, { parts })])
  appliedNames = (await Promise.all(databases.map((database) => migrateDatabase(database)))).flat()
  for (const database of databases) instances.push(await openInstance(database, url))
  primaryInstance = instances[0]
  secondInstance = instances[1]
  await buildUser(firstInstance(primaryInstance).database, 'admin', { username: 'admin' })
  await buildUser(firstInstance(primaryInstance).database, 'owner', { username: 'owner' })
  await Promise.all(instances.map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })))
})
afterEach(disconnectSockets)
afterAll(async () => {
  for (const { app, database } of instances) {
    await app.close()
    await database.close()
  }
})

test('voids the code of a reset email that is written while the address changes', async () => {
  const { database } = firstInstance(primaryInstance)
  const id = await buildUser(database, 'authenticated', { email: 'former@example.org' })
  const codeSignal = Promise.withResolvers<unknown>()
  await firstInstance(secondInstance).database.transaction(async (trx) => {
    await trx.query(sql`select id from users where id = ${id} for update`)
    await trx.query(sql`update users set email = 'fresh@example.org' where id = ${id}`)
    await voidResetCodes(trx, id)
    codeSignal.resolve(database.transaction((transaction) => makeResetCode(transaction, id, 'former@example.org')))
    const waits = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await waitUntil(async () => expect(await trx.query(waits)).toHaveLength(1))
  })
  expect(await codeSignal.promise).toBeUndefined()
  expect(await database.query(sql`select hash from reset_codes where user_id = ${id}`)).toEqual([])
})

const statusOf = async ({ app }: Instance, token: string) =>
  (await app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode

async function totalOf({ app }: Instance, token: string): Promise<number> {
  const answer = await app.inject({ url: '/api/tags', headers: { authorization: `Bearer ${token}` } })
  const body: { meta: { pagination: { total: number } } } = answer.json()
  return body.meta.pagination.total
}

test('applies each migration once when two programs migrate concurrently', () => {
  expect(appliedNames.toSorted()).toEqual(
    readMigrations()
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('corrects the cached total on one instance after a write on the other', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const token = await tokenOf(nearInstance.app, 'admin')
  const totalBefore = await totalOf(farInstance, token)
  await buildTag(nearInstance.database)
  await waitUntil(async () => expect(await totalOf(farInstance, token)).toBe(totalBefore + 1))
})

test('reconnects a listening connection that is cut, and serves no stale total that it missed', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const token = await tokenOf(nearInstance.app, 'admin')
  const totalBefore = await totalOf(farInstance, token)
  const listeners = () =>
    nearInstance.database.query(sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`)
  const formerListeners = await listeners()
  expect(formerListeners).toHaveLength(2)
  // No instance listens to the database while the next write is announced.
  await nearInstance.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where pid = any(${formerListeners.map(({ pid }) => pid)}::int[])`)
  await buildTag(nearInstance.database)
  await vi.waitFor(async () => expect(await totalOf(farInstance, token)).toBe(totalBefore + 1), { timeout: 5_000 })
  const cutPids = new Set(formerListeners.map(({ pid }) => pid))
  await vi.waitFor(async () => expect((await listeners()).filter(({ pid }) => !cutPids.has(pid))).toHaveLength(2), {
    timeout: 5_000,
  })
  await buildTag(nearInstance.database)
  await waitUntil(async () => expect(await totalOf(farInstance, token)).toBe(totalBefore + 2))
})

/** Opens a chat room of a customer and a consultant, and returns their tokens. */
async function openRoom({ app, database }: Instance, title: string) {
  const [sender, receiver] = [
    await buildUser(database, 'authenticated', { username: `${title}-asks` }),
    await buildUser(database, 'authenticated', { username: `${title}-answers`, is_consultant: true }),
  ]
  const room = await buildRecord(database, 'chatrooms', { sender, receiver })
  return { room, asks: await tokenOf(app, `${title}-asks`), answers: await tokenOf(app, `${title}-answers`) }
}

async function sendMessage({ app }: Instance, token: string, room: number, text: string): Promise<number> {
  const payload = { data: { room, text } }
  const headers = { authorization: `Bearer ${token}` }
  return (await app.inject({ method: 'POST', url: '/api/chatmessages', headers, payload })).statusCode
}

/** Returns the address of a server instance. */
const addressOf = ({ app }: Instance) => app.listeningOrigin

/** Sends a chat message until it arrives: instances find each other within seconds of their start. */
async function sendUntilReceived(
  ownInstance: Instance,
  token: string,
  room: number,
  ear: SocketListener,
  text: string,
): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await sendMessage(ownInstance, token, room, text)).toBe(200)
      expect(ear.events.some(({ data }) => data.text === text)).toBe(true)
    },
    { timeout: 10_000, interval: 250 },
  )
}

test('sends a message that is written on one instance to the sockets of the other, in order', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const { room, asks, answers } = await openRoom(nearInstance, 'order')
  const ear = await connectSocket(addressOf(farInstance), { token: answers })
  await sendUntilReceived(nearInstance, asks, room, ear, 'Anybody?')
  const texts = Array.from({ length: 20 }, (_item, index) => `Message ${index}`)
  for (const text of texts) expect(await sendMessage(nearInstance, asks, room, text)).toBe(200)
  const receivedEvents = await ear.until('Message 19')
  expect(receivedEvents.slice(-20).map(({ data }) => data.text)).toEqual(texts)
  expect(receivedEvents.slice(-20).every(({ prev, rev }) => rev === prev + 1)).toBe(true)
})

type Ask = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => Promise<number>

/** Calls one of the two server instances with an access token. */
const askWithToken =
  ({ app }: Instance, token: string): Ask =>
  async (method, path, payload) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) })).statusCode
  }

const newPassword = { currentPassword: testPassword, password: 'Barley-77', passwordConfirmation: 'Barley-77' }

/**
 * The events that end a session: its own request, one from
 * another session of the user, or one from a higher role.
 */
const endings: [what: string, end: (person: number, asks: { own: Ask; second: Ask; owner: Ask }) => Promise<number>][] =
  [
    ['signing out', (_person, { own }) => own('POST', '/auth/logout')],
    [
      'a new password, set in another session',
      (_person, { second }) => second('POST', '/auth/change-password', newPassword),
    ],
    [
      'a new password, set from above',
      (person, { owner }) => owner('PUT', `/users/${person}`, { password: 'Barley-77' }),
    ],
    [
      'another role',
      async (person, { owner }) =>
        owner('PUT', `/users/${person}`, {
          role: await buildRole(firstInstance(primaryInstance).database, 'super-admin'),
        }),
    ],
    ['being blocked', (person, { owner }) => owner('PUT', `/users/${person}`, { blocked: true })],
    ['being deleted', (person, { owner }) => owner('DELETE', `/users/${person}`)],
    ['all sessions being ended', (person, { owner }) => owner('POST', `/users/${person}/sign-out`)],
  ]

test.each(endings)(
  'refuses requests within 1 s and cuts sockets within 5 s on one instance after %s on the other',
  async (endingName, end) => {
    const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
    const username = `ends-${endings.findIndex(([knownEnding]) => knownEnding === endingName)}`
    const person = await buildUser(nearInstance.database, 'admin', { username })
    const [token, secondToken, owner] = [
      await tokenOf(nearInstance.app, username),
      await tokenOf(nearInstance.app, username),
      await tokenOf(nearInstance.app, 'owner'),
    ]
    expect([await statusOf(nearInstance, token), await statusOf(farInstance, token)]).toEqual([200, 200])
    const ear = await connectSocket(addressOf(farInstance), { token })
    let isCut = false
    void ear.endedSignal.then((reason) => (isCut = reason === 'io server disconnect'))
    const askCalls = {
      own: askWithToken(nearInstance, token),
      second: askWithToken(nearInstance, secondToken),
      owner: askWithToken(nearInstance, owner),
    }
    expect(await end(person, askCalls)).toBe(200)
    expect(await statusOf(nearInstance, token)).toBe(401)
    await vi.waitFor(async () => expect(await statusOf(farInstance, token)).toBe(401), { timeout: 1_000 })
    await vi.waitFor(() => expect(isCut).toBe(true), { timeout: 5_000 })
    await expect(connectSocket(addressOf(farInstance), { token })).rejects.toThrow('Missing or invalid credentials')
  },
)

test('locks an account on both instances after failed sign-ins on either, and after a restart', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  await buildUser(nearInstance.database, 'authenticated', { username: 'guessed' })
  const signIn = async ({ app }: Pick<Instance, 'app'>, password: string) =>
    (await app.inject({ method: 'POST', url: '/api/auth/local', payload: { identifier: 'guessed', password } }))
      .statusCode
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect([await signIn(nearInstance, 'wrong'), await signIn(farInstance, 'wrong')]).toEqual([400, 400])
  }
  expect([await signIn(nearInstance, testPassword), await signIn(farInstance, testPassword)]).toEqual([429, 429])
  const reopenedApp = await buildApp({
    settings: readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' }),
    database: nearInstance.database,
    panelDir: join(dataDir, 'none'),
    log: { level: 'silent' },
  })
  expect(await signIn({ app: reopenedApp }, testPassword)).toBe(429)
  await reopenedApp.close()
})

test("restores the connection between the instances' sockets whenever it is cut", async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const { room, asks, answers } = await openRoom(nearInstance, 'cut')
  const ear = await connectSocket(addressOf(farInstance), { token: answers })
  for (let roundNumber = 0; roundNumber < 3; roundNumber += 1) {
    // Only messages of this round count: an earlier message may still have been on its way at the cut.
    await sendUntilReceived(nearInstance, asks, room, ear, `Round ${roundNumber}`)
    const cutConnections = await nearInstance.database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'dala-sockets'`)
    expect(cutConnections.length).toBeGreaterThan(0)
  }
  await sendUntilReceived(nearInstance, asks, room, ear, 'End')
}, 60_000)

test('finds a socket event that is lost between the instances at the next tick', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const { room, asks, answers } = await openRoom(nearInstance, 'lost')
  const ear = await connectSocket(addressOf(farInstance), { token: answers })
  const ticks: Record<number, number>[] = []
  ear.socket.on('tick', ({ rooms }: { rooms: Record<number, number> }) => ticks.push(rooms))
  await sendUntilReceived(nearInstance, asks, room, ear, 'Anybody?')
  const joinedAnswer = (await ear.socket.emitWithAck('room:join', { room, rev: 0 })) as { ok: boolean; rev: number }
  expect(joinedAnswer.ok).toBe(true)
  const killSql = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'dala-sockets'`
  // The chat message is sent between two ticks: the next tick finds it, whether its event was lost or not.
  expect((await nearInstance.database.query(killSql)).length).toBeGreaterThan(0)
  expect(await sendMessage(nearInstance, asks, room, 'Said while nobody listened')).toBe(200)
  await waitUntil(() => expect(ticks.at(-1)?.[room]).toBeGreaterThan(joinedAnswer.rev))
  const headers = { authorization: `Bearer ${answers}` }
  const url = `/api/chatrooms/${room}/changes?after=${joinedAnswer.rev}`
  const missedChanges: RoomChanges = (await farInstance.app.inject({ url, headers })).json()
  expect(missedChanges).toMatchObject({ complete: true, results: [{ data: { text: 'Said while nobody listened' } }] })
})

test('sends receipts, typing and presence across the instances', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const { room, asks, answers } = await openRoom(nearInstance, 'beside')
  const [customer, consultant, admin] = [
    await connectSocket(addressOf(farInstance), { token: asks }),
    await connectSocket(addressOf(nearInstance), { token: answers }),
    await connectSocket(addressOf(farInstance), { token: await tokenOf(farInstance.app, 'admin') }),
  ]
  const receivedTexts = new Set<string>()
  for (const event of ['receipt', 'typing', 'room:changed']) customer.socket.on(event, () => receivedTexts.add(event))
  admin.socket.on('room:changed', () => receivedTexts.add('watched'))
  await admin.socket.emitWithAck('room:join', { room, rev: 0 })
  await sendUntilReceived(nearInstance, answers, room, customer, 'Hello')
  await consultant.socket.emitWithAck('typing', { room, on: true })
  expect(await sendMessage(farInstance, asks, room, 'Question')).toBe(200)
  const headers = { authorization: `Bearer ${answers}` }
  expect((await nearInstance.app.inject({ url: `/api/seen_messages?room=${room}`, headers })).statusCode).toBe(200)
  await waitUntil(() => expect([...receivedTexts].toSorted()).toEqual(['receipt', 'room:changed', 'typing', 'watched']))
})

test('shows on both instances which users have a record open, and sends changes to both', async () => {
  const [nearInstance, farInstance] = [firstInstance(primaryInstance), firstInstance(secondInstance)]
  const tag = await buildTag(nearInstance.database)
  await buildUser(nearInstance.database, 'admin', { username: 'second-admin' })
  const [firstSocket, secondSocket] = [
    await connectSocket(addressOf(nearInstance), { token: await tokenOf(nearInstance.app, 'admin') }),
    await connectSocket(addressOf(farInstance), { token: await tokenOf(farInstance.app, 'second-admin') }),
  ]
  const presentEditors: { locale: string | null }[][] = []
  const changedTables = new Set<string>()
  firstSocket.socket.on('editors', ({ people }: { people: { locale: string | null }[] }) => presentEditors.push(people))
  secondSocket.socket.on('changed', ({ resources }: { resources: string[] }) =>
    resources.forEach((name) => changedTables.add(name)),
  )
  await firstSocket.socket.emitWithAck('editing', { resource: 'tags', id: tag, locale: 'en' })
  await secondSocket.socket.emitWithAck('editing', { resource: 'tags', id: tag, locale: 'uz' })
  await waitUntil(() => expect(presentEditors.at(-1)).toMatchObject([{ locale: 'uz' }]))
  secondSocket.socket.disconnect()
  await waitUntil(() => expect(presentEditors.at(-1)).toEqual([]))
  await connectSocket(addressOf(farInstance), { token: await tokenOf(farInstance.app, 'second-admin') }).then(
    ({ socket }) =>
      socket.on('changed', ({ resources }: { resources: string[] }) =>
        resources.forEach((name) => changedTables.add(name)),
      ),
  )
  await buildTag(nearInstance.database)
  await waitUntil(() => expect([...changedTables]).toContain('tags'))
})

test('applies a setting of the organisation on the other instance without a restart', async () => {
  const { app } = firstInstance(primaryInstance)
  const registrationOn = async ({ app: asked }: Instance) =>
    (await asked.inject('/api/auth/settings')).json<{ registration: boolean }>().registration
  const headers = { authorization: `Bearer ${await tokenOf(app, 'owner')}` }
  const change = async (values: object) => {
    const { data } = (await app.inject({ url: '/api/organisation', headers })).json<{ data: { version: number } }>()
    const payload = { data: { version: data.version, values } }
    return (await app.inject({ method: 'PUT', url: '/api/organisation', headers, payload })).statusCode
  }
  const mondayOf = ({ database }: Instance) => database.calendar.workingHours[1]
  expect(await change({ registration: false, working_hours: '1 10:00-12:00' })).toBe(200)
  expect(await registrationOn(firstInstance(primaryInstance))).toBe(false)
  expect(mondayOf(firstInstance(primaryInstance))).toEqual({ from: 600, to: 720 })
  await waitUntil(async () => expect(await registrationOn(firstInstance(secondInstance))).toBe(false))
  expect(mondayOf(firstInstance(secondInstance))).toEqual({ from: 600, to: 720 })
  expect(await change({ registration: null, working_hours: null })).toBe(200)
  await waitUntil(async () => expect(await registrationOn(firstInstance(secondInstance))).toBe(true))
  expect(mondayOf(firstInstance(secondInstance))).toEqual({ from: 540, to: 1_080 })
})
