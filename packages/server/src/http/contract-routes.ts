/**
 * Registers and describes routes by their contracts: schemas parse bodies and queries, and answers are typed.
 */
import { type ErrorCode, fault, type Issue, type Resource, unprocessableFault, validationFault } from '@dala/model'
import {
  type AnswerOf,
  type BodyOf,
  type Contracts,
  isMedia,
  type QueryOf,
  type RouteContract,
  type RouteName,
} from '@dala/model/api/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteShorthandOptions } from 'fastify'
import type * as z from 'zod'
import type { Descriptions } from './description.ts'

/** One call of a route as its handler receives it. */
interface Call<R extends RouteContract> {
  request: FastifyRequest
  reply: FastifyReply
  /** Parses the query keys that only the route has. Throws 400 with the first invalid one. */
  query: () => Promise<QueryOf<R>>
  /** Parses the body of the route's call, once the caller may send one. Throws 422 with all issues. */
  body: () => Promise<BodyOf<R>>
}

type Answer<R extends RouteContract> = AnswerOf<R> | FastifyReply

/** A function that answers one call of a route. */
type Handler<R extends RouteContract> = (call: Call<R>) => Promise<Answer<R>>

/** Handlers of a feature, one for each contract of its routes. */
export type Handlers<C extends Contracts> = {
  readonly [K in keyof C]: C[K] extends RouteContract ? Handler<C[K]> : never
}

/** Options of the HTTP framework for some of the routes, by name. */
export type RouteOptions<C extends Contracts> = { readonly [K in keyof C]?: RouteShorthandOptions }

const methodsOf = (name: string) => name.split(' ') as [HTTPMethods, string]

/** Spells a key as in a query string: `filters[region]`. */
const keyOf = ([rootKey = '', ...innerKeys]: Issue['path']) =>
  `${rootKey}${innerKeys.map((key) => `[${key}]`).join('')}`

/**
 * Throws the first issue of an input with its own code where that is one of a whole request, otherwise with
 * `usual`.
 */
function refuseFirstIssue([issue]: readonly Issue[], usualCode: ErrorCode): never {
  const { code = usualCode, path = [], params: { field: _field, ...params } = {} } = issue ?? {}
  throw fault(code.startsWith('validation.') ? usualCode : code, { params: { key: keyOf(path), ...params } })
}

async function parseInput(schema: z.ZodType, input: unknown, refuse: (issues: readonly Issue[]) => never) {
  const parsedInput = schema.safeParse(input, { reportInput: true })
  if (parsedInput.success) return parsedInput.data
  const { toIssues } = await import('@dala/model/api/issues')
  return refuse(toIssues(parsedInput.error))
}

const refuseAllIssues = (issues: readonly Issue[]): never => {
  throw unprocessableFault(issues)
}

/** Throws the refusal of a body that is parsed like a query. */
function refusePart(issues: readonly Issue[]): never {
  if (issues.some(({ path }) => path.length === 1 && path[0] === 'data')) throw fault('request.data-missing')
  refuseFirstIssue(issues, 'query.parameter')
}

const readQuery = ({ query, unprocessableQuery }: RouteContract, input: unknown) =>
  query &&
  parseInput(query, input, unprocessableQuery ? refuseAllIssues : (issues) => refuseFirstIssue(issues, 'query.value'))

const refuseRecord = (issues: readonly Issue[]): never => {
  throw validationFault(issues)
}

/** Removes keys like `data` from the paths of issues. */
const withoutUnnamedKeys = (unnamed: readonly string[], issues: readonly Issue[]) =>
  issues.map((bodyIssue) => ({ ...bodyIssue, path: bodyIssue.path.filter((key) => !unnamed.includes(String(key))) }))

function readBody({ body, queryBody, recordBody, unnamed = [] }: RouteContract, input: unknown) {
  if (!body || isMedia(body)) return undefined
  const refuseInput = queryBody ? refusePart : recordBody ? refuseRecord : refuseAllIssues
  return parseInput(body, input, (issues) => refuseInput(withoutUnnamedKeys(unnamed, issues)))
}

/**
 * Describes the routes of a feature for the OpenAPI document, at its first request.
 *
 * @param load - Loads the contracts.
 * @returns The `describe` of the feature.
 */
export const loadDescriptions = (load: () => Promise<Contracts>) => async (): Promise<Descriptions> => {
  const [contracts, { describeContracts }] = await Promise.all([load(), import('./describe-contracts.ts')])
  return describeContracts(contracts)
}

interface Route {
  name: string
  contractOf: () => Promise<RouteContract>
  handler: Handler<RouteContract>
  options?: RouteShorthandOptions | undefined
}

function addRoute(app: FastifyInstance, { name, contractOf, handler, options }: Route): void {
  const [method, url] = methodsOf(name)
  app.route({
    ...options,
    method,
    url,
    handler: (request, reply) =>
      handler({
        request,
        reply,
        // Query and body have the types of the route's own contract.
        query: async () => (await readQuery(await contractOf(), request.query)) as undefined,
        body: async () => (await readBody(await contractOf(), request.body)) as undefined,
      }),
  })
}

/**
 * Registers a handler for each route of a feature.
 *
 * @param app - The application, or the scope of the feature.
 * @param load - Loads the contracts when the first body or
 *   query is read, because a start does not need the schemas.
 * @param handlers - The handlers by the names of their routes.
 * @param options - Options of the framework, by the names of the routes that need some.
 */
export function addRoutes<C extends Contracts>(
  app: FastifyInstance,
  load: () => Promise<C>,
  handlers: Handlers<C>,
  options: RouteOptions<C> = {},
): void {
  const handlerOf: Readonly<Record<string, Handler<RouteContract>>> = handlers
  for (const [name, handler] of Object.entries(handlerOf)) {
    const contractOf = async () => (await load())[name as RouteName] as RouteContract
    addRoute(app, { name, contractOf, handler, options: options[name as keyof C] })
  }
}

/** Handlers of routes that every resource may have; undefined for those that a resource lacks. */
export type ResourceHandlers<C extends Contracts> = {
  readonly [K in keyof C]: C[K] extends RouteContract ? Handler<C[K]> | undefined : never
}

/**
 * Registers the routes of one resource, whose contracts name it by `:wire`.
 *
 * @param app - The application, or the scope of the feature.
 * @param resource - The resource.
 * @param load - Loads the contracts, as for `addRoutes`.
 * @param handlers - The handlers by the names of the contracts.
 */
export function addResourceRoutes<C extends Contracts>(
  app: FastifyInstance,
  { wire }: Pick<Resource, 'wire'>,
  load: () => Promise<C>,
  handlers: ResourceHandlers<C>,
): void {
  const handlerOf: Readonly<Record<string, Handler<RouteContract> | undefined>> = handlers
  for (const [statedName, handler] of Object.entries(handlerOf)) {
    const contractOf = async () => (await load())[statedName as RouteName] as RouteContract
    if (handler) addRoute(app, { name: statedName.replace(':wire', wire), contractOf, handler })
  }
}
