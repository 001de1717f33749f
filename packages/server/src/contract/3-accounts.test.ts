/**
 * Contract §2 and §3: the fields of an account, the texts of the specification on every route that accepts
 * one, and headers that sign-in ignores.
 */
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../testing/app.ts'
import { buildUser, nextNumber, testPassword } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
const flatFields = ['id', 'username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt']
const roleFields = ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt']
const secrets = /argon2|"password|token"|reset|confirmation|removed_at/i
const draft = (change: object = {}) => {
  const username = `account-${nextNumber()}`
  return { username, email: `${username}@example.org`, password: 'Cotton-24', ...change }
}

describe('an account', () => {
  it('returns an account flat in every answer, with its profile and without secrets', async () => {
    const createdAnswer = await resourceApp.ask('POST', '/users', draft({ name: 'Jamila', surname: 'B.' }), 'owner')
    const { id, username } = createdAnswer.body as { id: number; username: string }
    const signedIn = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: username, password: 'Cotton-24' },
    })
    const { user } = signedIn.json<{ user: object }>()
    const recordAnswer = await resourceApp.ask('GET', `/users/${id}`, undefined, 'owner')
    const list = await resourceApp.ask('GET', `/users?filters[id]=${id}`, undefined, 'owner')
    const changedAnswer = await resourceApp.ask('PUT', `/users/${id}`, {}, 'owner')
    for (const account of [
      createdAnswer.body,
      user,
      recordAnswer.body,
      (list.body as object[])[0],
      changedAnswer.body,
    ] as object[]) {
      expect(Object.keys(account)).toEqual(expect.arrayContaining(flatFields))
      expect(account).toMatchObject({ provider: 'local', name: 'Jamila', first_name: 'Jamila', last_name: 'B.' })
      expect(account).not.toHaveProperty('attributes')
      expect(JSON.stringify(account)).not.toMatch(secrets)
    }
    expect(createdAnswer.body).toHaveProperty('role')
    expect(user).not.toHaveProperty('role')
    const deleteAnswer = await resourceApp.ask('DELETE', `/users/${id}`, undefined, 'owner')
    expect([deleteAnswer.status, deleteAnswer.body]).toMatchObject([200, { id, username }])
    expect((await resourceApp.ask('GET', `/users/${id}`, undefined, 'owner')).status).toBe(404)
  })
  it("returns an account's role in the form of Strapi v4, and the number of users of each role", async () => {
    const me = await resourceApp.ask('GET', '/users/me?populate=role', undefined, 'admin')
    expect(Object.keys((me.body as { role: object }).role)).toEqual(expect.arrayContaining(roleFields))
    const { roles } = (await resourceApp.ask('GET', '/users-permissions/roles')).body as { roles: object[] }
    expect(roles).toHaveLength(5)
    for (const role of roles) expect(Object.keys(role)).toEqual(expect.arrayContaining([...roleFields, 'nb_users']))
  })
  it.each(['password', 'resetPasswordToken', 'confirmationToken', 'reset_token', 'removed_at'])(
    'refuses to filter, sort, select or populate accounts by %s',
    async (name) => {
      for (const url of [
        `/users?filters[${name}][$notNull]=true`,
        `/users?sort=${name}`,
        `/users?fields=${name}`,
        `/users/count?filters[${name}]=x`,
        `/staff?filters[${name}]=x`,
        `/news?filters[tags][news][${name}]=x`,
        `/tradinposts?filters[user][${name}]=x`,
        `/tradinposts?sort=user.${name}`,
        `/tradinposts?populate[user][filters][${name}]=x`,
      ]) {
        const { status, body } = await resourceApp.ask('GET', url, undefined, 'owner')
        expect([url, status, body]).toMatchObject([url, 400, { error: { message: `Invalid parameter ${name}` } }])
      }
    },
  )
  it('accepts for accounts the queries of other lists, except pages', async () => {
    const ids = [
      await buildUser(resourceApp.database, 'authenticated', { name: 'QB' }),
      await buildUser(resourceApp.database, 'authenticated', { name: 'QA' }),
    ]
    const query = 'filters[name][$startsWith]=Q&sort=name&fields=name&populate[role][fields]=type'
    const expectedFields = [
      { id: ids[1], name: 'QA', role: { id: expect.any(Number) as number, type: 'authenticated' } },
      { id: ids[0], name: 'QB', role: { id: expect.any(Number) as number, type: 'authenticated' } },
    ]
    expect((await resourceApp.ask('GET', `/users?${query}`, undefined, 'owner')).body).toEqual(expectedFields)
    expect((await resourceApp.ask('GET', `/users?${query}&pagination[page]=7`, undefined, 'owner')).body).toEqual(
      expectedFields,
    )
    expect((await resourceApp.ask('GET', `/users?${query}&start=1&limit=1`, undefined, 'owner')).body).toEqual({
      data: [expectedFields[1]],
      count: 2,
      meta: { pagination: { start: 1, limit: 1, total: 2 } },
    })
  })
  it('lists at most a thousand accounts', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated')
    const [columns] = await resourceApp.database.query(sql<{ names: string }>`
      select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_schema = 'public' and table_name = 'users' and is_generated = 'NEVER'
        and column_name not in ('id', 'username', 'email')`)
    const columnNamesSql = sql.raw(columns?.names ?? '')
    await resourceApp.database.query(sql`
      insert into users (username, email, ${columnNamesSql})
      select 'crowd-' || n, 'crowd-' || n || '@example.org', ${columnNamesSql} from users, generate_series(1, 1001) n where id = ${id}`)
    expect((await resourceApp.ask('GET', '/users?fields=username', undefined, 'owner')).body).toHaveLength(1_000)
    expect(
      (await resourceApp.ask('GET', '/users/count?filters[username][$startsWith]=crowd-', undefined, 'owner')).body,
    ).toBe(1_001)
    await resourceApp.database.query(sql`delete from users where username like 'crowd-%'`)
  })
})

describe('the specification’s texts for accounts', () => {
  const routes: [what: string, send: (change: object) => Promise<{ status: number; body: unknown }>][] = [
    ['register', (change) => resourceApp.ask('POST', '/auth/local/register', draft(change), 'public')],
    ['POST /users', (change) => resourceApp.ask('POST', '/users', draft(change), 'owner')],
    ['POST /staff', (change) => resourceApp.ask('POST', '/staff', { data: draft(change) }, 'owner')],
    [
      'PUT /users',
      async (change) =>
        resourceApp.ask('PUT', `/users/${await buildUser(resourceApp.database, 'authenticated')}`, change, 'owner'),
    ],
    [
      'PUT /staff',
      async (change) =>
        resourceApp.ask('PUT', `/staff/${await buildUser(resourceApp.database, 'admin')}`, { data: change }, 'owner'),
    ],
  ]
  const cases: [change: object, path: string, message: string][] = [
    [{ password: 'abc' }, 'password', 'password must be between 4 and 16 characters'],
    [{ password: 'x'.repeat(17) }, 'password', 'password must be between 4 and 16 characters'],
    [{ email: 'a@b' }, 'email', 'email must be at least 4 characters'],
    [{ email: 'nobody' }, 'email', 'please enter a valid email address'],
    [{ email: '' }, 'email', 'please enter your email address'],
    [{ password: '' }, 'password', 'please enter your password'],
  ]
  it.each(routes.flatMap(([routeName, send]) => cases.map((row) => [routeName, ...row, send] as const)))(
    'refuses on %s the account %j, and names %s: %s',
    async (_what, change, path, message, send) => {
      const { status, body } = await send(change)
      expect([status, body]).toMatchObject([
        400,
        { error: { name: 'ValidationError', message, details: { errors: [{ path: [path], message }] } } },
      ])
    },
  )
  it.each(routes.slice(0, 3))(
    'accepts on %s passwords of 4 and 16 characters, and counts a letter of two code units as one',
    async (routeName, send) => {
      for (const password of ['Ѣ-2á', 'áбвгд-🌾é1234567ў']) {
        expect([password, (await send({ password })).status]).toEqual([
          password,
          routeName === 'POST /users' ? 201 : 200,
        ])
      }
    },
  )
})

describe('sign-in routes', () => {
  it('ignores the Authorization header on sign-in: stale, valid, broken or of another scheme', async () => {
    const liveToken = await tokenOf(resourceApp.app, 'admin')
    for (const authorization of ['Bearer stale', 'Bearer a.b.c', `Bearer ${liveToken}`, 'Basic YTpi', 'nonsense']) {
      const statuses = []
      for (const [path, payload] of [
        ['local', { identifier: 'admin', password: testPassword }],
        ['local/register', draft()],
        ['forgot-password', { email: 'admin@example.org' }],
        ['reset-password', { code: 'x', password: 'Cotton-24', passwordConfirmation: 'Cotton-24' }],
      ] as const) {
        const answer = await resourceApp.app.inject({
          method: 'POST',
          url: `/api/auth/${path}`,
          headers: { authorization },
          payload,
        })
        statuses.push(answer.statusCode)
      }
      expect([authorization, statuses]).toEqual([authorization, [200, 200, 200, 400]])
    }
    expect(
      (await resourceApp.app.inject({ url: '/api/i18n/locales', headers: { authorization: 'Bearer stale' } }))
        .statusCode,
    ).toBe(200)
  })
})
