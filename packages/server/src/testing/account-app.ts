/** Application for tests of accounts: its sign-in routes, and the emails it sends. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { reopenTestApp } from './app.ts'
import { buildRole, buildUser } from './factories.ts'
import { openMailer } from './letters.ts'
import { codeInEmail } from './parse-email.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-accounts-'))

interface Body {
  jwt?: string
  user?: Record<string, unknown>
  error?: { name: string; message: string; code: string; details: { errors?: { path: string[]; message: string }[] } }
}

export interface AuthAnswer {
  status: number
  body: Body
  retryAfter: unknown
}

export const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })
/** Returns the fields that an answer names as invalid, in order. */
export const fieldsOf = ({ body }: AuthAnswer) => body.error?.details.errors?.map(({ path }) => path[0])
/** Body with a new password, typed the same way twice. */
export const repeatPassword = (password: string) => ({ password, passwordConfirmation: password })

/** The actions of the audit log that do not concern records, in order. */
export async function actionsOf(database: Database): Promise<string[]> {
  const lines = await database.query(
    sql<{ action: string }>`select action from audit where action not like 'record%' order by id`,
  )
  return lines.map(({ action }) => action)
}

/** Opens the application on an empty database with one account, `marat`. */
export async function openAccountApp(settings: Readonly<Record<string, string>> = {}) {
  const context = await reopenTestApp({ DATA_DIR: dataDir, TRUSTED_PROXIES: '127.0.0.1', ...settings })
  const { app, database } = context
  await buildRole(database, 'authenticated')
  const marat = await buildUser(database, 'authenticated', { username: 'marat', email: 'marat@example.org' })
  const { letters } = openMailer(database, dataDir)

  const post = async (path: string, payload: object, headers: Record<string, string> = {}): Promise<AuthAnswer> => {
    const sentHeaders = { 'x-forwarded-for': '203.0.113.1', ...headers }
    const answer = await app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers: sentHeaders })
    return { status: answer.statusCode, body: answer.json<Body>(), retryAfter: answer.headers['retry-after'] }
  }
  return {
    app,
    database,
    log: () => context.log(),
    marat,
    letters,
    post,
    signIn: (identifier: string, password: string) => post('local', { identifier, password }),
    /** Returns the status of `GET /users/me` with a token. */
    me: async (token: string | undefined) =>
      (await app.inject({ url: '/api/users/me', headers: bearer(token) })).statusCode,
    /** Requests a password email and returns the code of its link; empty when no email was sent. */
    forgetPassword: async (email = 'marat@example.org'): Promise<string> => {
      const { status } = await post('forgot-password', { email })
      if (status !== 200) throw new Error(`A letter was refused: ${status}`)
      const [letter] = await letters()
      return letter ? codeInEmail(letter) : ''
    },
  }
}

export type AccountApp = Awaited<ReturnType<typeof openAccountApp>>
