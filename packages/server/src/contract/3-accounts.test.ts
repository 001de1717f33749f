/**
 * Contract §2 and §3: the fields of an account, the texts of the specification on every route that accepts
 * one, and headers that sign-in ignores.
 */
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../testing/app.ts'
import { buildUser, nextNumber, testPassword } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const here = startResourceApp()
const flat = ['id', 'username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt']
const ofRole = ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt']
const secrets = /argon2|"password|token"|reset|confirmation|removed_at/i
const draft = (change: object = {}) => {
  const username = `account-${nextNumber()}`
  return { username, email: `${username}@example.org`, password: 'Cotton-24', ...change }
}

describe('an account', () => {
  it('returns an account flat in every answer, with its profile and without secrets', async () => {
    const created = await here.ask('POST', '/users', draft({ name: 'Jamila', surname: 'B.' }), 'owner')
    const { id, username } = created.body as { id: number; username: string }
    const signedIn = await here.app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: username, password: 'Cotton-24' },
    })
    const { user } = signedIn.json<{ user: object }>()
    const one = await here.ask('GET', `/users/${id}`, undefined, 'owner')
    const list = await here.ask('GET', `/users?filters[id]=${id}`, undefined, 'owner')
    const changed = await here.ask('PUT', `/users/${id}`, {}, 'owner')
    for (const account of [created.body, user, one.body, (list.body as object[])[0], changed.body] as object[]) {
      expect(Object.keys(account)).toEqual(expect.arrayContaining(flat))
      expect(account).toMatchObject({ provider: 'local', name: 'Jamila', first_name: 'Jamila', last_name: 'B.' })
      expect(account).not.toHaveProperty('attributes')
      expect(JSON.stringify(account)).not.toMatch(secrets)
    }
    expect(created.body).toHaveProperty('role')
    expect(user).not.toHaveProperty('role')
    const gone = await here.ask('DELETE', `/users/${id}`, undefined, 'owner')
    expect([gone.status, gone.body]).toMatchObject([200, { id, username }])
    expect((await here.ask('GET', `/users/${id}`, undefined, 'owner')).status).toBe(404)
  })
  it("returns an account's role in the form of Strapi v4, and the number of users of each role", async () => {
    const me = await here.ask('GET', '/users/me?populate=role', undefined, 'admin')
    expect(Object.keys((me.body as { role: object }).role)).toEqual(expect.arrayContaining(ofRole))
    const { roles } = (await here.ask('GET', '/users-permissions/roles')).body as { roles: object[] }
    expect(roles).toHaveLength(5)
    for (const role of roles) expect(Object.keys(role)).toEqual(expect.arrayContaining([...ofRole, 'nb_users']))
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
        const { status, body } = await here.ask('GET', url, undefined, 'owner')
        expect([url, status, body]).toMatchObject([url, 400, { error: { message: `Invalid parameter ${name}` } }])
      }
    },
  )
  it('accepts for accounts the queries of other lists, except pages', async () => {
    const ids = [
      await buildUser(here.database, 'authenticated', { name: 'QB' }),
      await buildUser(here.database, 'authenticated', { name: 'QA' }),
    ]
    const query = 'filters[name][$startsWith]=Q&sort=name&fields=name&populate[role][fields]=type'
    const expected = [
      { id: ids[1], name: 'QA', role: { id: expect.any(Number) as number, type: 'authenticated' } },
      { id: ids[0], name: 'QB', role: { id: expect.any(Number) as number, type: 'authenticated' } },
    ]
    expect((await here.ask('GET', `/users?${query}`, undefined, 'owner')).body).toEqual(expected)
    expect((await here.ask('GET', `/users?${query}&pagination[page]=7`, undefined, 'owner')).body).toEqual(expected)
    expect((await here.ask('GET', `/users?${query}&start=1&limit=1`, undefined, 'owner')).body).toEqual({
      data: [expected[1]],
      count: 2,
      meta: { pagination: { start: 1, limit: 1, total: 2 } },
    })
  })
  it('lists at most a thousand accounts', async () => {
    const id = await buildUser(here.database, 'authenticated')
    const [columns] = await here.database.query(sql<{ names: string }>`
      select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_schema = 'public' and table_name = 'users' and is_generated = 'NEVER'
        and column_name not in ('id', 'username', 'email')`)
    const rest = sql.raw(columns?.names ?? '')
    await here.database.query(sql`
      insert into users (username, email, ${rest})
      select 'crowd-' || n, 'crowd-' || n || '@example.org', ${rest} from users, generate_series(1, 1001) n where id = ${id}`)
    expect((await here.ask('GET', '/users?fields=username', undefined, 'owner')).body).toHaveLength(1_000)
    expect((await here.ask('GET', '/users/count?filters[username][$startsWith]=crowd-', undefined, 'owner')).body).toBe(
      1_001,
    )
    await here.database.query(sql`delete from users where username like 'crowd-%'`)
  })
})

describe('the specification’s texts for accounts', () => {
  const routes: [what: string, send: (change: object) => Promise<{ status: number; body: unknown }>][] = [
    ['register', (change) => here.ask('POST', '/auth/local/register', draft(change), 'public')],
    ['POST /users', (change) => here.ask('POST', '/users', draft(change), 'owner')],
    ['POST /staff', (change) => here.ask('POST', '/staff', { data: draft(change) }, 'owner')],
    [
      'PUT /users',
      async (change) => here.ask('PUT', `/users/${await buildUser(here.database, 'authenticated')}`, change, 'owner'),
    ],
    [
      'PUT /staff',
      async (change) => here.ask('PUT', `/staff/${await buildUser(here.database, 'admin')}`, { data: change }, 'owner'),
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
  it.each(routes.flatMap(([what, send]) => cases.map((row) => [what, ...row, send] as const)))(
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
    async (what, send) => {
      for (const password of ['Ѣ-2á', 'áбвгд-🌾é1234567ў']) {
        expect([password, (await send({ password })).status]).toEqual([password, what === 'POST /users' ? 201 : 200])
      }
    },
  )
})

describe('sign-in routes', () => {
  it('ignores the Authorization header on sign-in: stale, valid, broken or of another scheme', async () => {
    const live = await tokenOf(here.app, 'admin')
    for (const authorization of ['Bearer stale', 'Bearer a.b.c', `Bearer ${live}`, 'Basic YTpi', 'nonsense']) {
      const statuses = []
      for (const [path, payload] of [
        ['local', { identifier: 'admin', password: testPassword }],
        ['local/register', draft()],
        ['forgot-password', { email: 'admin@example.org' }],
        ['reset-password', { code: 'x', password: 'Cotton-24', passwordConfirmation: 'Cotton-24' }],
      ] as const) {
        const answer = await here.app.inject({
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
      (await here.app.inject({ url: '/api/i18n/locales', headers: { authorization: 'Bearer stale' } })).statusCode,
    ).toBe(200)
  })
})
