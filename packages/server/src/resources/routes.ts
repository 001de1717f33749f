/**
 * The generic routes: every declared resource gets its list, record, writes and translations (contract §4,
 * §8, §9).
 */
import {
  type Caller,
  Fault,
  fault,
  localeIds,
  localeNames,
  type Locale,
  locales,
  maxInteger,
  defaultLocale,
  type OperationName,
  type Resource,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Queries } from '../db/database.ts'
import { queryTextOf } from '../http/query-string.ts'
import { streamedBodyOf } from '../http/streamed-bodies.ts'
import { resources, type View } from './attributes.ts'
import { enterFeature } from './feature-routes.ts'
import { CheckedReads } from './read/checked-reads.ts'
import { answerFirst } from './write/idempotency.ts'
import { isObject } from './read/context.ts'
import { firstRows, parseList, parseOne, type QueryTree, readPagination } from './read/parse-query.ts'
import {
  flatten,
  readList,
  readListBody,
  readOne,
  readOneBody,
  readTotal,
  type Runner,
  type Totals,
} from './read/read.ts'
import type { FlatEntry } from './read/read-rows.ts'
import type { ReceiveFiles } from './write/receive-files.ts'
import { removeEntry } from './write/remove.ts'
import { hasTrash, restoreEntry } from './write/restore.ts'
import {
  addTranslation,
  createEntry,
  localeOfDraft,
  updateEntry,
  type WriteContext,
  withDeadlockRetry,
} from './write/write.ts'
import { type EntryWriters, entryWriters } from './write/writers.ts'

export interface ResourceRoutes {
  database: Database
  totals: Totals
  /** Returns the caller of a request; throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
  /** Returns the signed-in user, regardless of the role they view as; throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
  /** Writes of resources that a feature implements instead of the generic ones, by resource. */
  writers?: Readonly<Partial<Record<string, EntryWriters>>>
  /** Reads the values of a record and its pictures from one request. */
  receiveFiles: ReceiveFiles
}

type Draft = Record<string, unknown>

/**
 * A wire id of a path, by its name there; anything but a positive 32-bit integer does not exist (contract
 * §1).
 */
export function idOf(request: FastifyRequest, name = 'id'): number {
  const id = isObject(request.params) ? request.params[name] : undefined
  if (typeof id !== 'string' || !/^\d{1,10}$/.test(id)) throw fault('record.not-found')
  const number = Number(id)
  if (number < 1 || number > maxInteger) throw fault('record.not-found')
  return number
}

const queryOf = (request: FastifyRequest): QueryTree => (isObject(request.query) ? request.query : {})

/** The inner body: `data`, or the body itself for flat resources and translations (contract §3, §8). */
function draftOf(request: FastifyRequest, wrapped: boolean): Draft {
  const { body } = request
  const inner = isObject(body) && (wrapped || isObject(body.data)) ? body.data : body
  if (!isObject(inner)) throw fault('request.data-missing')
  return inner
}

/** Tells whether a request is a multipart form with a record and its pictures (contract §4). */
const hasParts = (request: FastifyRequest): boolean => streamedBodyOf(request) === 'parts'

/** Registers the routes of every resource of the registry below `/api`. */
export function registerResources(app: FastifyInstance, options: ResourceRoutes): void {
  const routes = { ...options, reads: new CheckedReads() }
  app.get('/api/i18n/locales', () => presentLocales())
  for (const resource of Object.values(resources)) {
    if (resource.single) registerSingle(app, resource, routes)
    else registerCollection(app, resource, routes)
  }
  for (const resource of Object.values(resources)) {
    if (resource.unwrapped) registerFlatLists(app, resource, routes)
    if (resource.flatPath !== undefined) registerFlatCopy(app, resource, resource.flatPath, routes)
  }
}

/** Prepares the handler of a route: the caller, what they may see or change, and the form of the answer. */
async function enter(resource: Resource, operation: OperationName, request: FastifyRequest, routes: ResourceRoutes) {
  const { author, ...entered } = await enterFeature(routes, resource, operation, request)
  return { ...entered, context: { database: routes.database, author, view: entered.view } satisfies WriteContext }
}

const missing = (resource: Resource) => fault(resource.notFound ?? 'record.not-found')

/** Answers with JSON that was built row by row, without objects in between (decision 5). */
const sendJson = (reply: FastifyReply, body: Buffer) => reply.type('application/json; charset=utf-8').send(body)

/** Reads a record as the bytes of an answer: with the envelope for wrapped resources, flat for the others. */
async function presentBody(resource: Resource, id: number, caller: Caller, query: QueryTree, runner: Runner) {
  const body = await readOneBody(runner, parseOne(query, resource, caller, {}, id), resource.unwrapped === true)
  if (!body) throw missing(resource)
  return body
}

/** Reads a record for an answer: with the envelope for wrapped resources, flat for the others. */
async function present(resource: Resource, id: number, caller: Caller, view: View, query: QueryTree, runner: Runner) {
  const entry = await readOne(runner, parseOne(query, resource, caller, view, id))
  if (!entry) throw missing(resource)
  return resource.unwrapped ? entry : { data: entry, meta: {} }
}

/** Registers a route unless a feature has registered the same one. */
function routeUnlessThere(app: FastifyInstance): typeof app.route {
  return (options) => {
    const [method] = Array.isArray(options.method) ? options.method : [options.method]
    return method && app.hasRoute({ method, url: options.url }) ? app : app.route(options)
  }
}

function registerCollection(
  app: FastifyInstance,
  resource: Resource,
  routes: ResourceRoutes & { reads: CheckedReads },
): void {
  const { database, totals, reads } = routes
  const writers = routes.writers?.[resource.name] ?? entryWriters
  // Generic writes end with their statement; writes of a feature may continue after it.
  const sends = writers === entryWriters ? ({ sendsWrite: true } as const) : {}
  const base = `/api/${resource.wire}`
  const wrapped = !resource.unwrapped
  const add = routeUnlessThere(app)
  // Bodies of flat resources have no part `data` (contract §3).
  const bodies = wrapped ? (['parts'] as const) : []

  if (wrapped) {
    add({
      method: 'GET',
      url: base,
      handler: async (request, reply) => {
        const { caller, view, query } = await enter(resource, 'list', request, routes)
        const text = queryTextOf(request.raw.url ?? '')
        const read = reads.list(resource, caller, text, () => parseList(query, resource, caller, view))
        return sendJson(reply, await readListBody(database, totals, read))
      },
    })
  }

  add({
    method: 'GET',
    url: `${base}/:id`,
    handler: async (request, reply) => {
      const { caller, view, query } = await enter(resource, 'get', request, routes)
      const check = (id: number) => parseOne(query, resource, caller, view, id)
      const read = reads.one(resource, caller, queryTextOf(request.raw.url ?? ''), idOf(request), check)
      const body = await readOneBody(database, read, !wrapped)
      if (!body) throw missing(resource)
      return sendJson(reply, body)
    },
  })

  add({
    method: 'POST',
    url: base,
    config: { bodies },
    handler: async (request, reply) => {
      if (resource.fixedRows) throw await fixedFault(resource, request, routes)
      const { caller, query, context } = await enter(resource, 'create', request, routes)
      const write = (draft: Draft, digest?: string) => {
        const locale = resource.localized ? localeOfDraft(draft, query.locale) : undefined
        if (!wrapped) reply.status(201)
        return answerFirst(
          { database, caller, request, reply },
          (trx) => writers.create({ ...context, ...sends, trx }, resource, draft, locale),
          // A new account is returned with its role (contract §3).
          (id, trx) => present(resource, id, caller, {}, wrapped ? query : { populate: 'role', ...query }, trx),
          digest,
        )
      }
      if (hasParts(request)) return routes.receiveFiles(request, context.author, resource, write)
      const { answer } = await write(draftOf(request, wrapped))
      return answer
    },
  })

  add({
    method: 'PUT',
    url: `${base}/:id`,
    config: { bodies },
    handler: async (request, reply) => {
      const { caller, query, context } = await enter(resource, 'update', request, routes)
      const id = idOf(request)
      const write = (draft: Draft) =>
        withDeadlockRetry(
          database,
          (trx) => writers.update({ ...context, ...sends, trx }, resource, id, draft),
          (_, queries) => presentBody(resource, id, caller, query, queries),
        )
      if (!hasParts(request)) return sendJson(reply, await write(draftOf(request, wrapped)))
      return routes.receiveFiles(request, context.author, resource, async (draft) => ({
        answer: JSON.parse((await write(draft)).toString()) as unknown,
        isFirst: true,
      }))
    },
  })

  add({
    method: 'DELETE',
    url: `${base}/:id`,
    handler: async (request) => {
      if (resource.fixedRows) throw await fixedFault(resource, request, routes)
      const { caller, query, context } = await enter(resource, 'remove', request, routes)
      const id = idOf(request)
      return withDeadlockRetry(database, async (trx) => {
        const gone = await present(resource, id, caller, context.view, query, trx)
        await writers.remove({ ...context, trx }, resource, id, query.locale === 'all')
        return gone
      })
    },
  })

  if (hasTrash(resource)) {
    add({
      method: 'POST',
      url: `${base}/:id/restore`,
      handler: async (request, reply) => {
        const { caller, query, context } = await enter(resource, 'remove', request, routes)
        const id = idOf(request)
        const { answer } = await answerFirst(
          { database, caller, request, reply },
          (trx) => restoreEntry({ ...context, trx }, resource, id),
          (_, trx) => present(resource, id, caller, {}, query, trx),
        )
        return answer
      },
    })
  }
  if (resource.localized) registerTranslations(app, `${base}/:id/localizations`, resource, routes, idOf)
}

/** Makes the refusal to add or remove fixed rows, shown only to callers who may read them. */
async function fixedFault(resource: Resource, request: FastifyRequest, routes: ResourceRoutes) {
  await enter(resource, 'list', request, routes)
  return fault('record.fixed')
}

function registerTranslations(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  routes: ResourceRoutes,
  findMember: (request: FastifyRequest) => number | Promise<number>,
): void {
  routeUnlessThere(app)({
    method: 'POST',
    url: path,
    handler: async (request, reply) => {
      const { caller, context } = await enter(resource, 'update', request, routes)
      const draft = draftOf(request, false)
      const member = await findMember(request)
      const { answer } = await answerFirst(
        { database: routes.database, caller, request, reply },
        (trx) => addTranslation({ ...context, trx }, resource, member, draft),
        (id, trx) => presentTranslation(resource, id, caller, trx),
      )
      return answer
    },
  })
}

/** Returns a new translation flat, with the other languages of its record (contract §8). */
async function presentTranslation(resource: Resource, id: number, caller: Caller, trx: Queries) {
  const entry = await readOne(trx, parseOne({ populate: 'localizations' }, resource, caller, {}, id))
  if (!entry) throw fault('record.not-found')
  const { localizations, ...attributes } = flatten(entry)
  const family = isObject(localizations) && Array.isArray(localizations.data) ? localizations.data : []
  return { ...attributes, localizations: family.map((member: FlatEntry) => flatten(member)) }
}

/** Returns the requested language of a single page. */
function localeOfQuery(query: QueryTree): Locale {
  return localeOfDraft({}, query.locale)
}

const maxAttempts = 3

/**
 * Repeats a save that conflicts with another first save of the one record. The later one finds what the
 * earlier one created: at first the record, then perhaps the language.
 */
async function retryOnConflict<T>(save: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save()
    } catch (error) {
      const isConflict = error instanceof Fault && error.code === 'locale.used'
      if (!isConflict || attempt === maxAttempts) throw error
    }
  }
}

function registerSingle(app: FastifyInstance, resource: Resource, routes: ResourceRoutes): void {
  const { database, totals } = routes
  const base = `/api/${resource.wire}`

  /** Finds the single record in one language, or in any when the query names none. */
  const findEntry = async (caller: Caller, locale: Locale | 'all') => {
    const query = parseList({ locale, fields: ['locale'] }, resource, caller, {}, firstRows(1))
    const { entries } = await readList(database, totals, query)
    return entries[0]?.id
  }

  app.get(base, async (request) => {
    const { caller, view, query } = await enter(resource, 'get', request, routes)
    const { fields, populate } = query
    const read = parseList({ locale: localeOfQuery(query), fields, populate }, resource, caller, view, firstRows(1))
    const { entries } = await readList(database, totals, read)
    if (!entries[0]) throw fault('record.not-found')
    return { data: entries[0], meta: {} }
  })

  app.put(base, async (request) => {
    const { caller, query, context } = await enter(resource, 'update', request, routes)
    const locale = localeOfQuery(query)
    const draft = draftOf(request, true)
    const save = async () => {
      const id = await findEntry(caller, locale)
      if (id !== undefined) return updateEntry(context, resource, id, draft)
      const member = await findEntry(caller, 'all')
      return member === undefined
        ? createEntry(context, resource, draft, locale)
        : addTranslation(context, resource, member, { ...draft, locale })
    }
    const written = await retryOnConflict(save)
    return present(resource, written, caller, {}, query, database)
  })

  app.delete(base, async (request) => {
    const { caller, query, context } = await enter(resource, 'remove', request, routes)
    const all = query.locale === 'all'
    const id = await findEntry(caller, all ? 'all' : localeOfQuery(query))
    if (id === undefined) throw fault('record.not-found')
    return withDeadlockRetry(database, async (trx) => {
      const gone = await present(resource, id, caller, {}, query, trx)
      await removeEntry({ ...context, trx }, resource, id, all)
      return gone
    })
  })

  registerTranslations(app, `${base}/localizations`, resource, routes, async (request) => {
    const member = await findEntry(await routes.callerOf(request), 'all')
    if (member === undefined) throw fault('record.not-found')
    return member
  })
}

/** Maximum number of rows of a list that is sent whole. */
const wholeList = 1_000

/**
 * The forms that lists of flat records have, and the address at which a caller reads their own account
 * (contract §3).
 */
function registerFlatLists(app: FastifyInstance, resource: Resource, routes: ResourceRoutes): void {
  const { database, totals, signedIn } = routes
  const base = `/api/${resource.wire}`

  app.get(base, async (request) => {
    const { caller, view, query } = await enter(resource, 'list', request, routes)
    const paged = query.start !== undefined || query.limit !== undefined
    // The bare array of users ignores pages, because existing clients page themselves (contract §3).
    const pagination = paged
      ? readPagination({ start: query.start ?? '0', limit: query.limit ?? '15' })
      : firstRows(wholeList)
    const read = parseList(query, resource, caller, view, pagination)
    const { entries, pagination: shown, total } = await readList(database, totals, read)
    return paged ? { data: entries, count: total, meta: { pagination: shown } } : entries
  })

  app.get(`${base}/count`, async (request) => {
    const { caller, view, query } = await enter(resource, 'list', request, routes)
    const tree = { filters: query.filters, pagination: { limit: '1' } }
    return readTotal(database, totals, parseList(tree, resource, caller, view))
  })

  if (!resource.accounts) return
  // `me` ignores the access table and the role that a caller views as: all fields of their own account are
  // visible.
  app.get(`${base}/me`, async (request) => {
    const caller = await signedIn(request)
    return present(resource, caller.id, caller, {}, queryOf(request), database)
  })
}

/** The second address of a list, which has flat records and neither filters nor pages (contract §3). */
function registerFlatCopy(app: FastifyInstance, resource: Resource, path: string, routes: ResourceRoutes): void {
  const { database, totals } = routes
  const name = path.slice(path.lastIndexOf('/') + 1)
  app.get(`/api/${path}`, async (request) => {
    const { caller, view } = await enter(resource, 'list', request, routes)
    const read = parseList({}, resource, caller, view, firstRows(wholeList))
    const { entries } = await readList(database, totals, read)
    return { [name]: entries.map(flatten) }
  })
}

/** The languages with the ids of the spec (contract §8), created with the product. */
function presentLocales() {
  const createdAt = '2026-01-01T00:00:00.000Z'
  return locales
    .map((code) => ({
      id: localeIds[code],
      name: localeNames[code],
      code,
      isDefault: code === defaultLocale,
      createdAt,
      updatedAt: createdAt,
    }))
    .toSorted((a, b) => a.id - b.id)
}
