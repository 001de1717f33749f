/** Stands in for the server: answers calls by method and path, and remembers them. */
import { vi } from 'vitest'

export interface FakeCall {
  method: string
  path: string
  query: string
  body: unknown
  authorization: string | null
  /** The key by which a repeated call is known. */
  key: string | null
  /** The socket of the page that changes something. */
  socket: string | null
}

type Answer =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | ((call: FakeCall) => Response | Promise<Response>)

export function fakeApi(answers: Readonly<Record<string, Answer>>): FakeCall[] {
  const calls: FakeCall[] = []
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://panel.test')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    const call: FakeCall = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: decodeURIComponent(url.search),
      body,
      authorization: new Headers(init.headers).get('Authorization'),
      key: new Headers(init.headers).get('Idempotency-Key'),
      socket: new Headers(init.headers).get('X-Socket-Id'),
    }
    calls.push(call)
    const answer = answers[`${call.method} ${call.path}`]
    if (answer === undefined) return Promise.resolve(errorAnswer(404, 'NotFoundError', 'Not Found', 'route.not-found'))
    return Promise.resolve(typeof answer === 'function' ? answer(call) : Response.json(answer))
  })
  return calls
}

/** The last call to a path: what else a page asks for meanwhile comes when it comes. */
export const lastCallTo = (calls: readonly FakeCall[], path: string): FakeCall | undefined =>
  calls.findLast((one) => one.path === path)

/** An error body of contract §1. */
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
