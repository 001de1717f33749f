import {
  fault,
  type Field,
  operationNames,
  type OperationName,
  resources,
  type Resource,
  type RoleType,
  roleTypes,
  toErrorBody,
} from '@dala/model'
import { describe, expect, it } from 'vitest'
import { buildUpload, build, nextNumber } from '../testing/factories.ts'
import { type ResourceApp, startResourceApp } from '../testing/resource-app.ts'

/** Who may do what, copied by hand from contract §14: content and reference lists, unless another row is named. */
const signedIn: readonly RoleType[] = ['authenticated', 'admin', 'super-admin', 'owner']
const staff: readonly RoleType[] = ['admin', 'super-admin', 'owner']
const lists = { read: signedIn, write: staff }
const rowsOfTheirOwn: Partial<Record<string, { read: readonly RoleType[]; write: readonly RoleType[] }>> = {
  // Files come with the upload routes; nobody writes their records by the generic ones.
  uploads: { read: signedIn, write: [] },
  // Accounts are written by routes that check ranks; the generic ones only read them.
  users: { read: signedIn, write: [] },
  roles: { read: staff, write: [] },
}

/** The least that a record of a resource needs. */
function draftOf(resource: Resource): Record<string, unknown> {
  const required = Object.entries<Field>(resource.fields).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([name]) => [name, `${name} ${nextNumber()}`]))
}

const ids = new Map<string, number>()
const here = startResourceApp(async ({ database, people }) => {
  for (const resource of Object.values<Resource>(resources)) {
    if (rowsOfTheirOwn[resource.name]) continue
    ids.set(resource.name, await build(database, resource.name, draftOf(resource)))
  }
  ids.set('uploads', await buildUpload(database))
  // Seen by everybody who may see accounts at all: the strongest sees all, the others see themselves or below.
  ids.set('users', people.authenticated ?? 0)
  ids.set('roles', 1)
})
const ask: ResourceApp['ask'] = (...call) => here.ask(...call)

const requests: Record<
  OperationName,
  (resource: Resource) => [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown]
> = {
  list: ({ wire }) => ['GET', `/${wire}`],
  get: ({ name, wire, single }) => ['GET', single ? `/${wire}` : `/${wire}/${ids.get(name)}`],
  create: (resource) => [resource.single ? 'PUT' : 'POST', `/${resource.wire}`, { data: draftOf(resource) }],
  update: ({ name, wire, single }) => ['PUT', single ? `/${wire}` : `/${wire}/${ids.get(name)}`, { data: {} }],
  remove: ({ name, wire, single }) => ['DELETE', single ? `/${wire}` : `/${wire}/${ids.get(name)}`],
}

/** Refusals say nothing of the record. */
const refusals: Readonly<Record<number, unknown>> = {
  401: toErrorBody(fault('auth.unauthorized')),
  403: toErrorBody(fault('access.denied')),
}

/** The status the table asks for. */
function statusOf(resource: Resource, operation: OperationName, role: RoleType): number {
  const { read, write } = rowsOfTheirOwn[resource.name] ?? lists
  if (role === 'public') return 401
  const isRead = operation === 'list' || operation === 'get'
  // Fixed rows refuse everybody who may see them in the same way (content-model, roles).
  if (resource.fixed && (operation === 'create' || operation === 'remove')) return read.includes(role) ? 422 : 403
  if (!(isRead ? read : write).includes(role)) return 403
  return operation === 'remove' ? 404 : 200
}

const rows = Object.values<Resource>(resources).flatMap((resource) =>
  operationNames.flatMap((operation) => roleTypes.map((role) => [resource.name, operation, role, resource] as const)),
)

describe('every resource, operation and role', () => {
  it.each(rows)('%s %s by %s', async (_name, operation, role, resource) => {
    const [method, url, body] = requests[operation](resource)
    const wanted = statusOf(resource, operation, role)
    // A delete that is allowed is tried on a record that is not there, so that the record stays for the next row.
    const target =
      operation === 'remove' && wanted === 404
        ? resource.single
          ? `${url}?locale=kaa`
          : `/${resource.wire}/999999`
        : url
    const answer = await ask(method, target, body, role)
    expect(answer).toEqual({ status: wanted, body: refusals[wanted] ?? answer.body })
  })
})

describe('bounded sight', () => {
  it('keeps staff above the caller out of sight, by list, record, count and filter', async () => {
    const { owner, admin } = here.people
    expect((await ask('GET', `/users/${owner}`)).status).toBe(404)
    expect((await ask('GET', `/users/${admin}`)).status).toBe(200)
    expect((await ask('GET', `/users?filters[id]=${owner}`)).body).toEqual([])
    expect((await ask('GET', `/users?filters[$or][0][id]=${owner}&filters[$or][1][id]=${admin}`)).body).toHaveLength(1)
    expect((await ask('GET', '/users/count')).body).toBe(2)
    expect((await ask('GET', '/users/count', undefined, 'owner')).body).toBe(4)
  })
  it('shows a signed-in reader the cards of consultants and his own', async () => {
    const { authenticated, admin } = here.people
    const { body } = await ask('GET', '/users', undefined, 'authenticated')
    expect(body).toMatchObject([{ id: authenticated, username: 'authenticated' }])
    expect(body).not.toMatchObject([{ email: expect.anything() as unknown }])
    expect((await ask('GET', `/users/${admin}`, undefined, 'authenticated')).status).toBe(404)
    expect((await ask('GET', '/users?filters[email]=x', undefined, 'authenticated')).status).toBe(400)
  })
  it('gives everybody the whole of himself', async () => {
    const { body } = await ask('GET', '/users/me?populate=role', undefined, 'authenticated')
    expect(body).toMatchObject({ email: 'authenticated@example.org' })
    expect(body).not.toHaveProperty('password')
  })
  it('hides what is not active from readers, and its count', async () => {
    await ask('POST', '/faqs', { data: { question: 'hidden', answer: 'A', active: false } })
    const total = (role: RoleType) =>
      ask('GET', '/faqs?filters[question]=hidden', undefined, role).then(({ body }) => body)
    expect(await total('authenticated')).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
    expect(await total('admin')).toMatchObject({ meta: { pagination: { total: 1 } } })
  })
})
