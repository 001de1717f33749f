import { sql } from '../../db/sql.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { startChatWorld } from '../../testing/chat-world.ts'
import { buildPerson } from '../../testing/people.ts'
import { checksums, fillRoom, lastRevisionOf } from '../../testing/full-room.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { HousekeepingJob } from '../operations/housekeeping.ts'

const world = startChatWorld()
const { resourceApp, ask, get, sendMessage, person, room } = world
afterEach(disconnectSockets)

/** Number of events that include an episode, closed and rated, with edits, deletes, notes and pictures. */
const someMessages = 45

interface Job {
  data: { id: number; changed: number; refused: number; canUndo: boolean }
}
interface Changes {
  results: { type: string }[]
  rev: number
  reset: boolean
}
const restoreRooms = async (ids: readonly number[], dryRun = false) => {
  const data = { resource: 'chatrooms', action: { kind: 'remove' }, selection: { ids }, dryRun }
  const { status, body } = await ask<Job>('admin', 'POST', '/bulk', data)
  expect(status).toBe(200)
  return body.data
}
const chat = () => ({
  database: resourceApp.database,
  room: room(),
  people: { customer: person('customer'), consultant: person('consultant'), admin: person('admin') },
})
const stateOf = async (lastRevision: number) => ({ rows: await checksums(resourceApp.database, lastRevision) })
const removeRoom = async () => expect((await ask('admin', 'DELETE', `/chatrooms/${room()}`)).status).toBe(200)
const restoreRoom = () => ask('admin', 'POST', `/chatrooms/${room()}/restore`)

describe('a deleted room', () => {
  it('restores a deleted room from the trash with every row unchanged', async () => {
    await fillRoom(chat(), someMessages)
    const lastRevisionId = await lastRevisionOf(resourceApp.database)
    const stateBefore = await stateOf(lastRevisionId)
    await removeRoom()
    expect(await get('admin', '/trash?resource=chatrooms')).toMatchObject({
      data: [{ id: room(), parts: someMessages }],
    })
    expect((await restoreRoom()).status).toBe(200)
    expect(await stateOf(lastRevisionId)).toEqual(stateBefore)
    expect(Object.keys(stateBefore.rows)).toEqual(
      expect.arrayContaining([
        'chat_reads',
        'chatrooms_tags',
        'room_changes',
        'room_drafts',
        'room_ratings',
        'room_replies',
      ]),
    )
  })

  it('restores a deleted room a second time', async () => {
    await fillRoom(chat(), 12)
    const lastRevisionId = await lastRevisionOf(resourceApp.database)
    const stateBefore = await stateOf(lastRevisionId)
    for (let time = 0; time < 2; time += 1) {
      await removeRoom()
      expect((await restoreRoom()).status).toBe(200)
    }
    expect(await stateOf(lastRevisionId)).toEqual(stateBefore)
  })

  it('restores a deleted room by the undo of a bulk job, and leaves it deleted in a dry run', async () => {
    await fillRoom(chat(), someMessages)
    const emptyRoom = await world.buildRoom({ receiver: null, assignee: null })
    const lastRevisionId = await lastRevisionOf(resourceApp.database)
    const stateBefore = await stateOf(lastRevisionId)
    expect(await restoreRooms([room(), emptyRoom], true)).toMatchObject({ changed: 2, refused: 0 })
    expect(await stateOf(lastRevisionId)).toEqual(stateBefore)
    const job = await restoreRooms([room(), emptyRoom])
    expect(job).toMatchObject({ changed: 2, refused: 0, canUndo: true })
    expect((await ask('admin', 'GET', `/chatrooms/${room()}`)).status).toBe(404)
    const undoJob = await ask<Job>('admin', 'POST', `/bulk/${job.id}/undo`, {})
    expect(undoJob.body.data).toMatchObject({ changed: 2, refused: 0 })
    expect(await stateOf(lastRevisionId)).toEqual(stateBefore)
  })

  it('continues the log of a restored room for a client that has its last revision', async () => {
    const { rev } = await sendMessage('customer', 'Before')
    await removeRoom()
    await restoreRoom()
    const missedChanges = await get<Changes>('customer', `/chatrooms/${room()}/changes?after=${rev}`)
    expect(missedChanges).toMatchObject({ results: [], rev, reset: false })
    expect(await sendMessage('consultant', 'After')).toMatchObject({ rev: rev + 1 })
    const nextChanges = await get<Changes>('customer', `/chatrooms/${room()}/changes?after=${rev}`)
    expect(nextChanges.results).toMatchObject([{ type: 'created', data: { text: 'After' } }])
  })

  it('emits an event when a room is deleted and when it is restored', async () => {
    await sendMessage('customer', 'Before')
    const address = resourceApp.app.listeningOrigin
    for (const step of [removeRoom, restoreRoom]) {
      const { socket } = await connectSocket(address, { token: person('customer').token })
      const changedTables = new Set<string>()
      socket.on('changed', ({ resources }: { resources: string[] }) =>
        resources.forEach((name) => changedTables.add(name)),
      )
      await step()
      await waitUntil(() => expect([...changedTables]).toEqual(expect.arrayContaining(['chatrooms', 'chatmessages'])))
    }
  })

  it('hides deleted messages of a room after its restore', async () => {
    const deletedMessage = await sendMessage('customer', 'Never mind')
    const remainingMessage = await sendMessage('customer', 'Please help')
    await ask('customer', 'DELETE', `/chatmessages/${deletedMessage.data.id}`)
    await removeRoom()
    await restoreRoom()
    const list = await get<{ results: { id: number }[] }>('admin', `/chatmessages?filters[room]=${room()}`)
    expect(list.results.map(({ id }) => id)).toEqual([remainingMessage.data.id])
    expect((await ask('customer', 'GET', `/chatmessages/${deletedMessage.data.id}`)).status).toBe(404)
  })

  it('shows no message of a room in the trash', async () => {
    const { data } = await sendMessage('customer', 'Secret of the field')
    await removeRoom()
    const readingRoutes = [
      '/trash',
      '/trash?resource=chatrooms',
      `/chatrooms/${room()}/history`,
      `/chatmessages/${data.id}`,
      `/chatmessages/${data.id}/history`,
      '/chatmessages',
      '/chatmessages/search?q=Secret',
      '/search?q=Secret',
      '/audit?populate=*',
    ]
    for (const callerName of ['customer', 'admin', 'owner'] as const)
      for (const route of readingRoutes)
        expect(JSON.stringify(await ask(callerName, 'GET', route))).not.toContain('Secret of')
  })

  it('leaves no text of a deleted room after 30 days', async () => {
    await sendMessage('customer', 'Old')
    await removeRoom()
    const readStoredRows = () => resourceApp.database.query(sql`select 1 from removed_rows`)
    const housekeeping = new HousekeepingJob(resourceApp.database, 365)
    await housekeeping.clear()
    expect(await readStoredRows()).not.toEqual([])
    await resourceApp.database.query(sql`update removed_rows set created_at = now() - interval '31 days'`)
    await housekeeping.clear()
    expect(await readStoredRows()).toEqual([])
  })

  it('restores a room without the marks of a deleted account, but with the messages of a removed user', async () => {
    const [writer, reader] = [await buildPerson(resourceApp, 'authenticated'), await buildPerson(resourceApp, 'admin')]
    const otherRoom = await world.buildRoom({ sender: writer.id })
    await writer.ask('POST', '/chatmessages', { data: { room: otherRoom, text: 'Still here' } })
    await reader.ask('GET', `/seen_messages?room=${otherRoom}`)
    await resourceApp.database.query(sql`
      insert into chat_reads (room_id, user_id) values (${otherRoom}, ${reader.id}) on conflict do nothing`)
    expect((await ask('admin', 'DELETE', `/chatrooms/${otherRoom}`)).status).toBe(200)
    for (const { id } of [writer, reader]) expect((await ask('owner', 'DELETE', `/users/${id}`)).status).toBe(200)
    expect((await ask('admin', 'POST', `/chatrooms/${otherRoom}/restore`)).status).toBe(200)
    const list = await get<{ results: object[] }>('admin', `/chatmessages?filters[room]=${otherRoom}`)
    expect(list.results).toMatchObject([{ text: 'Still here' }])
    const marks = await resourceApp.database.query(sql`select 1 from chat_reads where user_id = ${reader.id}`)
    expect(marks).toEqual([])
  })
})
