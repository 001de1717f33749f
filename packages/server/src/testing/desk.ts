/** A desk for tests: a customer, two consultants and an admin, and their messages. */
import { sql } from '../db/sql.ts'
import { buildRecord, nextNumber } from './factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from './people.ts'
import { type ResourceApp, startResourceApp } from './resource-app.ts'

const names = ['customer', 'neighbour', 'consultant', 'colleague', 'admin', 'owner'] as const
export type DeskPerson = (typeof names)[number]

export interface Desk {
  app: ResourceApp
  person(name: DeskPerson): TestPerson
  /** Creates a chat room of the customer with a consultant; unassigned when `receiver` is null. */
  room(receiver?: DeskPerson | null, draft?: object): Promise<number>
  /**
   * Sends a chat message as a person of the desk.
   *
   * @returns Its id.
   * @throws When it is refused.
   */
  sendMessage(deskPerson: DeskPerson, room: number, text?: string, data?: object): Promise<number>
  /** Reads the stored row of the chat room. */
  row(room: number): Promise<Record<string, unknown>>
  /** Moves the wait of a chat room and all its messages into the past. */
  age(room: number, minutes: number): Promise<void>
  /**
   * Sends a request as a person of the desk.
   *
   * @returns Status and body.
   */
  ask(deskPerson: DeskPerson, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object): Promise<Answer>
  /**
   * Reads an address as a person of the desk.
   *
   * @returns The body.
   * @throws When it is refused.
   */
  read<T>(deskPerson: DeskPerson, url: string): Promise<T>
}

interface Answer {
  status: number
  body: {
    data?: unknown
    results?: unknown
    meta?: unknown
    error?: { code: string; details: { errors?: { path: string[] }[] } }
  }
}

/**
 * Starts the application of a test file with its desk.
 *
 * @param settings - Settings that differ from those of tests.
 * @returns The desk.
 */
export function startDesk(settings: Readonly<Record<string, string>> = {}): Desk {
  const people = new Map<DeskPerson, TestPerson>()
  const app = startResourceApp(async (startedApp) => {
    people.set('customer', await buildPerson(startedApp, 'authenticated', { name: 'Aygul', surname: 'Oʻrinova' }))
    people.set('neighbour', await buildPerson(startedApp, 'authenticated', { name: 'Berdaq' }))
    people.set('consultant', await buildConsultant(startedApp))
    people.set('colleague', await buildConsultant(startedApp))
    people.set('admin', await buildPerson(startedApp, 'admin'))
    people.set('owner', await buildPerson(startedApp, 'owner'))
  }, settings)
  const person = (name: DeskPerson) => {
    const foundPerson = people.get(name)
    if (!foundPerson) throw new Error(name)
    return foundPerson
  }
  const ask: Desk['ask'] = async (personName, method, url, data) => {
    const { status, body } = await person(personName).ask(method, url, data && { data })
    return { status, body: body as Answer['body'] }
  }
  const readRecord = async <T>(personName: DeskPerson, url: string): Promise<T> => {
    const { status, body } = await person(personName).ask('GET', url)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as T
  }
  return {
    app,
    person,
    ask,
    read: readRecord,
    room: (receiver = 'consultant', draft = {}) =>
      buildRecord(app.database, 'chatrooms', {
        sender: person('customer').id,
        receiver: receiver === null ? null : person(receiver).id,
        ...draft,
      }),
    sendMessage: async (personName, room, text = `Text ${nextNumber()}`, data = {}) => {
      const { status, body } = await ask(personName, 'POST', '/chatmessages', { room, text, ...data })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return (body.data as { id: number }).id
    },
    row: async (room) => {
      const [row] = await app.database.query(sql<Record<string, unknown>>`select * from chatrooms where id = ${room}`)
      if (!row) throw new Error(`There is no room ${room}`)
      return row
    },
    age: async (room, minutes) => {
      const intervalBack = sql`make_interval(mins => ${minutes}::int)`
      await app.database.query(sql`
        update chatrooms set waiting_since = waiting_since - ${intervalBack}, warn_at = warn_at - ${intervalBack}, due_at = due_at - ${intervalBack}
         where id = ${room}`)
      await app.database.query(
        sql`update room_changes set created_at = created_at - ${intervalBack} where room_id = ${room}`,
      )
    },
  }
}
