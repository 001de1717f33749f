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
  prepareApp: (resourceApp: ResourceApp) => Promise<void> = async () => {},
  settings: Readonly<Record<string, string>> = {},
): ResourceApp {
  let startedApp: ResourceApp | undefined
  const getStarted = (): ResourceApp => {
    if (!startedApp) throw new Error('The application has not been started')
    return startedApp
  }
  beforeAll(async () => {
    startedApp = await start(settings)
    await prepareApp(startedApp)
  })
  afterAll(() => startedApp?.app.close())
  return {
    get app() {
      return getStarted().app
    },
    get database() {
      return getStarted().database
    },
    get queue() {
      return getStarted().queue
    },
    get people() {
      return getStarted().people
    },
    get tokens() {
      return getStarted().tokens
    },
    ask: (...call) => getStarted().ask(...call),
    read: (url) => getStarted().read(url),
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
  const askAs: ResourceApp['ask'] = async (method, url, body, role = 'admin') => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const sentHeaders = { ...headers[role], ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await app.inject({ method, url: `/api${url}`, headers: sentHeaders, ...payload })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  return {
    app,
    database,
    queue,
    people,
    tokens,
    ask: askAs,
    read: async <T>(url: string) => {
      const { status, body } = await askAs('GET', url)
      if (status !== 200) throw new Error(`GET ${url} answered ${status}: ${JSON.stringify(body)}`)
      return body as T
    },
  }
}
