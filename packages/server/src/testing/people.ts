/**
 * People of tests, more than one of each role: consultants, neighbours, strangers, each with a session of
 * their own.
 */
import type { RoleType } from '@dala/model'
import { tokenOf } from './app.ts'
import { buildUser, nextNumber } from './factories.ts'
import type { ResourceApp } from './resource-app.ts'

interface PersonAnswer {
  status: number
  body: unknown
  headers: Readonly<Record<string, unknown>>
}

export interface TestPerson {
  id: number
  token: string
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, headers?: object): Promise<PersonAnswer>
}

/** Creates an account for a test and signs it in. */
export async function buildPerson(
  { app, database }: Pick<ResourceApp, 'app' | 'database'>,
  role: RoleType,
  draft: Readonly<Record<string, unknown>> = {},
): Promise<TestPerson> {
  const username = `someone-${nextNumber()}`
  const id = await buildUser(database, role, { username, email: `${username}@example.org`, ...draft })
  const token = await tokenOf(app, username)
  const authorization = `Bearer ${token}`
  return {
    id,
    token,
    ask: async (method, url, body, headers = {}) => {
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
      const sentHeaders = {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const answer = await app.inject({ method, url: `/api${url}`, headers: sentHeaders, ...payload })
      return { status: answer.statusCode, body: answer.json<unknown>(), headers: answer.headers }
    },
  }
}

/** A consultant of a test who is signed in. */
export const buildConsultant = (resourceApp: Pick<ResourceApp, 'app' | 'database'>) =>
  buildPerson(resourceApp, 'authenticated', { is_consultant: true })
