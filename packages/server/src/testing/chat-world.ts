/** A chat for tests: people on both sides, a room between them, and sockets that record all events. */
import type { ChatEvents, ClientEvents } from '@dala/model'
import { sql } from '../db/sql.ts'
import { afterEach, beforeEach } from 'vitest'
import { buildRecord } from './factories.ts'
import { disconnectSockets, connectSocket } from './listening.ts'
import { buildConsultant, buildPerson, type TestPerson } from './people.ts'
import { type ResourceApp, startResourceApp } from './resource-app.ts'

/**
 * People of the chat for tests: the customer asks the consultant; the stranger is a customer too, the
 * colleague a consultant.
 */
type Who = 'customer' | 'stranger' | 'consultant' | 'colleague' | 'admin' | 'owner'

const events = ['update', 'room:changed', 'receipt', 'typing', 'presence', 'assigned', 'tick', 'session:ended'] as const
type Received = { [E in (typeof events)[number]]: Parameters<ChatEvents[E]>[0][] }

/** The acknowledgement of a client's socket event. */
interface EventAnswer {
  ok: boolean
  code?: string
  rev?: number
}

/** A connected socket client of the chat for tests. */
interface ListeningClient {
  receivedEvents: Received
  /** Returns all received events of the client as text. */
  all: () => string
  emitEvent: (clientEvent: keyof ClientEvents, payload: unknown) => Promise<EventAnswer>
  leaveRooms: () => void
  endedSignal: Promise<string>
}

interface Answer<T> {
  status: number
  body: T
}

export interface ChatWorld {
  resourceApp: ResourceApp
  person: (chatPerson: Who) => TestPerson
  /** The chat room of the customer and the consultant, made anew for each test. */
  room: () => number
  buildRoom: (draft?: object) => Promise<number>
  ask: <T>(chatPerson: Who, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object) => Promise<Answer<T>>
  /** Sends a GET request as a person, which must be answered with 200. */
  get: <T>(chatPerson: Who, url: string) => Promise<T>
  sendMessage: (chatPerson: Who, text: string, data?: object) => Promise<{ data: { id: number }; rev: number }>
  connectClient: (chatPerson: Who | TestPerson) => Promise<ListeningClient>
}

/** Starts the application of a test file with the people of the chat. */
export function startChatWorld(settings: Readonly<Record<string, string>> = {}): ChatWorld {
  let [address, room] = ['', 0]
  const people: Partial<Record<Who, TestPerson>> = {}
  const resourceApp = startResourceApp(async (app) => {
    people.customer = await buildPerson(app, 'authenticated')
    people.stranger = await buildPerson(app, 'authenticated')
    people.consultant = await buildConsultant(app)
    people.colleague = await buildConsultant(app)
    people.admin = await buildPerson(app, 'admin')
    people.owner = await buildPerson(app, 'owner')
    address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  }, settings)
  const person = (personName: Who): TestPerson => {
    const foundPerson = people[personName]
    if (!foundPerson) throw new Error(personName)
    return foundPerson
  }
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

  const ask = async <T>(personName: Who, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object) => {
    const { status, body } = await person(personName).ask(method, url, data && { data })
    return { status, body: body as T }
  }
  const askSuccessfully = async <T>(...call: Parameters<typeof ask>): Promise<T> => {
    const { status, body } = await ask<T>(...call)
    if (status !== 200) throw new Error(`${JSON.stringify(call)}: ${JSON.stringify(body)}`)
    return body
  }
  const connectClient = async (personOrName: Who | TestPerson): Promise<ListeningClient> => {
    const { token } = typeof personOrName === 'string' ? person(personOrName) : personOrName
    const { socket, endedSignal } = await connectSocket(address, { token })
    const receivedEvents: Received = {
      update: [],
      'room:changed': [],
      receipt: [],
      typing: [],
      presence: [],
      assigned: [],
      tick: [],
      'session:ended': [],
    }
    for (const event of events) {
      const list: unknown[] = receivedEvents[event]
      socket.on(event, (payload: unknown) => list.push(payload))
    }
    return {
      receivedEvents,
      all: () => JSON.stringify(receivedEvents),
      emitEvent: (eventName, payload) => socket.emitWithAck(eventName, payload) as Promise<EventAnswer>,
      leaveRooms: () => void socket.disconnect(),
      endedSignal,
    }
  }
  return {
    resourceApp,
    person,
    room: () => room,
    buildRoom,
    ask,
    get: (personName, url) => askSuccessfully(personName, 'GET', url),
    sendMessage: (personName, text, data = {}) =>
      askSuccessfully(personName, 'POST', '/chatmessages', { room, text, ...data }),
    connectClient: connectClient,
  }
}
