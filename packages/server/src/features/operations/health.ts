/** Reports whether the process is alive and ready, for monitoring (checklist §11). */
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { isMigrated } from '../../db/migrate.ts'
import { minFreeBytes } from '../../domain/operations/limits.ts'
import { addRoutes } from '../../http/contract-routes.ts'

const cacheMilliseconds = 1_000

export interface Readiness {
  database: Database
  /** Number of the newest migration of this program. */
  lastMigration: number
  dataDir: string
  /** Whether the server is shutting down. */
  isDraining: () => boolean
}

async function isReady({ database, lastMigration, dataDir }: Readiness): Promise<boolean> {
  try {
    const [isCurrent, { bavail, bsize }] = await Promise.all([isMigrated(database, lastMigration), statfs(dataDir)])
    return isCurrent && bavail * bsize >= minFreeBytes
  } catch {
    return false
  }
}

/**
 * Registers GET /health (the process) and GET /ready (database, migrations and disk, checked at most once a
 * second).
 */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  let lastCheck = { at: Number.NEGATIVE_INFINITY, ready: Promise.resolve(false) }

  addRoutes(app, async () => (await import('@dala/model/api/operations')).healthRoutes, {
    'GET /health': async ({ reply }) => {
      reply.header('cache-control', 'no-store')
      return { status: 'ok' as const }
    },
    'GET /ready': async ({ reply }) => {
      const now = performance.now()
      if (now - lastCheck.at > cacheMilliseconds) lastCheck = { at: now, ready: isReady(readiness) }
      const status = readiness.isDraining() ? 'draining' : (await lastCheck.ready) ? 'ready' : 'unavailable'
      reply.status(status === 'ready' ? 200 : 503).header('cache-control', 'no-store')
      return { status }
    },
  })
}
