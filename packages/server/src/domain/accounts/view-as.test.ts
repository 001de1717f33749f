import { sql } from '../../db/sql.ts'
import { expect, describe, test } from 'vitest'
import { buildRecord, buildNews } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
let faq = 0
let room = 0
const resourceApp = startResourceApp(async (app) => {
  for (const role of ['owner', 'super-admin', 'admin', 'authenticated'] as const)
    people[role] = await buildPerson(app, role)
  people.consultant = await buildConsultant(app)
  await buildNews(app.database)
  faq = await buildRecord(app.database, 'faqs', { question: 'Hidden?', answer: '<p>Yes</p>', active: false })
  room = await buildRecord(app.database, 'chatrooms', { sender: people.authenticated?.id, receiver: people.owner?.id })
})
const ask = async (
  callerRole: string,
  as: string | undefined,
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: object,
) => {
  const person = people[callerRole]
  if (!person) throw new Error(callerRole)
  const answer = await person.ask(method, url, body, as === undefined ? {} : { 'x-view-as': as })
  return { ...answer, code: (answer.body as { error?: { code: string } }).error?.code }
}

const roles = ['authenticated', 'consultant', 'admin', 'super-admin'] as const
/** The roles that each role may view as, copied by hand: staff, every role below their own. */
const allowedRoles: Readonly<Record<string, readonly string[]>> = {
  owner: roles,
  'super-admin': ['authenticated', 'consultant', 'admin'],
  admin: ['authenticated', 'consultant'],
  authenticated: [],
  consultant: [],
}
const pairs = Object.keys(allowedRoles).flatMap((callerRole) => roles.map((as) => [callerRole, as] as const))

test.each(pairs)('allows or refuses the role %s to view as %s', async (callerRole, as) => {
  const { status, code } = await ask(callerRole, as, '/news')
  expect([status, code]).toEqual(allowedRoles[callerRole]?.includes(as) ? [200, undefined] : [403, 'access.view-as'])
})

test.each(['owner', 'public', 'Admin', '', 'admin, admin', '__proto__', 'toString', 'x'.repeat(200)])(
  'lets no user view as “%s”',
  async (as) => {
    expect(await ask('owner', as, '/news')).toMatchObject({ status: 403, code: 'access.view-as' })
  },
)

describe('reading with X-View-As', () => {
  test.each([
    [undefined, 200],
    ['super-admin', 200],
    ['admin', 200],
    ['consultant', 404],
    ['authenticated', 404],
  ])('answers an owner who views as %s and requests a hidden record with %i', async (as, status) => {
    expect((await ask('owner', as, `/faqs/${faq}`)).status).toBe(status)
  })

  test.each([
    [undefined, 200],
    ['super-admin', 200],
    ['admin', 200],
    ['consultant', 403],
    ['authenticated', 403],
  ])('answers an owner who views as %s and requests the audit with %i', async (as, status) => {
    expect((await ask('owner', as, '/audit')).status).toBe(status)
  })

  test('hides users above an admin from an owner who views as an admin', async () => {
    const names = async (as?: string) =>
      JSON.stringify((await ask('owner', as, '/users?fields[0]=username&populate=role')).body)
    expect(await names()).toContain('"super-admin"')
    expect(await names('admin')).not.toMatch(/"(super-admin)"/)
    expect((await ask('owner', 'admin', `/users/${people['super-admin']?.id}`)).status).toBe(404)
  })

  test('shows an unassigned question to an owner who views as a consultant, not as a registered user', async () => {
    const question = await buildRecord(resourceApp.database, 'consultations', {
      question: 'When?',
      user: people.authenticated?.id,
    })
    const see = async (as: string) => (await ask('owner', as, `/consultations/${question}`)).status
    expect([await see('consultant'), await see('authenticated')]).toEqual([200, 404])
  })

  test("uses the caller's own id with X-View-As: own rooms, own profile", async () => {
    const { body } = await ask('owner', 'authenticated', '/chatrooms')
    expect((body as { results: { id: number }[] }).results.map(({ id }) => id)).toEqual([room])
    const { body: me } = await ask('owner', 'authenticated', '/users/me?populate=role')
    expect(me).toMatchObject({ id: people.owner?.id, role: { type: 'owner' } })
  })

  test('caches the totals of lists separately for each role that is viewed as', async () => {
    const total = async (as?: string) => {
      const { body } = await ask('owner', as, '/faqs?pagination[pageSize]=1')
      return (body as { meta: { pagination: { total: number } } }).meta.pagination.total
    }
    expect([await total(), await total('authenticated'), await total()]).toEqual([1, 0, 1])
  })
})

describe('changes with X-View-As', () => {
  const draft = { data: { question: 'New?', answer: '<p>x</p>' } }
  test.each<['POST' | 'PUT' | 'DELETE', () => string, object | undefined]>([
    ['POST', () => '/faqs', draft],
    ['PUT', () => `/faqs/${faq}`, draft],
    ['DELETE', () => `/faqs/${faq}`, undefined],
    ['PUT', () => `/users/${people.owner?.id}`, { name: 'Other' }],
    ['POST', () => `/users/${people.authenticated?.id}/block`, { reason: 'x' }],
    ['POST', () => '/chatmessages', { data: { room, text: 'x' } }],
    ['POST', () => '/bulk', {}],
    ['POST', () => '/exports', {}],
  ])('refuses changes with X-View-As: %s of %s', async (method, url, body) => {
    const count = () => resourceApp.database.query(sql`select count(*)::int as n, max(version) as v from faqs_texts`)
    const countBefore = await count()
    const answer = await ask('owner', 'admin', url(), method, body)
    // An unknown route is answered as without the header, which reveals nothing.
    expect([answer.status, answer.code]).toEqual(
      url() === '/exports' ? [404, 'route.not-found'] : [403, 'access.viewing'],
    )
    expect(await count()).toEqual(countBefore)
  })

  test('refuses to move the reading mark of a room with X-View-As, which a GET would do', async () => {
    expect(await ask('owner', 'admin', `/seen_messages?room=${room}`)).toMatchObject({
      status: 403,
      code: 'access.viewing',
    })
    expect((await ask('owner', undefined, `/seen_messages?room=${room}`)).status).toBe(200)
  })

  test('refuses a HEAD of the reading mark with X-View-As', async () => {
    const headers = { authorization: `Bearer ${people.owner?.token}`, 'x-view-as': 'admin' }
    const head = async (url: string) => (await resourceApp.app.inject({ method: 'HEAD', url, headers })).statusCode
    expect([await head(`/api/seen_messages?room=${room}`), await head('/api/news')]).toEqual([403, 200])
  })

  test('writes refused requests with X-View-As to the audit with the real caller', async () => {
    const [line] = await resourceApp.database.query(sql<{ user_id: number }>`
      select user_id from audit where action = 'access.denied' and details->>'code' = 'access.view-as'
        and user_id = ${people.consultant?.id} limit 1`)
    expect(line?.user_id).toBe(people.consultant?.id)
  })
})

describe('routes of signing in', () => {
  test.each(['admin', 'nonsense'])('ignores X-View-As on routes of signing in: %s', async (as) => {
    expect((await ask('admin', as, '/auth/sessions')).status).toBe(200)
    expect((await ask('admin', as, '/auth/two-step')).status).toBe(200)
    expect((await ask('admin', as, '/auth/sessions/end-others', 'POST')).status).toBe(200)
    expect((await ask('admin', as, '/users/me')).status).toBe(200)
    expect((await ask('authenticated', as, '/auth/logout', 'POST')).status).toBe(as === 'admin' ? 200 : 401)
  })
})

test('returns 401 for X-View-As without a session', async () => {
  const answer = await resourceApp.app.inject({ url: '/api/news', headers: { 'x-view-as': 'admin' } })
  expect(answer.statusCode).toBe(401)
})
