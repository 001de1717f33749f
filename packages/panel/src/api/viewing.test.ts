/** View-as: which roles a user may choose, what the tab stores, and which calls are refused. */
import type { RoleType } from '@dala/model'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askForReset, forgetSession, meQuery, signIn } from './session.ts'
import { callServer } from './client.ts'
import { uploadFile } from './upload-file.ts'
import { mayViewAs, setViewedRole, subscribeToViewing, type ViewedRole, viewedRole, viewedRoles } from './viewing.ts'

/** Calls to the fake server, with the viewed role of each. */
function server(role: RoleType) {
  const requests: [string, string | null][] = []
  vi.stubGlobal('fetch', (address: string, { method, headers }: RequestInit) => {
    requests.push([`${method} ${address}`, new Headers(headers).get('X-View-As')])
    const user = { id: 1, role: { id: 1, name: role, type: role }, is_consultant: false }
    return Promise.resolve(Response.json(address === '/api/auth/local' ? { jwt: 'b', user } : user))
  })
  return requests
}

const readUser = () => new QueryClient().query(meQuery)

beforeEach(() => {
  localStorage.setItem('token', 'a')
  sessionStorage.clear()
})

describe('the permission to view as a role', () => {
  it.each<[RoleType, ViewedRole[]]>([
    ['owner', ['authenticated', 'consultant', 'admin', 'super-admin']],
    ['super-admin', ['authenticated', 'consultant', 'admin']],
    ['admin', ['authenticated', 'consultant']],
    ['authenticated', []],
    ['public', []],
  ])('lets %s view the panel as %j', (realRole, expected) => {
    expect(viewedRoles.filter((candidateRole) => mayViewAs(realRole, candidateRole))).toEqual(expected)
  })
})

describe('the viewed role of a tab', () => {
  it('stores the viewed role, notifies subscribers, and forgets the role with the session', () => {
    const listener = vi.fn<() => void>()
    const unsubscribe = subscribeToViewing(listener)
    setViewedRole('consultant')
    expect([viewedRole(), sessionStorage.length]).toEqual(['consultant', 1])
    forgetSession()
    expect([viewedRole(), sessionStorage.length]).toEqual([undefined, 0])
    expect(listener).toHaveBeenCalledTimes(2)
    unsubscribe()
  })

  it.each(['owner', 'public', '', 'x'])('ignores "%s" as the stored viewed role', (storedRole) => {
    sessionStorage.setItem('view-as', storedRole)
    expect(viewedRole()).toBeUndefined()
  })
})

describe('a call while viewing as another role', () => {
  it('sends the viewed role with a call that reads', async () => {
    const requests = server('owner')
    await callServer('GET', '/news')
    setViewedRole('admin')
    await callServer('GET', '/news')
    expect(requests.map(([, sentRole]) => sentRole)).toEqual([null, 'admin'])
  })

  it.each(['POST', 'PUT', 'DELETE'] as const)(
    'refuses a %s call in the browser while the user views the panel as another role',
    async (method) => {
      const requests = server('owner')
      setViewedRole('admin')
      const refusal = { status: 403, code: 'access.viewing' }
      await expect(callServer(method, '/news/1', { body: {} })).rejects.toMatchObject(refusal)
      await expect(
        uploadFile(new File(['a'], 'a.png'), { signal: new AbortController().signal, onProgress: () => undefined }),
      ).rejects.toMatchObject(refusal)
      expect(requests).toEqual([])
      await callServer('POST', '/auth/logout')
      expect(requests).toHaveLength(1)
    },
  )
})

describe('signing in', () => {
  it.each([null, 'of somebody else'])('drops the viewed role at sign-in (token before: %s)', async (token) => {
    const requests = server('owner')
    setViewedRole('consultant')
    if (token === null) localStorage.removeItem('token')
    else localStorage.setItem('token', token)
    expect(await signIn({ identifier: 'owner', password: 'secret1' })).toBe('yes')
    expect([requests, viewedRole()]).toEqual([[['POST /api/auth/local', null]], undefined])
  })

  it('requests an e-mail in a tab that views as a role and whose session ended elsewhere', async () => {
    const requests = server('owner')
    setViewedRole('consultant')
    localStorage.removeItem('token')
    await askForReset('owner@example.org')
    expect(requests).toEqual([['POST /api/auth/forgot-password', null]])
  })
})

describe('the user', () => {
  it.each<[ViewedRole, RoleType, boolean]>([
    ['authenticated', 'authenticated', false],
    ['consultant', 'authenticated', true],
    ['super-admin', 'super-admin', false],
  ])('returns the user with the viewed role %s and their own role beside it', async (newRole, type, is_consultant) => {
    server('owner')
    setViewedRole(newRole)
    expect(await readUser()).toMatchObject({ id: 1, role: { type }, is_consultant, ownRole: 'owner' })
  })

  it('keeps the own role of users who no longer outrank the viewed role', async () => {
    server('admin')
    setViewedRole('super-admin')
    const me = await readUser()
    expect([me.role?.type, me.ownRole, viewedRole()]).toEqual(['admin', undefined, undefined])
  })
})
