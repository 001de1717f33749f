import { type RoleType, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, bearer, openAccountApp } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildRole, buildUser, testPassword } from '../../testing/factories.ts'
import { type SocketListener, disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { statementsOf } from '../../testing/statements.ts'
import { turnTwoStepOn } from '../../testing/two-step.ts'

let accountApp: AccountApp
const roles: Partial<Record<RoleType, number>> = {}
beforeEach(async () => {
  accountApp = await openAccountApp()
  for (const role of roleTypes) {
    roles[role] = await buildRole(accountApp.database, role)
    if (role !== 'public') await buildUser(accountApp.database, role, { username: role })
  }
})
afterEach(disconnectSockets)

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = async (token: string, method: Method, url: string, payload?: object) => {
  const answer = await accountApp.app.inject({
    method,
    url: `/api${url}`,
    headers: bearer(token),
    ...(payload && { payload }),
  })
  const body = answer.json<Record<string, unknown> & { error?: { code: string } }>()
  return { status: answer.statusCode, code: body.error?.code, body }
}
const refusedAnswer = { status: 403, code: 'auth.two-step-required' }
/** Sets, as the owner, whether a role requires a second step. */
const setRequirement = async (role: RoleType, two_step = true) => {
  const owner = await tokenOf(accountApp.app, 'owner')
  const { status } = await ask(owner, 'PUT', `/roles/${roles[role]}`, { data: { two_step } })
  expect(status).toBe(200)
}

describe('a user without the required second step', () => {
  test.each<[Method, string, object | undefined]>([
    ['GET', '/news', undefined],
    ['POST', '/news', { data: { title: 'x' } }],
    ['GET', '/users', undefined],
    ['PUT', '/users/1', { name: 'x' }],
    ['GET', '/audit', undefined],
    ['GET', '/seen_messages?room=1', undefined],
    ['GET', '/search?q=x', undefined],
    ['GET', '/notices', undefined],
  ])('refuses %s %s to a user without the required second step', async (method, url, payload) => {
    const token = await tokenOf(accountApp.app, 'admin')
    await setRequirement('admin')
    expect(await ask(token, method, url, payload)).toMatchObject(refusedAnswer)
    const line = sql<{ code: string }>`select details->>'code' as code from audit where action = 'access.denied'`
    expect(await accountApp.database.query(line)).toEqual([{ code: 'auth.two-step-required' }])
  })

  test('lets a user without the required second step read the own account and set up that step', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    await setRequirement('admin')
    expect((await ask(token, 'GET', '/users/me')).status).toBe(200)
    expect((await ask(token, 'GET', '/auth/sessions')).status).toBe(200)
    expect((await ask(token, 'GET', '/auth/two-step')).body).toEqual({
      on: false,
      since: null,
      recovery_left: 0,
      required: true,
    })
    await turnTwoStepOn(accountApp.app, token)
    expect((await ask(token, 'GET', '/news')).status).toBe(200)
    expect((await ask(token, 'GET', '/auth/two-step')).body).toMatchObject({
      on: true,
      recovery_left: 10,
      required: true,
    })
  })

  test('hides fields for staff from a user without the required second step', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    const role = async () => (await ask(token, 'GET', '/users/me?populate=role')).body.role
    expect(await role()).toMatchObject({ type: 'admin', nb_users: 1 })
    await setRequirement('admin')
    expect(await role()).toMatchObject({ type: 'admin' })
    expect(await role()).not.toHaveProperty('nb_users')
  })

  test('lets a user without the required second step sign in and out', async () => {
    await setRequirement('admin')
    const token = await tokenOf(accountApp.app, 'admin')
    expect(await ask(token, 'GET', '/news')).toMatchObject(refusedAnswer)
    expect((await ask(token, 'POST', '/auth/logout')).status).toBe(200)
    expect((await ask(token, 'GET', '/news')).status).toBe(401)
  })

  test('refuses a user whose secret of the required second step is still unconfirmed', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    await setRequirement('admin')
    await ask(token, 'POST', '/auth/two-step', { password: testPassword })
    expect(await ask(token, 'GET', '/news')).toMatchObject(refusedAnswer)
  })

  test('checks the required second step with one statement per session, which is cached', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    const requestLists = async () => {
      for (const url of ['/news', '/faqs']) await ask(token, 'GET', url)
    }
    const sessionStatements = async () =>
      (await statementsOf(accountApp.database, requestLists)).filter((text) => text.includes('sessions s'))
    expect(await sessionStatements()).toHaveLength(1)
    await setRequirement('admin')
    expect(await sessionStatements()).toHaveLength(1)
  })

  test('refuses users without a second step only while their own role requires that step', async () => {
    const [admin, marat] = [await tokenOf(accountApp.app, 'admin'), await tokenOf(accountApp.app, 'marat')]
    await setRequirement('admin')
    expect([(await ask(admin, 'GET', '/news')).status, (await ask(marat, 'GET', '/news')).status]).toEqual([403, 200])
    await setRequirement('admin', false)
    expect((await ask(admin, 'GET', '/news')).status).toBe(200)
  })

  test('gives a user without the required second step no access by the view-as header', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    await setRequirement('admin')
    const headers = { ...bearer(token), 'x-view-as': 'authenticated' }
    const answer = await accountApp.app.inject({ url: '/api/news', headers })
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      403,
      refusedAnswer.code,
    ])
  })
})

describe('a socket of a user without the required second step', () => {
  test('refuses a socket without the required second step in the handshake, and closes an open socket', async () => {
    const address = await accountApp.app.listen({ port: 0, host: '127.0.0.1' })
    const [admin, marat] = [await tokenOf(accountApp.app, 'admin'), await tokenOf(accountApp.app, 'marat')]
    const ear: SocketListener = await connectSocket(address, { token: admin })
    const otherSocket: SocketListener = await connectSocket(address, { token: marat })
    await setRequirement('admin')
    await ear.endedSignal
    expect(otherSocket.socket.connected).toBe(true)
    await expect(connectSocket(address, { token: admin })).rejects.toMatchObject({ data: refusedAnswer })
    await turnTwoStepOn(accountApp.app, admin)
    expect((await connectSocket(address, { token: admin })).socket.connected).toBe(true)
    await accountApp.app.close()
  })
})

describe('turning two-step sign-in off', () => {
  test('refuses to turn two-step sign-in off while the role requires it', async () => {
    const token = await tokenOf(accountApp.app, 'admin')
    const { recovery } = await turnTwoStepOn(accountApp.app, token)
    await setRequirement('admin')
    const turnTwoStepOff = () => ask(token, 'DELETE', '/auth/two-step', { password: testPassword, code: recovery[0] })
    expect(await turnTwoStepOff()).toMatchObject(refusedAnswer)
    await setRequirement('admin', false)
    expect((await turnTwoStepOff()).status).toBe(200)
  })
})

describe('requiring a second step of a role', () => {
  const askers = ['owner', 'super-admin', 'admin', 'authenticated'] as const
  const changeableRoles: Record<(typeof askers)[number], readonly RoleType[]> = {
    owner: roleTypes,
    'super-admin': ['admin', 'authenticated', 'public'],
    admin: [],
    authenticated: [],
  }
  test.each(askers.flatMap((callerRole) => roleTypes.map((role) => [callerRole, role] as const)))(
    'checks the rank of a caller %s who requires a second step of the role %s',
    async (callerRole, role) => {
      const token = await tokenOf(accountApp.app, callerRole)
      const { status, code } = await ask(token, 'PUT', `/roles/${roles[role]}`, { data: { two_step: true } })
      const deniedAction = callerRole === 'super-admin' ? 'user.rank' : 'access.denied'
      expect([status, code]).toEqual(
        changeableRoles[callerRole].includes(role) ? [200, undefined] : [403, deniedAction],
      )
      const [storedRole] = await accountApp.database.query(sql<{ two_step: boolean }>`
      select two_step from roles where type = ${role}`)
      expect(storedRole?.two_step).toBe(changeableRoles[callerRole].includes(role))
    },
  )

  test('lets a super-admin edit the text of every role with an unchanged setting', async () => {
    const token = await tokenOf(accountApp.app, 'super-admin')
    const change = { data: { description: 'Who owns it', two_step: false } }
    expect((await ask(token, 'PUT', `/roles/${roles.owner}`, change)).status).toBe(200)
  })

  test('lets owners require a second step of owners, and undo that after setting up the step', async () => {
    const token = await tokenOf(accountApp.app, 'owner')
    await setRequirement('owner')
    expect(await ask(token, 'GET', '/news')).toMatchObject(refusedAnswer)
    await turnTwoStepOn(accountApp.app, token)
    expect((await ask(token, 'PUT', `/roles/${roles.owner}`, { data: { two_step: false } })).status).toBe(200)
  })
})
