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
import { createAnswer } from './write/idempotency.ts'
import { isObject } from './read/context.ts'
import { emitOpened } from './opened.ts'
import { firstRows, parseList, parseSingleQuery, type QueryTree, readPagination } from './read/parse-query.ts'
import {
  flattenEntry,
  readList,
  readListBody,
  readSingleRecord,
  readOneBody,
  readTotal,
  type Runner,
  type TotalsCache,
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
  totals: TotalsCache
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
function draftOf(request: FastifyRequest, hasWrapper: boolean): Draft {
  const { body } = request
  const innerBody = isObject(body) && (hasWrapper || isObject(body.data)) ? body.data : body
  if (!isObject(innerBody)) throw fault('request.data-missing')
  return innerBody
}

/** Tells whether a request is a multipart form with a record and its pictures (contract §4). */
const hasParts = (request: FastifyRequest): boolean => streamedBodyOf(request) === 'parts'

/** Registers the routes of every resource of the registry below `/api`. */
export function registerResources(app: FastifyInstance, options: ResourceRoutes): void {
  const routes = { ...options, reads: new CheckedReads() }
  app.get('/api/i18n/locales', () => presentLocales())
  for (const resource of Object.values(resources)) {
    if (resource.single) registerSingleType(app, resource, routes)
    else registerCollection(app, resource, routes)
  }
  for (const resource of Object.values(resources)) {
    if (resource.unwrapped) registerFlatLists(app, resource, routes)
    if (resource.flatPath !== undefined) registerFlatCopy(app, resource, resource.flatPath, routes)
  }
}

/** Prepares the handler of a route: the caller, what they may see or change, and the form of the answer. */
async function enterRoute(
  resource: Resource,
  operation: OperationName,
  request: FastifyRequest,
  routes: ResourceRoutes,
) {
  const { author, ...entryDetails } = await enterFeature(routes, resource, operation, request)
  return {
    ...entryDetails,
    context: { database: routes.database, author, view: entryDetails.view } satisfies WriteContext,
  }
}

const missingFault = (resource: Resource) => fault(resource.notFound ?? 'record.not-found')

/** Answers with JSON that was built row by row, without objects in between (decision 5). */
const sendJson = (reply: FastifyReply, body: Buffer) => reply.type('application/json; charset=utf-8').send(body)

/** Reads a record as the bytes of an answer: with the envelope for wrapped resources, flat for the others. */
async function presentBody(resource: Resource, id: number, caller: Caller, query: QueryTree, runner: Runner) {
  const body = await readOneBody(runner, parseSingleQuery(query, resource, caller, {}, id), resource.unwrapped === true)
  if (!body) throw missingFault(resource)
  return body
}

/** Reads a record for an answer: with the envelope for wrapped resources, flat for the others. */
async function presentRecord(
  resource: Resource,
  id: number,
  caller: Caller,
  view: View,
  query: QueryTree,
  runner: Runner,
) {
  const entry = await readSingleRecord(runner, parseSingleQuery(query, resource, caller, view, id))
  if (!entry) throw missingFault(resource)
  return resource.unwrapped ? entry : { data: entry, meta: {} }
}

/** Registers a route unless a feature has registered the same one. */
function routeUnlessRegistered(app: FastifyInstance): typeof app.route {
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
  const sendOptions = writers === entryWriters ? ({ mustSendWrite: true } as const) : {}
  const basePath = `/api/${resource.wire}`
  const isWrapped = !resource.unwrapped
  const add = routeUnlessRegistered(app)
  // Bodies of flat resources have no part `data` (contract §3).
  const bodies = isWrapped ? (['parts'] as const) : []

  if (isWrapped) {
    add({
      method: 'GET',
      url: basePath,
      handler: async (request, reply) => {
        const { caller, view, query } = await enterRoute(resource, 'list', request, routes)
        const text = queryTextOf(request.raw.url ?? '')
        const listQuery = reads.list(resource, caller, text, () => parseList(query, resource, caller, view))
        return sendJson(reply, await readListBody(database, totals, listQuery))
      },
    })
  }

  add({
    method: 'GET',
    url: `${basePath}/:id`,
    handler: async (request, reply) => {
      const { caller, view, query } = await enterRoute(resource, 'get', request, routes)
      const checkQuery = (id: number) => parseSingleQuery(query, resource, caller, view, id)
      const entryQuery = reads.one(resource, caller, queryTextOf(request.raw.url ?? ''), idOf(request), checkQuery)
      const body = await readOneBody(database, entryQuery, !isWrapped)
      if (!body) throw missingFault(resource)
      if (request.method === 'GET') emitOpened(database, { resource: resource.name, id: idOf(request), caller })
      return sendJson(reply, body)
    },
  })

  add({
    method: 'POST',
    url: basePath,
    config: { bodies },
    handler: async (request, reply) => {
      if (resource.fixedRows) throw await fixedFault(resource, request, routes)
      const { caller, query, context } = await enterRoute(resource, 'create', request, routes)
      const writeDraft = (draft: Draft, digest?: string) => {
        const locale = resource.localized ? localeOfDraft(draft, query.locale) : undefined
        if (!isWrapped) reply.status(201)
        return createAnswer(
          { database, caller, request, reply },
          (trx) => writers.create({ ...context, ...sendOptions, trx }, resource, draft, locale),
          // A new account is returned with its role (contract §3).
          (id, trx) => presentRecord(resource, id, caller, {}, isWrapped ? query : { populate: 'role', ...query }, trx),
          digest,
        )
      }
      if (hasParts(request)) return routes.receiveFiles(request, context.author, resource, writeDraft)
      const { answer } = await writeDraft(draftOf(request, isWrapped))
      return answer
    },
  })

  add({
    method: 'PUT',
    url: `${basePath}/:id`,
    config: { bodies },
    handler: async (request, reply) => {
      const { caller, query, context } = await enterRoute(resource, 'update', request, routes)
      const id = idOf(request)
      const writeDraft = (draft: Draft) =>
        withDeadlockRetry(
          database,
          (trx) => writers.update({ ...context, ...sendOptions, trx }, resource, id, draft),
          (_, queries) => presentBody(resource, id, caller, query, queries),
        )
      if (!hasParts(request)) return sendJson(reply, await writeDraft(draftOf(request, isWrapped)))
      return routes.receiveFiles(request, context.author, resource, async (draft) => ({
        answer: JSON.parse((await writeDraft(draft)).toString()) as unknown,
        isFirst: true,
      }))
    },
  })

  add({
    method: 'DELETE',
    url: `${basePath}/:id`,
    handler: async (request) => {
      if (resource.fixedRows) throw await fixedFault(resource, request, routes)
      const { caller, query, context } = await enterRoute(resource, 'remove', request, routes)
      const id = idOf(request)
      return withDeadlockRetry(database, async (trx) => {
        const deletedEntry = await presentRecord(resource, id, caller, context.view, query, trx)
        await writers.remove({ ...context, trx }, resource, id, query.locale === 'all')
        return deletedEntry
      })
    },
  })

  if (hasTrash(resource)) {
    add({
      method: 'POST',
      url: `${basePath}/:id/restore`,
      handler: async (request, reply) => {
        const { caller, query, context } = await enterRoute(resource, 'remove', request, routes)
        const id = idOf(request)
        const { answer } = await createAnswer(
          { database, caller, request, reply },
          (trx) => restoreEntry({ ...context, trx }, resource, id),
          (_, trx) => presentRecord(resource, id, caller, {}, query, trx),
        )
        return answer
      },
    })
  }
  if (resource.localized) registerTranslations(app, `${basePath}/:id/localizations`, resource, routes, idOf)
}

/** Makes the refusal to add or remove fixed rows, shown only to callers who may read them. */
async function fixedFault(resource: Resource, request: FastifyRequest, routes: ResourceRoutes) {
  await enterRoute(resource, 'list', request, routes)
  return fault('record.fixed')
}

function registerTranslations(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  routes: ResourceRoutes,
  findMember: (request: FastifyRequest) => number | Promise<number>,
): void {
  routeUnlessRegistered(app)({
    method: 'POST',
    url: path,
    handler: async (request, reply) => {
      const { caller, context } = await enterRoute(resource, 'update', request, routes)
      const draft = draftOf(request, false)
      const member = await findMember(request)
      const { answer } = await createAnswer(
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
  const entry = await readSingleRecord(trx, parseSingleQuery({ populate: 'localizations' }, resource, caller, {}, id))
  if (!entry) throw fault('record.not-found')
  const { localizations, ...attributes } = flattenEntry(entry)
  const family = isObject(localizations) && Array.isArray(localizations.data) ? localizations.data : []
  return { ...attributes, localizations: family.map((member: FlatEntry) => flattenEntry(member)) }
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

function registerSingleType(app: FastifyInstance, resource: Resource, routes: ResourceRoutes): void {
  const { database, totals } = routes
  const basePath = `/api/${resource.wire}`

  /** Finds the single record in one language, or in any when the query names none. */
  const findEntry = async (caller: Caller, locale: Locale | 'all') => {
    const query = parseList({ locale, fields: ['locale'] }, resource, caller, {}, firstRows(1))
    const { entries } = await readList(database, totals, query)
    return entries[0]?.id
  }

  app.get(basePath, async (request) => {
    const { caller, view, query } = await enterRoute(resource, 'get', request, routes)
    const { fields, populate } = query
    const listQuery = parseList(
      { locale: localeOfQuery(query), fields, populate },
      resource,
      caller,
      view,
      firstRows(1),
    )
    const { entries } = await readList(database, totals, listQuery)
    if (!entries[0]) throw fault('record.not-found')
    return { data: entries[0], meta: {} }
  })

  app.put(basePath, async (request) => {
    const { caller, query, context } = await enterRoute(resource, 'update', request, routes)
    const locale = localeOfQuery(query)
    const draft = draftOf(request, true)
    const saveDraft = async () => {
      const id = await findEntry(caller, locale)
      if (id !== undefined) return updateEntry(context, resource, id, draft)
      const member = await findEntry(caller, 'all')
      return member === undefined
        ? createEntry(context, resource, draft, locale)
        : addTranslation(context, resource, member, { ...draft, locale })
    }
    const writtenEntry = await retryOnConflict(saveDraft)
    return presentRecord(resource, writtenEntry, caller, {}, query, database)
  })

  app.delete(basePath, async (request) => {
    const { caller, query, context } = await enterRoute(resource, 'remove', request, routes)
    const includesAllLanguages = query.locale === 'all'
    const id = await findEntry(caller, includesAllLanguages ? 'all' : localeOfQuery(query))
    if (id === undefined) throw fault('record.not-found')
    return withDeadlockRetry(database, async (trx) => {
      const deletedEntry = await presentRecord(resource, id, caller, {}, query, trx)
      await removeEntry({ ...context, trx }, resource, id, includesAllLanguages)
      return deletedEntry
    })
  })

  registerTranslations(app, `${basePath}/localizations`, resource, routes, async (request) => {
    const member = await findEntry(await routes.callerOf(request), 'all')
    if (member === undefined) throw fault('record.not-found')
    return member
  })
}

/** Maximum number of rows of a list that is sent whole. */
const maxWholeList = 1_000

/**
 * The forms that lists of flat records have, and the address at which a caller reads their own account
 * (contract §3).
 */
function registerFlatLists(app: FastifyInstance, resource: Resource, routes: ResourceRoutes): void {
  const { database, totals, signedIn } = routes
  const basePath = `/api/${resource.wire}`

  app.get(basePath, async (request) => {
    const { caller, view, query } = await enterRoute(resource, 'list', request, routes)
    const isPaged = query.start !== undefined || query.limit !== undefined
    // The bare array of users ignores pages, because existing clients page themselves (contract §3).
    const pagination = isPaged
      ? readPagination({ start: query.start ?? '0', limit: query.limit ?? '15' })
      : firstRows(maxWholeList)
    const listQuery = parseList(query, resource, caller, view, pagination)
    const { entries, pagination: pageDetails, total } = await readList(database, totals, listQuery)
    return isPaged ? { data: entries, count: total, meta: { pagination: pageDetails } } : entries
  })

  app.get(`${basePath}/count`, async (request) => {
    const { caller, view, query } = await enterRoute(resource, 'list', request, routes)
    const tree = { filters: query.filters, pagination: { limit: '1' } }
    return readTotal(database, totals, parseList(tree, resource, caller, view))
  })

  if (!resource.accounts) return
  // `me` ignores the access table and the role that a caller views as: all fields of their own account are
  // visible.
  app.get(`${basePath}/me`, async (request) => {
    const caller = await signedIn(request)
    return presentRecord(resource, caller.id, caller, {}, queryOf(request), database)
  })
}

/** The second address of a list, which has flat records and neither filters nor pages (contract §3). */
function registerFlatCopy(app: FastifyInstance, resource: Resource, path: string, routes: ResourceRoutes): void {
  const { database, totals } = routes
  const name = path.slice(path.lastIndexOf('/') + 1)
  app.get(`/api/${path}`, async (request) => {
    const { caller, view } = await enterRoute(resource, 'list', request, routes)
    const listQuery = parseList({}, resource, caller, view, firstRows(maxWholeList))
    const { entries } = await readList(database, totals, listQuery)
    return { [name]: entries.map(flattenEntry) }
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
