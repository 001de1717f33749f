/** Registers routes by their contracts: bodies and queries are read with the schemas, answers have their types. */
import { fault, unprocessable } from '@dala/model'
import type { AnswerOf, BodyOf, Contracts, QueryOf, RouteContract, RouteName } from '@dala/model/api/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteShorthandOptions } from 'fastify'
import type * as z from 'zod'

/** One call of a route. */
export interface Call<R extends RouteContract> {
  request: FastifyRequest
  reply: FastifyReply
  /** Reads the keys of the query that are the route's own. Throws 400 with `query.value`. */
  query: () => Promise<QueryOf<R>>
  /** Reads the body, once the caller may send one. Throws 422 with everything that is wrong. */
  body: () => Promise<BodyOf<R>>
}

type Answer<R extends RouteContract> = AnswerOf<R> | FastifyReply

/** Answers one call. */
export type Handler<R extends RouteContract> = (call: Call<R>) => Answer<R> | Promise<Answer<R>>

/** A handler for each contract. */
export type Handlers<C extends Contracts> = { readonly [K in keyof C]: Handler<C[K]> }

/** Options of the framework for some of the routes, by name. */
export type RouteOptions<C extends Contracts> = { readonly [K in keyof C]?: RouteShorthandOptions }

const methodsOf = (name: string) => name.split(' ') as [HTTPMethods, string]

function parse(schema: z.ZodType, given: unknown, refuse: (error: z.ZodError) => never | Promise<never>) {
  const read = schema.safeParse(given, { reportInput: true })
  return read.success ? read.data : refuse(read.error)
}

async function refuseBody(error: z.ZodError): Promise<never> {
  const { toIssues } = await import('@dala/model/api/issues')
  throw unprocessable(toIssues(error))
}

function refuseQuery(error: z.ZodError): never {
  const [key] = error.issues[0]?.path ?? []
  throw fault('query.value', { params: { key: String(key ?? '') } })
}

/**
 * Registers a handler for each route of a feature.
 *
 * @param app - The application, or the scope of the feature.
 * @param load - Loads the contracts, when the first body or query is read: a start does without the schemas.
 * @param handlers - The handlers by the names of their routes.
 * @param options - Options of the framework, by the names of the routes that need some.
 */
export function addRoutes<C extends Contracts>(
  app: FastifyInstance,
  load: () => Promise<C>,
  handlers: Handlers<C>,
  options: RouteOptions<C> = {},
): void {
  for (const name of Object.keys(handlers) as (keyof C & RouteName)[]) {
    const [method, url] = methodsOf(name)
    const handler: Handler<C[typeof name]> = handlers[name]
    app.route({
      ...options[name],
      method,
      url,
      handler: (request, reply) =>
        handler({
          request,
          reply,
          query: async () => {
            const { query } = (await load())[name]
            return (query && parse(query, request.query, refuseQuery)) as QueryOf<C[typeof name]>
          },
          body: async () => {
            const { body } = (await load())[name]
            return (body && !('media' in body) && (await parse(body, request.body, refuseBody))) as BodyOf<
              C[typeof name]
            >
          },
        }),
    })
  }
}
