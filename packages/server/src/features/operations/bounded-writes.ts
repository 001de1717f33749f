/** Bounds what people change: so many writes in a time, and none below staff on a disk that is nearly full. */
import { statfs } from 'node:fs/promises'
import { type Caller, fault, rankOf } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { addressKey } from '../../domain/accounts/throttle.ts'
import { type Spender, WriteBudget } from './write-budget.ts'
import type { Budget } from '../../settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How a write is bounded. `account`: it signs in or keeps an account safe, so it counts for the address only, and
     * a full disk does not refuse it. `open`: it needs no session, so it counts for the address only.
     */
    bounded?: 'account' | 'open'
  }
}

export interface BoundedWrites {
  database: Database
  /** Who is signed in; throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
  budgets: { person: Budget; staff: Budget; address: Budget }
  disk: {
    /** A folder on the disk that is looked at. */
    folder: string
    /** Bytes that writes below staff leave free. */
    reserveBytes: number
  }
}

const writingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** How long an answer about the free space of the disk is used. */
const diskKnownFor = 1_000

const isWrite = ({ method, is404, routeOptions }: FastifyRequest): boolean =>
  !is404 && writingMethods.has(method) && routeOptions.url?.startsWith('/api/') === true

/**
 * Counts every request below `/api` that changes something, before its handler runs, and refuses those beyond the
 * budget. Reads that move a mark (`config.writes` on a GET) and socket events are not counted: they leave no revision
 * and no audit line, and a mark is one row for a person and a room.
 * @param app The application; the hook holds for every route that is registered later.
 * @param parts The budgets, the database that counts, and the disk.
 */
export function registerBoundedWrites(
  app: FastifyInstance,
  { database, signedIn, budgets, disk }: BoundedWrites,
): void {
  const budget = new WriteBudget(database)
  const hasSpace = freeSpaceOf(disk)

  app.addHook('preHandler', async (request) => {
    if (!isWrite(request)) return
    const { bounded } = request.routeOptions.config
    // A request without a session is refused by its route; here it counts for its address.
    const caller = bounded === undefined ? await signedIn(request).catch(() => undefined) : undefined
    const isStaff = caller !== undefined && rankOf(caller.role) >= rankOf('admin')
    if (!isStaff && bounded !== 'account' && (caller || bounded === 'open') && !(await hasSpace()))
      throw fault('server.disk-full')
    await budget.spend(spendersOf(request, caller, isStaff, budgets))
  })

  app.addHook('onClose', async () => {
    await budget.flush().catch((error: unknown) => app.log.warn({ err: error }, 'counts of writes were not stored'))
  })
}

/** Staff share offices, and no farmer behind the same address may keep them from working: they count for themselves. */
function spendersOf(
  request: FastifyRequest,
  caller: Caller | undefined,
  isStaff: boolean,
  { person, staff, address }: BoundedWrites['budgets'],
): Spender[] {
  if (caller && isStaff) return [{ name: `user:${caller.id}`, budget: staff }]
  const fromAddress = { name: addressKey(request.ip), budget: address }
  return caller ? [{ name: `user:${caller.id}`, budget: person }, fromAddress] : [fromAddress]
}

/** Whether the disk has more than its reserve, asked at most once a second. */
function freeSpaceOf({ folder, reserveBytes }: BoundedWrites['disk']): () => Promise<boolean> {
  let known: { at: number; answer: Promise<boolean> } | undefined
  const ask = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= reserveBytes
  }
  return () => {
    if (!known || Date.now() - known.at >= diskKnownFor) known = { at: Date.now(), answer: ask() }
    return known.answer
  }
}
