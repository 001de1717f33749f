/** Registers the inbox of the caller: events of the time when they were away, and how they reach the caller. */
import { type InboxNotice, rankOfRole } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { emitInboxChange } from '../../domain/delivery/notices.ts'
import type { DemoProgress } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { isObject } from '../../resources/read/context.ts'
import { pageSql } from '../../resources/read/pages.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { readChoices, storeChoices } from './choices.ts'

interface InboxRoutes extends FeatureRoutes {
  demoProgress?: (() => DemoProgress | undefined) | undefined
}

/**
 * Registers the routes of the inbox. Each user reads their own inbox only. Administrators receive the
 * progress of the demo content with it, because every page requests the inbox anyway.
 */
export function registerInbox(app: FastifyInstance, { database, callerOf, demoProgress }: InboxRoutes): void {
  addRoutes(app, async () => (await import('@dala/model/api/inbox')).inboxRoutes, {
    'GET /api/notices': async ({ request, query: keys }) => {
      const caller = await callerOf(request)
      const query = isObject(request.query) ? request.query : {}
      const { kind } = await keys()
      const pagination = readPagination(query.pagination)
      const kindCondition = kind === undefined ? sql`true` : sql`kind = ${kind}`
      const data = await database.query(sql<InboxNotice>`
        select id, kind, params, address, created_at as "createdAt", read_at as "readAt" from notices
         where user_id = ${caller.id} and in_inbox and ${kindCondition} order by id desc ${pageSql(pagination)}`)
      const [noticeCounts] = await database.query(sql<{ total: number; unread: number }>`
        select (count(*) filter (where ${kindCondition}))::int as total, count(*) filter (where read_at is null)::int as unread from notices
         where user_id = ${caller.id} and in_inbox`)
      const { total = 0, unread = 0 } = noticeCounts ?? {}
      const demo = rankOfRole(caller.role) >= rankOfRole('admin') ? demoProgress?.() : undefined
      return {
        data,
        meta: {
          pagination: presentPagination(pagination, pagination.withCount ? total : undefined),
          unread,
          ...(demo && { demo }),
        },
      }
    },
    'POST /api/notices/read': async ({ request, body }) => {
      const caller = await callerOf(request)
      const { all, ids } = (await body()).data
      const noticeCondition = all ? sql`true` : sql`id = any(${ids ?? []}::int[])`
      const markedNotices = await database.query(sql`
        update notices set read_at = now() where user_id = ${caller.id} and read_at is null and ${noticeCondition} returning id`)
      if (markedNotices.length > 0) emitInboxChange(database, [caller.id])
      return { ok: true }
    },
    'GET /api/notices/choices': async ({ request }) => ({ data: await readChoices(database, await callerOf(request)) }),
    'PUT /api/notices/choices': async ({ request, body }) => {
      const caller = await callerOf(request)
      const { kinds } = (await body()).data
      return { data: await database.transaction((trx) => storeChoices(trx, caller, kinds)) }
    },
  })
}
