/** Registers the routes of the home page, and of the rows that users postpone there. */
import { fault, homeGroupsOf, homeScopesOf, isLocale } from '@dala/model'
import type { HomeGroupKey, HomeScope } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addRoutes } from '../../http/contract-routes.ts'
import { isObject } from '../../resources/read/context.ts'
import { endOfPutOff, showPostponedRow, putOffTask } from './put-off.ts'
import { type HomeRoutes, readHome } from './read-home.ts'

/** Registers the routes of the home page; each user has their own page. */
export function registerHome(app: FastifyInstance, routes: HomeRoutes): void {
  const { database, callerOf } = routes

  /**
   * Identifies a row of the caller's home page.
   *
   * @throws 403 for a group of the home page that is not the caller's.
   */
  const rowOf = (
    caller: Awaited<ReturnType<typeof callerOf>>,
    { group, ref }: { group: HomeGroupKey; ref: string },
  ) => {
    const groupKeys: HomeGroupKey[] = homeScopesOf(caller).flatMap((scope) => homeGroupsOf(caller, scope))
    if (!groupKeys.includes(group)) throw fault('access.denied')
    return { user: caller.id, group, ref }
  }
  const localeOf = ({ query }: FastifyRequest) => (isObject(query) && isLocale(query.locale) ? query.locale : undefined)

  addRoutes(app, async () => (await import('@dala/model/api/home')).homeRoutes, {
    'GET /api/home': async ({ request, query }) => {
      const caller = await callerOf(request)
      const { scope: requestedScope, put_off: onlyPutOff = false } = await query()
      const scopes = homeScopesOf(caller)
      if (requestedScope !== undefined && !scopes.includes(requestedScope)) throw fault('access.denied')
      const scope: HomeScope = requestedScope ?? scopes[0] ?? 'mine'
      const homeRequest = { caller, scope, locale: localeOf(request) ?? caller.language, onlyPutOff }
      return readHome(routes, homeRequest, (error) =>
        request.log.error({ err: error }, 'a part of the first page could not be read'),
      )
    },
    'POST /api/home/put-off': async ({ request, body }) => {
      const caller = await callerOf(request)
      const { time, ...namedValues } = (await body()).data
      const untilTime = endOfPutOff(database.calendar, time, Date.now())
      await putOffTask(database, { ...rowOf(caller, namedValues), until: untilTime })
      return { data: { until: new Date(untilTime).toISOString() } }
    },
    'POST /api/home/put-back': async ({ request, body }) => {
      const caller = await callerOf(request)
      await showPostponedRow(database, rowOf(caller, (await body()).data))
      return { ok: true }
    },
  })
}
