import {
  fault,
  type OperationName,
  operationNames,
  resources,
  type Resource,
  type RoleType,
  toErrorBody,
} from '@dala/model'
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../testing/app.ts'
import { leastDraft, type Targets } from '../testing/drafts.ts'
import {
  buildRecord,
  buildAuditLine,
  buildRole,
  buildUpload,
  buildUser,
  publishCourseOf,
} from '../testing/factories.ts'
import { type ResourceApp, startResourceApp } from '../testing/resource-app.ts'
import { resourceNamed } from '../resources/attributes.ts'

/** Callers of the access table; a consultant is an authenticated user with that flag (contract §14). */
const askers = ['public', 'authenticated', 'consultant', 'admin', 'super-admin', 'owner'] as const
type Asker = (typeof askers)[number]

/**
 * The rows that an operation of the access table reaches. The first row is visible, or the caller's own; the
 * second is hidden, or somebody else's. `neither`: the operation is allowed, but not on these rows. Absent:
 * denied.
 */
type ReachableRows = 'both' | 'first' | 'neither'

/**
 * One row of contract §14, copied by hand. A caller without an entry has the rights of the nearest lower one.
 */
interface Rights {
  read: Partial<Record<Asker, ReachableRows>>
  create?: Partial<Record<Asker, ReachableRows>>
  update?: Partial<Record<Asker, ReachableRows>>
  remove?: Partial<Record<Asker, ReachableRows>>
  /** Draft values that distinguish the first row from the second. */
  firstValues?: (asker: number) => Record<string, unknown> | Promise<Record<string, unknown>>
  secondValues?: () => Record<string, unknown> | Promise<Record<string, unknown>>
}

const staffRights = { admin: 'both' } as const
const writeRights = { create: staffRights, update: staffRights, remove: staffRights }
/** Rights to reference lists without hidden rows. */
const openRights: Rights = { read: { authenticated: 'both' }, ...writeRights }
/** Rights to content and lists whose active rows readers see. */
const listedRights: Rights = {
  read: { authenticated: 'first', admin: 'both' },
  ...writeRights,
  firstValues: () => ({ active: true }),
  secondValues: () => ({ active: false }),
}
const stateRights = (field: string, seenState: string, hiddenState: string): Rights => ({
  ...listedRights,
  firstValues: () => ({ [field]: seenState }),
  secondValues: () => ({ [field]: hiddenState }),
})

const resourceApp = startResourceApp()
const targets: Targets = new Map()
const course = (state: string) => buildRecord(resourceApp.database, 'courses', { title: 'C', state })
const pricedate = (state: string) =>
  buildOnceNamed(`date ${state}`, async () =>
    buildRecord(resourceApp.database, 'pricedates', {
      ...(await leastDraft(resourceApp.database, resourceNamed('pricedates'), targets)),
      state,
    }),
  )
const buildStranger = () => buildOnceNamed('stranger', () => buildUser(resourceApp.database, 'authenticated'))
const room = (draft: Record<string, unknown>) => buildRecord(resourceApp.database, 'chatrooms', draft)
const sharedRecords = new Map<string, Promise<number>>()
function buildOnceNamed(name: string, make: () => Promise<number>): Promise<number> {
  const knownRecord = sharedRecords.get(name) ?? make()
  sharedRecords.set(name, knownRecord)
  return knownRecord
}

const rights: Record<string, Rights> = {
  about: openRights,
  regions: openRights,
  districts: openRights,
  tags: openRights,
  roles: { read: { admin: 'both' }, update: { 'super-admin': 'both' } },
  // Users reach their own files; other tests cover files in readable records.
  uploads: {
    read: { authenticated: 'first', admin: 'both' },
    remove: { authenticated: 'first', admin: 'both' },
    firstValues: (owner) => ({ owner }),
    secondValues: async () => ({ owner: await buildStranger() }),
  },
  statistics: {
    read: { consultant: 'first', admin: 'both' },
    firstValues: () => ({ key: 'consultations' }),
    secondValues: () => ({ key: 'content' }),
  },
  // Readers choose among the reasons for reporting a post.
  moderationreasons: stateRights('applies_to', 'report', 'decision'),
  moderationwords: { read: staffRights, ...writeRights },
  insert_excel: { read: { admin: 'both' } },
  // Only the program adds audit lines, and no user changes them.
  audit: { read: { admin: 'both' } },
  // Users read their own saved views and shared ones, but no private views of others.
  listviews: {
    read: { authenticated: 'first' },
    create: { authenticated: 'both' },
    update: { authenticated: 'first' },
    remove: { authenticated: 'first' },
    firstValues: (owner) => ({ owner }),
    secondValues: async () => ({ owner: await buildStranger() }),
  },
  // Consultants read their own reply templates and shared ones; no user reads private ones of others.
  replytemplates: {
    read: { consultant: 'first' },
    create: { consultant: 'both' },
    update: { consultant: 'first' },
    remove: { consultant: 'first' },
    firstValues: (author) => ({ author }),
    secondValues: async () => ({ author: await buildStranger() }),
  },
  // Consultants read the rules, and their own absences.
  routingrules: { read: { consultant: 'both', admin: 'both' }, ...writeRights },
  absences: {
    read: { consultant: 'first', admin: 'both' },
    create: { consultant: 'both' },
    update: { consultant: 'first', admin: 'both' },
    remove: { consultant: 'first', admin: 'both' },
    firstValues: (user) => ({ user }),
    secondValues: async () => ({ user: await buildStranger() }),
  },
  courses: stateRights('state', 'published', 'draft'),
  lessongroups: {
    ...listedRights,
    firstValues: async () => ({ course: await course('published') }),
    secondValues: async () => ({ course: await course('draft') }),
  },
  lessons: {
    ...listedRights,
    firstValues: async () => ({ course: await course('published') }),
    secondValues: async () => ({ course: await course('published'), state: 'hidden' }),
  },
  pricedates: stateRights('state', 'published', 'draft'),
  pricelists: {
    ...listedRights,
    firstValues: async () => ({
      pricedate: await pricedate('published'),
      product: await buildRecord(resourceApp.database, 'products', { name: 'P' }),
    }),
    secondValues: async () => ({
      pricedate: await pricedate('draft'),
      product: await buildRecord(resourceApp.database, 'products', { name: 'P' }),
    }),
  },
  tradinposts: {
    read: { authenticated: 'first', admin: 'both' },
    create: { authenticated: 'both' },
    update: { authenticated: 'first', admin: 'both' },
    remove: { authenticated: 'first', admin: 'both' },
    firstValues: (user) => ({ user }),
    secondValues: async () => ({ user: await buildStranger() }),
  },
  consultations: {
    read: { authenticated: 'first', admin: 'both' },
    create: { authenticated: 'both' },
    update: { authenticated: 'first', consultant: 'neither', admin: 'both' },
    remove: { admin: 'both' },
    firstValues: (user) => ({ user }),
    secondValues: async () => ({ user: await buildStranger(), consultant: await buildStranger() }),
  },
  chatrooms: {
    read: { authenticated: 'first', admin: 'both' },
    create: { authenticated: 'both' },
    update: { consultant: 'neither', admin: 'both' },
    remove: { admin: 'both' },
    firstValues: async (sender) => ({
      sender,
      receiver: await buildUser(resourceApp.database, 'authenticated', { is_consultant: true }),
    }),
    secondValues: async () => ({
      sender: await buildStranger(),
      receiver: await buildUser(resourceApp.database, 'authenticated', { is_consultant: true }),
    }),
  },
  chatmessages: {
    read: { authenticated: 'first', admin: 'both' },
    update: { authenticated: 'first' },
    remove: { authenticated: 'first', admin: 'both' },
    firstValues: async (sender) => ({
      sender,
      text: 'M',
      seq: 1,
      room: await room({ sender, receiver: await buildUser(resourceApp.database, 'authenticated') }),
    }),
    secondValues: async () => ({
      sender: await buildStranger(),
      text: 'M',
      seq: 1,
      room: await room({
        sender: await buildStranger(),
        receiver: await buildUser(resourceApp.database, 'authenticated'),
      }),
    }),
  },
  // The first account of the test ranks below all staff; the second one ranks as high as the highest staff.
  users: {
    read: { authenticated: 'neither', admin: 'first', owner: 'both' },
    create: { admin: 'both' },
    update: { authenticated: 'neither', admin: 'first', owner: 'both' },
    remove: { admin: 'first', owner: 'both' },
    secondValues: async () => ({ role: await buildRole(resourceApp.database, 'owner') }),
  },
  staff: {
    read: { admin: 'neither', 'super-admin': 'first', owner: 'both' },
    create: { 'super-admin': 'both' },
    update: { admin: 'neither', 'super-admin': 'first', owner: 'both' },
    remove: { admin: 'neither', 'super-admin': 'first', owner: 'both' },
    firstValues: async () => ({ role: await buildRole(resourceApp.database, 'admin') }),
    secondValues: async () => ({ role: await buildRole(resourceApp.database, 'owner') }),
  },
}
const rightsOf = ({ name }: Resource): Rights => rights[name] ?? listedRights

/** Routes whose bodies and answers other tests cover. */
const excludedNames: ReadonlySet<string> = new Set([
  'insert_excel create',
  'chatmessages create',
  // Staff read a chat message of somebody else, so a change of it is 403, not 404 (contract §11).
  'chatmessages update',
  'statistics create',
  'statistics update',
  'statistics remove',
])

function accessOf(resource: Resource, operation: OperationName, asker: Asker): ReachableRows | undefined {
  const row = rightsOf(resource)[operation === 'list' || operation === 'get' ? 'read' : operation]
  for (let index = askers.indexOf(asker); index >= 0; index -= 1) {
    const askerId = askers[index]
    const access = askerId && row?.[askerId]
    if (access) return access
  }
  return undefined
}

const ids = new Map<Asker, number>()
const headers = new Map<Asker, Record<string, string>>()
async function signInAllRoles() {
  if (headers.size > 0) return
  ids.set(
    'consultant',
    await buildUser(resourceApp.database, 'authenticated', { username: 'consultant', is_consultant: true }),
  )
  for (const asker of askers) {
    ids.set(asker, ids.get(asker) ?? resourceApp.people[asker] ?? 0)
    headers.set(asker, asker === 'public' ? {} : { authorization: `Bearer ${await tokenOf(resourceApp.app, asker)}` })
  }
}

/** The smallest draft of a row that the caller may create. */
const buildDraft = async (resource: Resource, asker: Asker) => ({
  ...(await leastDraft(resourceApp.database, resource, targets)),
  ...(await rightsOf(resource).firstValues?.(ids.get(asker) || (await buildStranger()))),
})

async function makeRow(resource: Resource, asker: Asker, rowChoice: 'first' | 'second'): Promise<number> {
  const { firstValues, secondValues } = rightsOf(resource)
  if (resource.name === 'uploads') {
    return buildUpload(
      resourceApp.database,
      rowChoice === 'first' ? await firstValues?.(ids.get(asker) || (await buildStranger())) : await secondValues?.(),
    )
  }
  if (resource.name === 'roles') return buildRole(resourceApp.database, 'authenticated')
  if (resource.name === 'audit') return buildAuditLine(resourceApp.database)
  await emptyTypes(resource)
  const draft =
    rowChoice === 'first'
      ? await buildDraft(resource, asker)
      : { ...(await leastDraft(resourceApp.database, resource, targets)), ...(await secondValues?.()) }
  const id = await buildRecord(resourceApp.database, resource.storedAs ?? resource.name, draft)
  if (resource.publishedCopies)
    await publishCourseOf(resourceApp.database, resource.name === 'courses' ? id : Number(draft.course))
  return id
}

/**
 * Empties the list of trading post types, which has as many rows as codes, before one is created; their posts
 * are deleted too.
 */
async function emptyTypes(resource: Resource) {
  if (resource.name !== 'tradingposttypes') return
  await resourceApp.database.query(sql`delete from tradinposts`)
  await resourceApp.database.query(sql`delete from tradingposttypes`)
  for (const name of sharedRecords.keys()) if (name.startsWith(resource.name)) sharedRecords.delete(name)
}

/** A row of the access table's test that several combinations read and none deletes. */
function pickRow(resource: Resource, asker: Asker, rowChoice: 'first' | 'second') {
  // Callers share a row whose values do not depend on the caller.
  const isOwnRow = rowChoice === 'first' && (rightsOf(resource).firstValues?.length ?? 0) > 0
  return buildOnceNamed(`${resource.name} ${isOwnRow ? asker : ''} ${rowChoice}`, () =>
    makeRow(resource, asker, rowChoice),
  )
}

async function sendRequest(
  asker: Asker,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: Record<string, unknown>,
) {
  const answer = await resourceApp.app.inject({
    method,
    url: `/api${url}`,
    headers: headers.get(asker) ?? {},
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

/** Expected refusals by status, which contain nothing of the record. */
const refusals: Readonly<Record<number, unknown>> = {
  401: toErrorBody(fault('auth.unauthorized')),
  403: toErrorBody(fault('access.denied')),
}

/** The status that the table requires for a row that the operation reaches or does not reach. */
function statusOf(resource: Resource, operation: OperationName, asker: Asker, rowChoice: 'first' | 'second'): number {
  if (asker === 'public') return 401
  const access = accessOf(resource, operation, asker)
  if (resource.fixedRows && (operation === 'create' || operation === 'remove')) {
    return accessOf(resource, 'list', asker) ? 422 : 403
  }
  if (!access) return 403
  if (operation === 'create') return resource.unwrapped ? 201 : 200
  const isWithin = access === 'both' || (access === 'first' && rowChoice === 'first')
  return isWithin || operation === 'list' ? 200 : 404
}

const collections = Object.values<Resource>(resources).filter(({ single }) => !single)
const cells = collections.flatMap((resource) =>
  operationNames
    .filter((operation) => !excludedNames.has(`${resource.name} ${operation}`))
    .flatMap((operation) =>
      askers.flatMap((asker) =>
        (['first', 'second'] as const).map(
          (rowChoice) => [resource.name, operation, asker, rowChoice, resource] as const,
        ),
      ),
    ),
)

interface CellOutcome {
  status: number
  body: unknown
  /** Number of rows in a list, or of a deleted record. */
  remainingRows?: number
}

/** Runs one combination of the access table. */
async function tryCell(
  resource: Resource,
  operation: OperationName,
  asker: Asker,
  ordinal: 'first' | 'second',
  expected: number,
): Promise<CellOutcome> {
  const url = `/${resource.wire}`
  if (operation === 'create') {
    const draft = expected < 400 ? await buildDraft(resource, asker) : {}
    await emptyTypes(resource)
    return sendRequest(asker, 'POST', url, resource.unwrapped ? draft : { data: draft })
  }
  // A row that the test of the access table really deletes is created for one combination only.
  const isTaken = operation === 'remove' && expected === 200
  const id = await (isTaken ? makeRow : pickRow)(resource, asker, ordinal)
  if (operation === 'list') {
    const answer = await sendRequest(asker, 'GET', `${url}?filters[id]=${id}&locale=all`)
    return { ...answer, ...(answer.status === 200 && { remainingRows: countOf(answer.body) }) }
  }
  const method = ({ get: 'GET', update: 'PUT', remove: 'DELETE' } as const)[operation]
  const body = operation === 'update' ? (resource.unwrapped ? {} : { data: {} }) : undefined
  const answer = await sendRequest(asker, method, `${url}/${id}`, body)
  if (!isTaken) return answer
  const { status } = await sendRequest('owner', 'GET', `${url}/${id}`)
  return { ...answer, remainingRows: status === 404 ? 0 : 1 }
}

/** The expected number of rows in a list; none after a deletion. */
function countRowsLeft(
  resource: Resource,
  operation: OperationName,
  asker: Asker,
  ordinal: 'first' | 'second',
  expected: number,
): number | undefined {
  if (expected !== 200) return undefined
  if (operation === 'remove') return 0
  if (operation !== 'list') return undefined
  const access = accessOf(resource, operation, asker)
  return access === 'both' || (access === 'first' && ordinal === 'first') ? 1 : 0
}

describe('every resource, operation, role and row (contract §14)', () => {
  it('covers at least 2,000 combinations of resource, operation, role and row', () => {
    expect(cells.length).toBeGreaterThanOrEqual(2_000)
  })
  describe.each(collections.map((resource) => [resource.name, resource] as const))('%s', (name) => {
    it.each(cells.filter(([resourceName]) => resourceName === name))(
      'allows or refuses on %s the operation %s by %s on the %s row',
      async (_name, operation, asker, rowChoice, resource) => {
        await signInAllRoles()
        const expectedStatus = statusOf(resource, operation, asker, rowChoice)
        const { remainingRows, ...answer } = await tryCell(resource, operation, asker, rowChoice, expectedStatus)
        expect(answer).toEqual({ status: expectedStatus, body: refusals[expectedStatus] ?? answer.body })
        expect(remainingRows).toBe(countRowsLeft(resource, operation, asker, rowChoice, expectedStatus))
      },
    )
  })
  it.each(operationNames.flatMap((operation) => askers.map((asker) => [operation, asker] as const)))(
    'allows or refuses on the single page the operation %s by %s',
    async (operation, asker) => {
      await signInAllRoles()
      await resourceApp.ask('PUT', '/about', { data: { title: 'A' } })
      const method = ({ list: 'GET', get: 'GET', create: 'PUT', update: 'PUT', remove: 'DELETE' } as const)[operation]
      const isRead = method === 'GET'
      const isAllowed = isRead ? asker !== 'public' : ['admin', 'super-admin', 'owner'].includes(asker)
      const { status } = await sendRequest(asker, method, '/about', method === 'PUT' ? { data: {} } : undefined)
      expect(status).toBe(isAllowed ? 200 : asker === 'public' ? 401 : 403)
    },
  )
})

/** Counts the rows of a list: wrapped, flat in `results`, or a bare array. */
function countOf(body: unknown): number {
  if (Array.isArray(body)) return body.length
  const { data, results } = body as { data?: unknown[]; results?: unknown[] }
  return (data ?? results ?? []).length
}

const ask: ResourceApp['ask'] = (...call) => resourceApp.ask(...call)

describe('bounded visibility', () => {
  it('hides staff above the caller in list, record, count and filter', async () => {
    const { owner, admin } = resourceApp.people
    expect((await ask('GET', `/users/${owner}`)).status).toBe(404)
    expect((await ask('GET', `/users/${admin}`)).status).toBe(200)
    expect((await ask('GET', `/users?filters[id]=${owner}`)).body).toEqual([])
    expect((await ask('GET', `/users?filters[$or][0][id]=${owner}&filters[$or][1][id]=${admin}`)).body).toHaveLength(1)
    const count = async (role: RoleType) => Number((await ask('GET', '/users/count', undefined, role)).body)
    expect(await count('owner')).toBeGreaterThan(await count('admin'))
  })
  it('shows a signed-in user only their own card and those of consultants', async () => {
    const { authenticated, admin } = resourceApp.people
    const { body } = await ask(
      'GET',
      `/users?filters[id][$in][0]=${authenticated}&filters[id][$in][1]=${admin}`,
      undefined,
      'authenticated',
    )
    expect(body).toMatchObject([{ id: authenticated, username: 'authenticated' }])
    expect(body).not.toMatchObject([{ email: expect.anything() as unknown }])
    expect((await ask('GET', `/users/${admin}`, undefined, 'authenticated')).status).toBe(404)
    expect((await ask('GET', '/users?filters[email]=x', undefined, 'authenticated')).status).toBe(400)
  })
  it('shows every user all fields of their own account', async () => {
    const { body } = await ask('GET', '/users/me?populate=role', undefined, 'authenticated')
    expect(body).toMatchObject({ email: 'authenticated@example.org' })
    expect(body).not.toHaveProperty('password')
  })
  it('hides inactive records from readers, also in counts', async () => {
    await ask('POST', '/faqs', { data: { question: 'hidden', answer: 'A', active: false } })
    const total = (role: RoleType) =>
      ask('GET', '/faqs?filters[question]=hidden', undefined, role).then(({ body }) => body)
    expect(await total('authenticated')).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
    expect(await total('admin')).toMatchObject({ meta: { pagination: { total: 1 } } })
  })
})
