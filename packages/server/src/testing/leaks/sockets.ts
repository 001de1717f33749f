/**
 * Sweeps the sockets: the events each caller receives while others write, and the answers to events about
 * hidden records.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientEvents } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import type { Socket } from 'socket.io-client'
import type { Database } from '../../db/database.ts'
import { resources } from '../../resources/attributes.ts'
import { disconnectSockets, connectSocket } from '../listening.ts'
import { markersIn } from './markers.ts'
import { finderOf, readKnownDocuments, VisibleRecords, type Viewer } from './oracle.ts'
import type { LeakWorld } from './world.ts'

interface Listener {
  readonly name: string
  readonly viewer: Viewer
  readonly token: string
}

interface SocketLeak {
  caller: string
  question: string
  description: string
}

/** Events that a client may send about a chat room; a new event of the model has to be added here. */
const eventPayloads: { readonly [Word in keyof ClientEvents]: (room: number) => object } = {
  'room:join': (room) => ({ room, rev: 0 }),
  'room:leave': (room) => ({ room }),
  typing: (room) => ({ room, on: true }),
  delivered: (room) => ({ room, seq: 1 }),
}
/** Events about any chat room: leaving a room that the user never entered reveals nothing. */
const openEvents: ReadonlySet<string> = new Set(['room:leave'])

const missingId = 1_999_999_999
const wordPause = 70
/** Milliseconds without an event after which everything has arrived. */
const quietMs = 1_500

/**
 * Connects every caller, lets all write into every chat room, and checks the events that each received.
 *
 * @returns Number of checks, and the leaks.
 */
export async function sweepSockets(
  { app, database, world }: { app: FastifyInstance; database: Database; world: LeakWorld },
  listeners: readonly Listener[],
  rooms: number,
): Promise<{ cells: number; leaks: SocketLeak[] }> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaks: SocketLeak[] = []
  let cells = 0
  let lastTime = performance.now()
  try {
    const openSockets: { listener: Listener; socket: Socket; received: string[] }[] = []
    for (const listener of listeners) {
      const { socket } = await connectSocket(address, { token: listener.token })
      const receivedEvents: string[] = []
      socket.onAny((event: string, ...messages: unknown[]) => {
        receivedEvents.push(`${event} ${JSON.stringify(messages)}`)
        lastTime = performance.now()
      })
      openSockets.push({ listener, socket, received: receivedEvents })
    }
    const knownDocuments = await readKnownDocuments(database)
    const chatrooms = resources.chatrooms
    if (!chatrooms) throw new Error('There are no rooms to listen to')
    const sampledRooms = (world.recordIds.get('chatrooms') ?? []).slice(0, rooms)
    // The server cuts a socket that sends more than twenty events a second (checklist §8): the test spaces
    // its events.
    const emitEvent = async (socket: Socket, eventName: string, body: object): Promise<string> => {
      await pause(wordPause)
      return JSON.stringify(await socket.emitWithAck(eventName, body))
    }
    const compareAnswers = async (
      listener: Listener,
      socket: Socket,
      eventName: string,
      makeBody: (id: number) => object,
      id: number,
    ) => {
      cells += 1
      const [answer, missingAnswer] = [
        await emitEvent(socket, eventName, makeBody(id)),
        await emitEvent(socket, eventName, makeBody(missingId)),
      ]
      if (answer !== missingAnswer)
        leaks.push({
          caller: listener.name,
          question: `${eventName} ${JSON.stringify(makeBody(id))}`,
          description: `${answer} / ${missingAnswer}`,
        })
    }
    const sendAllEvents = async ({ listener, socket }: (typeof openSockets)[number]): Promise<void> => {
      const visibleRecords = new VisibleRecords(knownDocuments, listener.viewer, world.markers)
      const ownRooms = visibleRecords.rowsOf(chatrooms).map(({ id }) => id)
      for (const room of sampledRooms.filter((id) => !ownRooms.includes(id)))
        for (const [eventName, payloadOf] of Object.entries(eventPayloads))
          if (!openEvents.has(eventName)) await compareAnswers(listener, socket, eventName, payloadOf, room)
      for (const resource of Object.values(resources)) {
        const [id] = world.recordIds.get(resource.name) ?? []
        if (id === undefined || visibleRecords.rowsOf(resource).length > 0) continue
        const editingBody = (editedId: number) => ({ resource: resource.wire, id: editedId, locale: 'en' })
        await compareAnswers(listener, socket, 'editing', editingBody, id)
      }
      for (const room of sampledRooms.filter((sampledRoom) => ownRooms.includes(sampledRoom)))
        await emitEvent(socket, 'room:join', { room, rev: 0 })
    }
    await Promise.all(openSockets.map(sendAllEvents))
    let writeCount = 0
    for (const room of sampledRooms) {
      for (const { token } of listeners) {
        for (const kind of ['message', 'note']) {
          const owner = { resource: 'chatmessages', record: 0, field: 'text' }
          const text = world.markers.word(owner)
          const answer = await app.inject({
            method: 'POST',
            url: '/api/chatmessages',
            headers: { authorization: `Bearer ${token}` },
            payload: { data: { room, text, kind } },
          })
          if (answer.statusCode !== 200) continue
          writeCount += 1
          owner.record = answer.json<{ data: { id: number } }>().data.id
        }
      }
    }
    while (performance.now() - lastTime < quietMs) await pause(100)
    const documentsAfter = await readKnownDocuments(database)
    for (const { listener, received } of openSockets) {
      cells += writeCount
      const shownMarkers = new VisibleRecords(documentsAfter, listener.viewer, world.markers).markers(
        finderOf(documentsAfter),
      )
      for (const event of received) {
        const leakedMarkers = [...markersIn(event, world.markers.all)].filter((marker) => !shownMarkers.has(marker))
        if (leakedMarkers.length > 0)
          leaks.push({ caller: listener.name, question: event.slice(0, 300), description: leakedMarkers.join(', ') })
      }
    }
  } finally {
    disconnectSockets()
  }
  return { cells, leaks }
}
