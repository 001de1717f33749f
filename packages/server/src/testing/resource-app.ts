/** Application of a test file: started once for the file, with one account for each role. */
import type { RoleType } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../db/database.ts'
import type { WorkQueue } from '../db/work-queue.ts'
import { openTestApp, tokenOf } from './app.ts'
import { buildRole, buildUser } from './factories.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const signedInRoles = ['owner', 'super-admin', 'admin', 'authenticated'] as const

/** An answer of the application: its status and its JSON. */
interface Answer {
  status: number
  body: unknown
}

export interface ResourceApp {
  readonly app: FastifyInstance
  readonly database: Database
  readonly queue: WorkQueue
  /** Ids of the accounts by role; `public` has none. */
  readonly people: Readonly<Record<string, number>>
  /** Tokens of the accounts by role. */
  readonly tokens: Readonly<Record<string, string>>
  /** Sends a request below `/api` as one of the roles, by default as admin; `public` sends no token. */
  ask(method: Method, url: string, body?: unknown, role?: RoleType): Promise<Answer>
  /** Reads an address as admin; throws when it is refused. */
  read<T>(url: string): Promise<T>
}

/** Starts the application on an emptied database before the tests of a file, and ends it after them. */
export function startResourceApp(
  prepare: (started: ResourceApp) => Promise<void> = async () => {},
  settings: Readonly<Record<string, string>> = {},
): ResourceApp {
  let started: ResourceApp | undefined
  const here = (): ResourceApp => {
    if (!started) throw new Error('The application has not been started')
    return started
  }
  beforeAll(async () => {
    started = await start(settings)
    await prepare(started)
  })
  afterAll(() => started?.app.close())
  return {
    get app() {
      return here().app
    },
    get database() {
      return here().database
    },
    get queue() {
      return here().queue
    },
    get people() {
      return here().people
    },
    get tokens() {
      return here().tokens
    },
    ask: (...call) => here().ask(...call),
    read: (url) => here().read(url),
  }
}

async function start(settings: Readonly<Record<string, string>>): Promise<ResourceApp> {
  const { app, database, queue } = await openTestApp({ settings })
  const people: Record<string, number> = {}
  const tokens: Record<string, string> = {}
  const headers: Partial<Record<RoleType, Record<string, string>>> = {}
  await buildRole(database, 'public')
  for (const role of signedInRoles) {
    people[role] = await buildUser(database, role, { username: role, email: `${role}@example.org` })
    const token = await tokenOf(app, role)
    tokens[role] = token
    headers[role] = { authorization: `Bearer ${token}` }
  }
  const asking: ResourceApp['ask'] = async (method, url, body, role = 'admin') => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const sent = { ...headers[role], ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await app.inject({ method, url: `/api${url}`, headers: sent, ...payload })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  return {
    app,
    database,
    queue,
    people,
    tokens,
    ask: asking,
    read: async <T>(url: string) => {
      const { status, body } = await asking('GET', url)
      if (status !== 200) throw new Error(`GET ${url} answered ${status}: ${JSON.stringify(body)}`)
      return body as T
    },
  }
}
