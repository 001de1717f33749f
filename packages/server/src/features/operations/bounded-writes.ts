/** Limits writes: a budget for a time, and no writes below staff on a nearly full disk. */
import { statfs } from 'node:fs/promises'
import { type Caller, fault, rankOfRole } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { addressKey } from '../../domain/accounts/throttle.ts'
import { type WriteSpender, WriteBudget } from './write-budget.ts'
import type { Budget } from '../../settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Limit of a write. An `account` write signs in or protects an account: only the budget of the address
     * counts it, and a full disk does not refuse it. An `open` write needs no session: only the budget of the
     * address counts it.
     */
    writeBound?: 'account' | 'open'
  }
}

export interface BoundedWrites {
  database: Database
  /** Returns the signed-in user, or throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
  budgets: { person: Budget; staff: Budget; address: Budget }
  disk: {
    /** Folder on the disk whose free space is checked. */
    folder: string
    /** Bytes of free disk space that are reserved for staff. */
    reserveBytes: number
  }
}

const writingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Milliseconds for which a measured free disk space is reused. */
const diskCacheMilliseconds = 1_000

const isWriteRequest = ({ method, is404, routeOptions }: FastifyRequest): boolean =>
  !is404 && writingMethods.has(method) && routeOptions.url?.startsWith('/api/') === true

/**
 * Counts every write request below `/api` before its handler runs, and refuses those beyond the budget. GET
 * requests with `config.writes` and socket events are not counted: they leave no revision and no audit line,
 * and a read mark is one row per user and room.
 *
 * @param app - The application; the hook applies to every route that is registered later.
 * @param parts - The budgets, the database that counts, and the disk.
 */
export function registerBoundedWrites(
  app: FastifyInstance,
  { database, signedIn, budgets, disk }: BoundedWrites,
): void {
  const budget = new WriteBudget(database)
  const hasSpace = freeSpaceOf(disk)

  app.addHook('preHandler', async (request) => {
    if (!isWriteRequest(request)) return
    const { writeBound } = request.routeOptions.config
    // The route itself refuses a write without a session, which counts for its address.
    const caller = writeBound === undefined ? await signedIn(request).catch(() => undefined) : undefined
    const isStaff = caller !== undefined && rankOfRole(caller.role) >= rankOfRole('admin')
    if (!isStaff && writeBound !== 'account' && (caller || writeBound === 'open') && !(await hasSpace()))
      throw fault('server.disk-full')
    await budget.spend(findSpenders(request, caller, isStaff, budgets))
  })

  app.addHook('onClose', async () => {
    await budget.flush().catch((error: unknown) => app.log.warn({ err: error }, 'counts of writes were not stored'))
  })
}

/**
 * Returns the budgets that a request counts for. Staff are not limited by their address: farmers behind the
 * same address must not block them.
 */
function findSpenders(
  request: FastifyRequest,
  caller: Caller | undefined,
  isStaff: boolean,
  { person, staff, address }: BoundedWrites['budgets'],
): WriteSpender[] {
  if (caller && isStaff) return [{ name: `user:${caller.id}`, budget: staff }]
  const addressSpender = { name: addressKey(request.ip), budget: address }
  return caller ? [{ name: `user:${caller.id}`, budget: person }, addressSpender] : [addressSpender]
}

/**
 * Returns a check of whether the disk has more free space than its reserve, measured at most once a second.
 */
function freeSpaceOf({ folder, reserveBytes }: BoundedWrites['disk']): () => Promise<boolean> {
  let cachedAnswer: { at: number; answer: Promise<boolean> } | undefined
  const ask = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= reserveBytes
  }
  return () => {
    if (!cachedAnswer || performance.now() - cachedAnswer.at >= diskCacheMilliseconds)
      cachedAnswer = { at: performance.now(), answer: ask() }
    return cachedAnswer.answer
  }
}
