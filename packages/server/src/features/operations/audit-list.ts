/** Shows the audit to administrators, newest first (contract §14, checklist §10). */
import { type Caller, fault, maxInteger, pageCountOf, rankOf } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { badParameter, isObject } from '../../resources/parse-filters.ts'
import { readPagination } from '../../resources/parse-query.ts'
import { readText } from '../../resources/query-values.ts'

export interface AuditRoutes {
  database: Database
  /** The caller of a request; throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
}

interface Line {
  id: number
  action: string
  user: { id: number; username: string; name: string | null; surname: string | null } | { id: number } | null
  resource: string | null
  entry: number | null
  address: string | null
  details: unknown
  created_at: string
}

/** What can be asked for: equal values of these columns. */
const columns: Readonly<Record<string, { column: string; type: 'text' | 'int' }>> = {
  action: { column: 'action', type: 'text' },
  user: { column: 'user_id', type: 'int' },
  resource: { column: 'resource', type: 'text' },
  entry: { column: 'entry_id', type: 'int' },
}

function conditionOf(filters: unknown): RawBuilder<unknown> {
  if (filters === undefined) return sql`true`
  if (!isObject(filters)) throw badParameter('filters')
  const conditions = Object.entries(filters).map(([key, given]) => {
    const known = Object.hasOwn(columns, key) ? columns[key] : undefined
    if (!known) throw badParameter(key)
    const text = readText(isObject(given) ? given.$eq : given, key)
    if (known.type === 'int' && (!/^\d{1,10}$/.test(text) || Number(text) > maxInteger))
      throw fault('query.value', { params: { key } })
    return sql`a.${sql.ref(known.column)} = ${text}::${sql.raw(known.type)}`
  })
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/** Registers the list: `{data, meta: {pagination}}`; filters by action, user, resource and entry. */
export function registerAuditList(app: FastifyInstance, { database, callerOf }: AuditRoutes): void {
  app.get('/api/audit', async (request) => {
    const caller = await callerOf(request)
    if (rankOf(caller.role) < rankOf('admin')) throw fault('access.denied')
    const query = isObject(request.query) ? request.query : {}
    const { form, page, pageSize, start, limit } = readPagination(query.pagination)
    const [size, offset] = form === 'page' ? [pageSize, (page - 1) * pageSize] : [limit, start]
    const where = conditionOf(query.filters)
    const data = await database.query(sql<Line>`
      select a.id, a.action, a.resource, a.entry_id as entry, a.address, a.details, a.created_at,
             case when a.user_id is null then null
                  when u.id is null then jsonb_build_object('id', a.user_id)
                  else jsonb_build_object('id', u.id, 'username', u.username, 'name', u.name, 'surname', u.surname) end as user
        from audit a left join users u on u.id = a.user_id
       where ${where} order by a.id desc limit ${size}::int offset ${offset}::int`)
    const [row] = await database.query(sql<{ total: number }>`
      select count(*)::int as total from audit a where ${where}`)
    const total = row?.total ?? 0
    const pagination =
      form === 'page' ? { page, pageSize, pageCount: pageCountOf(total, pageSize), total } : { start, limit, total }
    return { data, meta: { pagination } }
  })
}
