/** Calls of the routes that have a contract: addresses, queries, bodies and answers have its types. */
import type { Api } from '@dala/model/api'
import type { ReceivedOf, RouteContract, SentBody, SentQuery } from '@dala/model/api/contract'
import { type CallOptions, callServer, type Method } from './client.ts'
import type { Query, QueryValue } from './query-string.ts'

/** Name of a route with a contract: `GET /api/home`. */
export type Route = keyof Api

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Query keys that many lists share, as they are spelled in an address. */
type SharedQuery = Partial<
  Record<
    | '_q'
    | 'fallback'
    | 'fields'
    | 'filters'
    | 'locale'
    | 'missing_locale'
    | 'outdated_locale'
    | 'pagination'
    | 'populate'
    | 'sort',
    QueryValue
  >
>

/** Keys of a route's query string in the API. */
export type RouteQuery<R extends Route> = SentQuery<Api[R]> & Omit<SharedQuery, keyof SentQuery<Api[R]>>

type PathParams<R extends string> = [ParamsOf<R>] extends [never]
  ? { params?: never }
  : { params: Readonly<Record<ParamsOf<R>, number | string>> }

type Body<C extends RouteContract> = undefined extends C['body']
  ? { body?: never }
  : undefined extends SentBody<C>
    ? { body?: SentBody<C> }
    : { body: SentBody<C> }

/** Parameters, query and body of a call to a route. */
export type RouteOptions<R extends Route> = PathParams<R> &
  Body<Api[R]> & { query?: RouteQuery<R> } & Pick<CallOptions, 'signal' | 'headers' | 'keepalive'>

/** Response of a route of the API. */
export type RouteAnswer<R extends Route> = ReceivedOf<Api[R]>

interface CallInput extends Pick<CallOptions, 'signal' | 'headers' | 'body' | 'keepalive'> {
  params?: Readonly<Record<string, number | string>>
  query?: Query
}

/** Method, path and options of a call. */
function toRouteCall(name: string, { params = {}, ...callOptions }: CallInput): [Method, string, CallOptions] {
  const [method = '', route = ''] = name.split(' ')
  const path = route.replace('/api', '').replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  return [method as Method, path, callOptions]
}

/**
 * Calls a route of the API.
 *
 * @param name - Its method and path: `POST /api/tradinposts/:id/claim`.
 * @param options - The parameters of the path, the query and the body that its contract asks for.
 * @returns The answer.
 * @throws ApiError as `call` does.
 */
export const callRoute = <R extends Route>(name: R, options: RouteOptions<R>): Promise<RouteAnswer<R>> =>
  callServer<RouteAnswer<R>>(...toRouteCall(name, options))

/**
 * Calls a route whose answer is a file.
 *
 * @param name - Its method and path.
 * @param options - As for `callRoute`.
 * @param parseResponse - Reads the value from the answer.
 */
export const callFile = <R extends Route, T>(
  name: R,
  options: RouteOptions<R>,
  parseResponse: (answer: Response) => Promise<T>,
): Promise<T> => callServer<T>(...toRouteCall(name, options), parseResponse)
