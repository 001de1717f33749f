/** The inbox of who asks: what happened while he was elsewhere, newest first. */
import { maxInteger, rankOf } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { ActionBody } from '../../resources/action-body.ts'
import type { DemoProgress } from '../../domain/feature.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { pageSql } from '../../resources/read/pages.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'

/** Notices that one call may name. */
const maxNamed = 1_000

interface Notice {
  id: number
  kind: string
  params: Readonly<Record<string, unknown>>
  address: string | null
  createdAt: string
  readAt: string | null
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

interface InboxRoutes extends FeatureRoutes {
  demoProgress?: (() => DemoProgress | undefined) | undefined
}

/**
 * Registers the routes; everybody has his own inbox and no other. Who runs the service learns with it how far the demo
 * content is, because every page asks for the inbox anyway.
 */
export function registerInbox(app: FastifyInstance, { database, callerOf, demoProgress }: InboxRoutes): void {
  app.get('/api/notices', async (request) => {
    const caller = await callerOf(request)
    const query = isObject(request.query) ? request.query : {}
    const pagination = readPagination(query.pagination)
    const data = await database.query(sql<Notice>`
      select id, kind, params, address, created_at as "createdAt", read_at as "readAt" from notices
       where user_id = ${caller.id} order by id desc ${pageSql(pagination)}`)
    const [counted] = await database.query(sql<{ total: number; unread: number }>`
      select count(*)::int as total, count(*) filter (where read_at is null)::int as unread from notices
       where user_id = ${caller.id}`)
    const { total = 0, unread = 0 } = counted ?? {}
    const demo = rankOf(caller.role) >= rankOf('admin') ? demoProgress?.() : undefined
    return {
      data,
      meta: {
        pagination: presentPagination(pagination, pagination.withCount ? total : undefined),
        unread,
        ...(demo && { demo }),
      },
    }
  })

  app.post('/api/notices/read', async (request) => {
    const caller = await callerOf(request)
    const body = new ActionBody(request)
    const all = body.truth('all')
    const given = body.raw('ids')
    const ids = Array.isArray(given) ? given.filter(isId) : []
    if (!all && (!Array.isArray(given) || given.length === 0)) body.wrong('ids', 'validation.required')
    else if (Array.isArray(given) && ids.length < given.length) body.wrong('ids', 'validation.relation')
    if (ids.length > maxNamed) body.wrong('ids', 'validation.maxItems', { max: maxNamed })
    body.check()
    const which = all ? sql`true` : sql`id = any(${ids}::int[])`
    await database.query(sql`
      update notices set read_at = now() where user_id = ${caller.id} and read_at is null and ${which}`)
    return { ok: true }
  })
}
