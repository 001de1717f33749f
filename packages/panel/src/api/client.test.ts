import { afterEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi } from '../testing/fake-api.ts'
import { ApiError } from './api-error.ts'
import { callServer, fileAddress } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

describe('an API call', () => {
  it('requests the API path below /api with the token and the query', async () => {
    localStorage.setItem('token', 'abc')
    const calls = fakeApi({ 'GET /api/news': { data: [] } })
    await callServer('GET', '/news', { query: { sort: ['title'] } })
    expect(calls).toEqual([
      {
        method: 'GET',
        path: '/api/news',
        query: '?sort[0]=title',
        body: undefined,
        authorization: 'Bearer abc',
        key: null,
        socket: null,
      },
    ])
  })

  it('throws the status, the code and the details of the error body', async () => {
    fakeApi({ 'POST /api/news': () => errorAnswer(403, 'ForbiddenError', 'Forbidden', 'access.denied') })
    await expect(callServer('POST', '/news', { body: { data: {} } })).rejects.toMatchObject({
      status: 403,
      name: 'ForbiddenError',
      message: 'Forbidden',
      code: 'access.denied',
      issues: [],
    })
  })

  it('reads how long to wait from the Retry-After header', async () => {
    const busyAnswer = new Response('{}', { status: 429, headers: { 'Retry-After': '30' } })
    fakeApi({ 'POST /api/news': () => busyAnswer })
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    await expect(callServer('POST', '/news')).rejects.toMatchObject({ status: 429, retryTime: 1_030_000 })
    vi.useRealTimers()
  })

  it('keeps the status of an error response whose body has another shape', async () => {
    fakeApi({ 'GET /api/news': () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
    await expect(callServer('GET', '/news')).rejects.toMatchObject({ status: 502, code: undefined })
  })

  it('reports a call without a connection as unanswered', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const callError = await callServer('GET', '/news').catch((error: unknown) => error)
    expect(callError).toBeInstanceOf(ApiError)
    expect(callError).toMatchObject({ status: 0, unansweredReason: 'network' })
  })
})

it.each([
  ['/uploads/a.jpg', '/uploads/a.jpg'],
  ['uploads/a.jpg', '/uploads/a.jpg'],
  ['https://example.org/a.jpg', 'https://example.org/a.jpg'],
  [null, undefined],
])('turns the address %s of a file into %s', (path, address) => {
  expect(fileAddress(path)).toBe(address)
})
