/**
 * The generic functions that routes of features need: the
 * caller, their rights, and the answer in its envelope.
 */
import { type Caller, fault, type OperationName, type Resource, type WireEntry } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { authoriseCaller } from './authorise.ts'
import type { Author } from './history/history.ts'
import { isObject } from './read/context.ts'
import { firstRows, parseList, parseSingleQuery, type QueryTree, readPagination } from './read/parse-query.ts'
import {
  isWrapped,
  type ListResult,
  readList,
  readSingleRecord,
  type Runner,
  type TotalsCache,
  wrapEntries,
} from './read/read.ts'
import type { FlatEntry } from './read/read-rows.ts'
import type { View } from './attributes.ts'

/** The dependencies of a feature with routes. */
export interface FeatureRoutes {
  database: Database
  totals: TotalsCache
  /** Returns the caller of a request; throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
}

export interface EnteredCall {
  caller: Caller
  author: Author
  view: View
  query: QueryTree
}

/**
 * Returns the caller of a request and their rights for a resource.
 *
 * @throws 401 and 403.
 */
export async function enterFeature(
  { callerOf }: Pick<FeatureRoutes, 'callerOf'>,
  resource: Resource,
  operation: OperationName,
  request: FastifyRequest,
): Promise<EnteredCall> {
  const caller = await callerOf(request)
  const view = authoriseCaller(resource, operation, caller)
  const author = { caller, address: request.ip, requestId: request.id }
  return { caller, author, view, query: isObject(request.query) ? request.query : {} }
}

/**
 * Reads a record in the form of its resource.
 *
 * @throws 404 outside the view.
 */
export async function readEntry(
  runner: Runner,
  resource: Resource,
  id: number,
  { caller, query }: EnteredCall,
  view: View = {},
): Promise<WireEntry | FlatEntry> {
  const entry = await readSingleRecord(runner, parseSingleQuery(query, resource, caller, view, id))
  if (!entry) throw fault('record.not-found')
  return entry
}

/**
 * Makes the API answer with one record in its envelope.
 *
 * @throws 404 outside the view.
 */
export async function presentEntry(
  runner: Runner,
  resource: Resource,
  id: number,
  enteredCall: EnteredCall,
  view: View = {},
): Promise<{ data: WireEntry; meta: Record<string, never> }> {
  const entry = await readEntry(runner, resource, id, enteredCall, view)
  if (!isWrapped(entry)) throw new Error(`Records of ${resource.name} have no envelope`)
  return { data: entry, meta: {} }
}

/**
 * Answers a list whose pages may also be requested by `start` and `limit`; `count` is then included (contract
 * §12).
 */
export async function listWithCount(
  { database, totals }: FeatureRoutes,
  resource: Resource,
  { caller, view, query }: EnteredCall,
): Promise<{ data: WireEntry[]; meta: { pagination: ListResult['pagination'] }; count?: number }> {
  const isPaged = query.start !== undefined || query.limit !== undefined
  const pagination = isPaged
    ? readPagination({ start: query.start ?? '0', limit: query.limit ?? '15' })
    : readPagination(query.pagination)
  const listQuery = parseList(query, resource, caller, view, pagination)
  const { entries, pagination: pageDetails, total } = await readList(database, totals, listQuery)
  return {
    data: wrapEntries(entries),
    meta: { pagination: pageDetails },
    ...(isPaged && total !== undefined && { count: total }),
  }
}

/**
 * Finds the id of the one record with a value in a field.
 *
 * @throws 404 when there is none.
 */
export async function findRecordBy(
  { database, totals }: FeatureRoutes,
  resource: Resource,
  { caller, view }: EnteredCall,
  field: string,
  value: string,
): Promise<number> {
  const listQuery = parseList(
    { locale: 'all', filters: { [field]: { $eq: value } }, fields: [field] },
    resource,
    caller,
    view,
    firstRows(1),
  )
  const { entries } = await readList(database, totals, listQuery)
  if (!entries[0]) throw fault('record.not-found')
  return entries[0].id
}
