/**
 * Makes the requests of the fuzz proof from the API document and the model; equal seeds give equal requests.
 */
import { type Resource, resources } from '../../packages/model/src/index.ts'
import { type KnownIds, randomBody } from './bodies.ts'
import { RandomDraws, oddIds, oddText } from '../lib/draws.ts'
import { randomQuery } from './queries.ts'

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  bytes?: Buffer
}

/** Route of the API document that random requests are made for. */
export interface FuzzRoute {
  method: string
  /** Path of the route with parameters in braces: `/api/news/{id}`. */
  path: string
  query: readonly string[]
  body: readonly string[]
}

/** Content of the server before the first random request. */
export interface ServerState {
  routes: readonly FuzzRoute[]
  ids: KnownIds
  /** One complete record of each resource, by its name. */
  records: ReadonlyMap<string, Record<string, unknown>>
  /** Ids of the accounts with which the proof signs in, and which it never writes by id. */
  own: readonly number[]
}

export type Who = 'owner' | 'admin' | 'user'

const resourcesByWire = new Map<string, Resource>(
  Object.values<Resource>(resources).map((listedResource) => [listedResource.wire, listedResource]),
)

const bogusPaths = [
  '/',
  '/api',
  '/api/',
  '/api/bogus',
  '/api/news/1/2/3',
  '/api//news',
  '/uploads/x.png',
  '/x.png',
  '/..%2f..%2fetc/passwd',
  '/api/%00',
  '/api/%zz',
  '/api/news/%',
  '/socket.io/',
  '/socket.io/?EIO=4&transport=polling',
  '/assets/x.js',
  '/app/news',
  `/${'a'.repeat(5_000)}`,
  '/api/news;x=1',
  '/API/NEWS',
  '/api/news/',
  '//',
  '/api/__proto__',
  '/api/constructor/1',
  '/uploads/%2e%2e%2fsecret',
  '/api/docs/x',
  '/api/docs/%00',
] as const

/**
 * Whether a route belongs to accounts, `users/{id}` and the like, where a change could lock the proof out.
 */
const isAccount = (path: string) => /^\/api\/(users|staff)\//.test(path)
/** Whether a route belongs to one role, where a change could require a second step of the proof's accounts. */
const isRole = (path: string) => path.startsWith('/api/roles/')

function pickId(
  draws: RandomDraws,
  index: number,
  resource: Resource | undefined,
  route: FuzzRoute,
  state: ServerState,
): string {
  if (draws.chance(0.12)) return draws.pick(oddIds)
  const recordIds = state.ids.get(resource?.name ?? '') ?? []
  // Records that existed at the start are deleted rarely, so that lists stay filled and links find their
  // targets.
  const isOld = recordIds.length > 0 && draws.chance(route.method === 'DELETE' ? 0.02 : 0.7)
  const id = isOld ? draws.pick(recordIds) : 1 + draws.below(20 + Math.floor(index / 500))
  if (route.method === 'GET') return String(id)
  const isOwn = isAccount(route.path) && state.own.includes(id)
  return String(isOwn || isRole(route.path) ? id + 100_000 : id)
}

function headersFor(draws: RandomDraws, path: string, tokens: Readonly<Record<Who, string>>): Record<string, string> {
  const headers: Record<string, string> = {}
  const randomShare = draws.next()
  // Requests to sign out are left out, because they would end the proof's own sessions.
  const isSignOut = path.includes('logout')
  if (randomShare < 0.55 && !isSignOut) headers['authorization'] = `Bearer ${tokens.owner}`
  else if (randomShare < 0.75 && !isSignOut) headers['authorization'] = `Bearer ${tokens.admin}`
  else if (randomShare < 0.9 && !isSignOut) headers['authorization'] = `Bearer ${tokens.user}`
  else if (randomShare < 0.96)
    headers['authorization'] = draws.pick([
      '',
      'Bearer',
      'Bearer x.y.z',
      'Basic b3duZXI6eA==',
      `Bearer ${'a'.repeat(3_000)}`,
      `Bearer ${tokens.owner}x`,
      `Bearer ${tokens.owner.split('.').reverse().join('.')}`,
      'null',
    ])
  if (draws.chance(0.05))
    headers['idempotency-key'] = draws.pick(['k', `key-${draws.below(500)}`, '', 'x'.repeat(400), 'é'])
  if (draws.chance(0.03)) headers['accept-language'] = draws.pick(['ru', 'x'.repeat(500), ';;;q=', '*'])
  if (draws.chance(0.03))
    headers['accept-encoding'] = draws.pick(['gzip', 'br', 'gzip;q=0', 'x', '*;q=0', 'identity;q=0'])
  if (draws.chance(0.03)) headers['if-none-match'] = draws.pick(['*', 'W/"x"', '"', ''])
  if (draws.chance(0.02)) headers['range'] = draws.pick(['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'x'])
  if (draws.chance(0.02)) headers['origin'] = draws.pick(['https://evil.example', 'null', 'x'])
  if (draws.chance(0.02)) headers['x-forwarded-for'] = draws.pick(['1.2.3.4', 'x', ','])
  if (draws.chance(0.01))
    headers['x-request-id'] = oddText(draws)
      .replaceAll(/[^\x20-\x7e]/g, '')
      .slice(0, 500)
  return headers
}

/** Makes the random request of a number, which depends on no other request. */
export function requestAt(
  seed: number,
  index: number,
  state: ServerState,
  tokens: Readonly<Record<Who, string>>,
): FuzzRequest {
  const draws = new RandomDraws(seed, index)
  const route = draws.pick(state.routes)
  const [, , collection = ''] = route.path.split('/')
  const resource = resourcesByWire.get(collection)
  const isBogus = draws.chance(0.03)
  const path = isBogus
    ? draws.pick(bogusPaths)
    : route.path.replaceAll(/\{\w+\}/g, () => pickId(draws, index, resource, route, state))
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND']
  // A random method on a route of an account or a role could be the right one of another such route, so these keep
  // their method.
  const isSwapped = !isAccount(route.path) && !isRole(route.path) && draws.chance(0.04)
  const method = isSwapped ? draws.pick(methods) : route.method
  const headers = headersFor(draws, path, tokens)
  const query = draws.chance(method === 'GET' ? 0.85 : 0.25) ? randomQuery(draws, resource, route.query) : ''
  // A HEAD request has no long query: too large headers are refused before the method is known, which makes
  // its answer unreadable.
  const isBare = query === '' || (method === 'HEAD' && query.length > 8_000)
  const fullPath = isBare ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  const bodilessRequest = { method, path: fullPath.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent), headers }
  if (method === 'GET' || method === 'HEAD' || (method === 'DELETE' && draws.chance(0.9))) return bodilessRequest
  const isWrite = resource !== undefined && /^\/api\/[^/]+(\/\{id\})?(\/localizations)?$/.test(route.path)
  const { type, bytes } = randomBody(
    draws,
    isWrite || draws.chance(0.1) ? resource : undefined,
    isWrite ? [] : route.body,
    state.records.get(resource?.name ?? ''),
    state.ids,
  )
  if (type !== undefined) headers['content-type'] = type
  return { ...bodilessRequest, ...(bytes !== undefined && { bytes }) }
}
