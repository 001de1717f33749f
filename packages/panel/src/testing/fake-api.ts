/**
 * A fake server: answers calls by method and path, and records them. Bodies and answers of routes with a
 * contract must match it, like those of the server.
 */
import { contracts } from '@dala/model/api'
import { type Contracts, isMedia, type RouteContract, type Schema } from '@dala/model/api/contract'
import { vi } from 'vitest'

export interface FakeCall {
  method: string
  path: string
  query: string
  body: unknown
  authorization: string | null
  /** Idempotency key that the call to the fake server had. */
  key: string | null
  /** Socket of the page that made the call. */
  socket: string | null
}

type Answer =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | ((call: FakeCall) => Response | Promise<Response>)

/** Contracts with the expression that matches their addresses; addresses without parameters come first. */
const routes = Object.entries<RouteContract>(contracts satisfies Contracts)
  .map(([name, contract]) => ({ pattern: new RegExp(`^${name.replaceAll(/:\w+/g, '[^/]+')}$`), name, contract }))
  .toSorted((left, right) => left.name.split(':').length - right.name.split(':').length)

const violations: string[] = []

/**
 * Fails when calls or answers broke their contract since the last check; runs after each test of every file.
 */
export function assertContracts(): void {
  const foundViolations = violations.splice(0)
  if (foundViolations.length > 0) throw new Error([...new Set(foundViolations)].join('\n'))
}

function check(subject: string, schema: Schema, value: unknown): void {
  const { error } = schema.safeParse(value)
  for (const issue of error?.issues ?? [])
    violations.push(`${subject} breaks its contract at ${issue.path.join('.')}: ${issue.message}`)
}

function checkBody({ name, contract }: (typeof routes)[number], body: unknown): void {
  if (contract.body && !isMedia(contract.body)) check(`The body of ${name}`, contract.body, body)
}

async function checkAnswer({ name, contract }: (typeof routes)[number], answer: Response): Promise<void> {
  const schema = contract.answers[answer.status]
  if (schema && !isMedia(schema)) check(`The answer of ${name}`, schema, await answer.clone().json())
}

export function fakeApi(answers: Readonly<Record<string, Answer>>): FakeCall[] {
  const calls: FakeCall[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://panel.test')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    const recordedCall: FakeCall = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: decodeURIComponent(url.search),
      body,
      authorization: new Headers(init.headers).get('Authorization'),
      key: new Headers(init.headers).get('Idempotency-Key'),
      socket: new Headers(init.headers).get('X-Socket-Id'),
    }
    calls.push(recordedCall)
    const answer = answers[`${recordedCall.method} ${recordedCall.path}`]
    if (answer === undefined) return errorAnswer(404, 'NotFoundError', 'Not Found', 'route.not-found')
    const route = routes.find(({ pattern }) => pattern.test(`${recordedCall.method} ${recordedCall.path}`))
    const response = await (typeof answer === 'function' ? answer(recordedCall) : Response.json(answer))
    if (route && response.ok) {
      checkBody(route, body)
      await checkAnswer(route, response)
    }
    return response
  })
  return calls
}

/** Returns the last call to a path; further calls of the page may come before or after it. */
export const lastCallTo = (calls: readonly FakeCall[], path: string): FakeCall | undefined =>
  calls.findLast((apiCall) => apiCall.path === path)

/** Makes an error response of the fake server (contract §1). */
export function errorAnswer(status: number, name: string, message: string, code?: string): Response {
  return Response.json(
    { data: null, error: { status, name, message, ...(code ? { code } : {}), details: {} } },
    { status },
  )
}

export const owner = {
  id: 1,
  username: 'owner',
  email: 'owner@example.org',
  name: 'Aysánem',
  surname: 'Qurbanbaeva',
  role: { id: 1, name: 'Owner', type: 'owner' },
} as const
