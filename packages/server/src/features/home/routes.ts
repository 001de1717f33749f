/** The first page of a person, and the rows that they put off there. */
import {
  fault,
  type HomeAnswer,
  type HomeGroupKey,
  homeGroupKeys,
  homeGroupsOf,
  type HomeScope,
  homeScopes,
  homeScopesOf,
  isLocale,
  putOffTimes,
} from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ActionBody } from '../../resources/action-body.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { readText, readTruth } from '../../resources/read/query-values.ts'
import { endOfPutOff, putBack, putOff } from './put-off.ts'
import { type HomeRoutes, readHome } from './read-home.ts'

/** An id, with the day, or the resource and the language, that it goes with. */
const isRef = (text: string) => /^(?:[\da-z-]{1,40}\/){0,2}\d{1,10}$/.test(text)
const maxRef = 80

/** Registers the routes; everybody has their own page. */
export function registerHome(app: FastifyInstance, routes: HomeRoutes): void {
  const { database, callerOf } = routes

  app.get('/api/home', async (request): Promise<HomeAnswer> => {
    const caller = await callerOf(request)
    const query = isObject(request.query) ? request.query : {}
    const scopes = homeScopesOf(caller)
    const wanted = query.scope === undefined || query.scope === '' ? undefined : readText(query.scope, 'scope')
    const scope: HomeScope | undefined = homeScopes.find((one) => one === (wanted ?? scopes[0] ?? 'mine'))
    if (scope === undefined) throw fault('query.value', { params: { key: 'scope' } })
    if (wanted !== undefined && !scopes.includes(scope)) throw fault('access.denied')
    const onlyPutOff = query.put_off !== undefined && readTruth(query.put_off, 'put_off')
    const locale = isLocale(query.locale) ? query.locale : caller.language
    return readHome(routes, { caller, scope, locale, onlyPutOff }, (error) =>
      request.log.error({ err: error }, 'a part of the first page could not be read'),
    )
  })

  /** The row that a body names. Throws 422, and 403 for a group that is not the caller's. */
  const rowOf = async (request: FastifyRequest) => {
    const caller = await callerOf(request)
    const body = new ActionBody(request)
    const [key, ref] = [body.text('group', 31), body.text('ref', maxRef)]
    const group = homeGroupKeys.find((one) => one === key)
    if (group === undefined) body.wrong('group', 'validation.choice', { values: homeGroupKeys.join(', ') })
    if (ref === null || !isRef(ref)) body.wrong('ref', 'validation.required')
    const known: HomeGroupKey[] = homeScopesOf(caller).flatMap((scope) => homeGroupsOf(caller, scope))
    if (group !== undefined && !known.includes(group)) throw fault('access.denied')
    return { body, row: { user: caller.id, group: group ?? 'chats', ref: ref ?? '' } }
  }

  app.post('/api/home/put-off', async (request) => {
    const { body, row } = await rowOf(request)
    const named = body.text('time', 15)
    const time = putOffTimes.find((one) => one === named)
    if (time === undefined) body.wrong('time', 'validation.choice', { values: putOffTimes.join(', ') })
    body.check()
    const until = endOfPutOff(time ?? 'hour', Date.now())
    await putOff(database, { ...row, until })
    return { data: { until: new Date(until).toISOString() } }
  })

  app.post('/api/home/put-back', async (request) => {
    const { body, row } = await rowOf(request)
    body.check()
    await putBack(database, row)
    return { ok: true }
  })
}
