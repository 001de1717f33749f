import { resources, type RoleType, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, test } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildRecord, buildRole, buildUser, nextNumber } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const roles: Partial<Record<RoleType, number>> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  for (const type of roleTypes) roles[type] = await buildRole(database, type)
})
const ask: typeof resourceApp.ask = (...call) => resourceApp.ask(...call)
const draft = (change: object = {}) => {
  const username = `staff-${nextNumber()}`
  return { data: { username, email: `${username}@example.org`, password: 'Cotton-24', ...change } }
}
const codeOf = ({ body }: { body: unknown }) => (body as { error?: { code: string } }).error?.code
const idOf = ({ body }: { body: unknown }) => (body as { data: { id: number } }).data.id

describe('staff (contract §3)', () => {
  test('lists wrapped accounts of employees, created as admin by default', async () => {
    const answer = await ask('POST', '/staff?populate=role', draft({ name: 'Gulnara' }), 'super-admin')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          attributes: { name: 'Gulnara', first_name: 'Gulnara', role: { data: { attributes: { type: 'admin' } } } },
        },
      },
    })
    expect(await ask('GET', `/users/${idOf(answer)}`, undefined, 'super-admin')).toMatchObject({
      body: { name: 'Gulnara' },
    })
    const list = await ask('GET', '/staff?pagination[pageSize]=100', undefined, 'owner')
    const names = (list.body as { data: { attributes: { username: string } }[] }).data.map(
      ({ attributes }) => attributes.username,
    )
    expect(names).toEqual(expect.arrayContaining(['owner', 'super-admin', 'admin']) as unknown)
    expect(names).not.toContain('authenticated')
  })
  test.each<[by: RoleType, role: RoleType | undefined, status: number, code?: string]>([
    ['authenticated', undefined, 403, 'access.denied'],
    ['admin', undefined, 403, 'access.denied'],
    ['admin', 'authenticated', 403, 'access.denied'],
    ['super-admin', 'admin', 200],
    ['super-admin', 'super-admin', 403, 'user.role-not-granted'],
    ['super-admin', 'authenticated', 403, 'user.role-not-granted'],
    ['owner', 'super-admin', 200],
    ['owner', 'owner', 200],
    ['owner', 'public', 403, 'user.role-not-granted'],
  ])('responds to %s who creates a staff account of role %s with %i', async (callerRole, role, status, code) => {
    const answer = await ask('POST', '/staff', draft(role && { role: roles[role] }), callerRole)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })
  test('changes and removes accounts below the caller’s own rank only', async () => {
    const { owner, admin } = resourceApp.people
    expect((await ask('PUT', `/staff/${owner}`, { data: { name: 'x' } }, 'super-admin')).status).toBe(404)
    expect((await ask('DELETE', `/staff/${owner}`, undefined, 'super-admin')).status).toBe(404)
    expect((await ask('PUT', `/staff/${admin}`, { data: { name: 'M' } }, 'super-admin')).status).toBe(200)
    const takenAnswer = await ask('PUT', `/staff/${admin}`, { data: { email: 'owner@example.org' } }, 'super-admin')
    expect([takenAnswer.status, codeOf(takenAnswer)]).toEqual([400, 'user.email-taken'])
    const id = idOf(await ask('POST', '/staff', draft(), 'owner'))
    expect((await ask('DELETE', `/staff/${id}`, undefined, 'super-admin')).status).toBe(200)
    expect((await ask('GET', `/staff/${id}`, undefined, 'owner')).status).toBe(404)
    expect((await ask('GET', `/users/${id}`, undefined, 'owner')).status).toBe(404)
  })
  test('drops users who are no longer staff from the list of staff, but keeps them as users', async () => {
    const id = idOf(await ask('POST', '/staff', draft(), 'owner'))
    expect((await ask('PUT', `/staff/${id}`, { data: { role: roles.authenticated } }, 'owner')).status).toBe(200)
    expect((await ask('GET', `/staff/${id}`, undefined, 'owner')).status).toBe(404)
    expect((await ask('GET', `/users/${id}`, undefined, 'owner')).status).toBe(200)
  })
})

describe('roles', () => {
  test.each<[by: RoleType, status: number]>([
    ['authenticated', 403],
    ['admin', 403],
    ['super-admin', 200],
    ['owner', 200],
  ])('responds to %s who reads the descriptions of roles with %i', async (callerRole, status) => {
    const body = { data: { description: `By ${callerRole}`, type: 'owner' } }
    const answer = await ask('PUT', `/roles/${roles.public}`, body, callerRole)
    expect(answer.status).toBe(status)
    const { body: storedRole } = await ask('GET', `/roles/${roles.public}`, undefined, 'owner')
    const role = (storedRole as { data: { attributes: object } }).data.attributes
    expect(role).toMatchObject({ type: 'public', ...(status === 200 && { description: `By ${callerRole}` }) })
    expect(JSON.stringify(storedRole).includes(`By ${callerRole}`)).toBe(status === 200)
  })
})

describe('DELETE of an account (content-model §1)', () => {
  /** Inserts a record that names a user, with the fewest possible fields. */
  const insertNamingRecord = async (user: number) => {
    const room = await buildRecord(resourceApp.database, 'chatrooms', {
      sender: user,
      receiver: resourceApp.people.admin,
    })
    return buildRecord(resourceApp.database, 'chatmessages', { room, sender: user, text: 'Salem' })
  }
  const rows = (id: number) =>
    resourceApp.database.query<Record<string, unknown>>(sql`select * from users where id = ${id}`)

  test('deletes the row of a deleted account when nothing names the user', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated')
    expect((await ask('DELETE', `/users/${id}`)).status).toBe(200)
    expect(await rows(id)).toEqual([])
  })
  test('keeps a deleted account without name and contacts, in no list, when a message names the user', async () => {
    const [username, contact] = [`gone-${nextNumber()}`, 'gone@example.org']
    const contactFields = { name: 'Aman', surname: 'B.', phone: '+998901234567', address: 'Nukus', email: contact }
    const id = await buildUser(resourceApp.database, 'authenticated', {
      username,
      ...contactFields,
      is_consultant: true,
    })
    const token = await tokenOf(resourceApp.app, username)
    await insertNamingRecord(id)
    await ask('POST', `/users/${id}/block`, { reason: 'Aman has moved to Nukus' })
    const answer = await ask('DELETE', `/users/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { id, name: 'Aman' } })

    const [row] = await rows(id)
    expect(row).toMatchObject({ blocked: true, name: null, surname: null, phone: null, address: null })
    expect(JSON.stringify(row)).not.toMatch(/Aman|gone|Nukus|99890/)
    const [user, list, count, staffed] = [
      await ask('GET', `/users/${id}`, undefined, 'owner'),
      await ask('GET', `/users?filters[id]=${id}`, undefined, 'owner'),
      await ask('GET', `/users/count?filters[id]=${id}`, undefined, 'owner'),
      await ask('GET', `/users?filters[id]=${id}`, undefined, 'authenticated'),
    ]
    expect([user.status, list.body, count.body, staffed.body]).toEqual([404, [], 0, []])
    for (const [method, body] of [
      ['PUT', { blocked: false }],
      ['DELETE', undefined],
    ] as const) {
      expect((await ask(method, `/users/${id}`, body, 'owner')).status).toBe(404)
    }
    expect((await ask('POST', `/users/${id}/sign-out`, undefined, 'owner')).status).toBe(404)

    const ownAnswer = await resourceApp.app.inject({
      url: '/api/users/me',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ownAnswer.statusCode).toBe(401)
    for (const identifier of [username, contact, String(row?.username)]) {
      const repeatedAnswer = await resourceApp.app.inject({
        method: 'POST',
        url: '/api/auth/local',
        payload: { identifier, password: 'Harvest-2026' },
      })
      expect(repeatedAnswer.statusCode).toBe(400)
    }
    expect(
      await resourceApp.database.query(
        sql`select 1 from mails where recipient like '%removed%' or recipient = ${contact}`,
      ),
    ).toEqual([])
    expect((await ask('POST', '/users', { username, email: contact, password: 'Cotton-24' })).status).toBe(201)
  })
  test.each<RoleType>(['admin', 'owner'])(
    'shows the removed customer of a consultation to the role %s',
    async (role) => {
      const id = await buildUser(resourceApp.database, 'authenticated', { name: 'Aman' })
      const consultant = resourceApp.people.authenticated
      const consultation = await buildRecord(resourceApp.database, 'consultations', {
        question: 'Why?',
        user: id,
        consultant,
      })
      expect((await ask('DELETE', `/users/${id}`)).status).toBe(200)
      const { body } = await ask('GET', `/consultations/${consultation}?populate=user`, undefined, role)
      expect(body).toMatchObject({
        data: { attributes: { user: { data: { id, attributes: { name: null, first_name: null } } } } },
      })
      expect(JSON.stringify(body)).toContain('"username":"removed-')
    },
  )
  test('removes a former employee from the list of staff', async () => {
    const id = await buildUser(resourceApp.database, 'admin')
    await insertNamingRecord(id)
    expect((await ask('DELETE', `/staff/${id}`, undefined, 'owner')).status).toBe(200)
    expect((await ask('GET', `/staff/${id}`, undefined, 'owner')).status).toBe(404)
    expect(await rows(id)).toHaveLength(1)
  })
  test.each(['removed_at', 'password'])('refuses the private field %s in a query for users', async (name) => {
    for (const query of [
      `filters[${name}][$null]=true`,
      `sort=${name}`,
      `fields=${name}`,
      `filters[role][users][${name}]=1`,
    ]) {
      expect([query, (await ask('GET', `/users?${query}`, undefined, 'owner')).status]).toEqual([query, 400])
    }
    expect(resources.users.fields[name as 'password']).toMatchObject({ private: true })
  })
})
