/** The contract of a route: its input and answers as schemas, and its description in the OpenAPI document. */
import type * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import type { JsonSchema } from '../../fields/kind.ts'

/** A schema in the contract of a route. */
export type Schema = z.ZodType

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The name of a route: its method and its registered path. */
export type RouteName = `${Method} /${string}`

/** Contents other than JSON, by media type: forms with files, pictures, sheets. */
export interface MediaContents {
  media: Readonly<Record<string, JsonSchema>>
}

/**
 * Names of query keys that many lists share and the query engine parses. `languages` are the keys that select
 * the language of a list.
 */
export type SharedKey =
  | 'fallback'
  | 'fields'
  | 'filters'
  | 'languages'
  | 'locale'
  | 'pagination'
  | 'populate'
  | 'relatedLocale'
  | 'search'
  | 'sort'

/**
 * The contract of a route.
 *
 * A route of every resource is declared once, under a path with `:wire`. Its texts and schemas refer to the
 * resource by `:wire`, its path, and `:name`; `:fields` in a list stands for the names of its fields.
 */
export interface RouteContract {
  /** Heading of the route in the OpenAPI document. */
  group: string
  /** Task of the route, in one line. */
  summary: string
  /** Further description of the route, in Markdown. */
  details?: string
  /** Name of the route for generated clients; the method and the path when absent. */
  id?: string
  /** Whether the route works without a token. */
  open?: true
  /**
   * Whether the route works for every signed-in user, whatever their role requires and whatever role they
   * view the panel as.
   */
  ungated?: true
  /** Query keys of the route that the query engine parses. */
  shared?: readonly SharedKey[]
  /** Query keys of the route that no other route has. */
  query?: z.ZodObject
  /**
   * Whether the route rejects invalid query keys with 422, all of them; with 400 and `query.value` when
   * absent.
   */
  unprocessableQuery?: true
  /** Names of shared headers that the route documents. */
  headers?: readonly string[]
  /** Body of the request; absent where the route takes none. */
  body?: z.ZodType | MediaContents
  /**
   * Whether the route rejects an invalid body like a query, with 400 and the first invalid key; with 422 and
   * all of them when absent.
   */
  queryBody?: true
  /**
   * Whether the route rejects an invalid body like a record, with 400 and all invalid keys; with 422 when
   * absent.
   */
  recordBody?: true
  /** Keys of the body that the paths of errors omit, like `data`. */
  unnamed?: readonly string[]
  /** Answers of the route by status; null: no body. */
  answers: Readonly<Record<number, z.ZodType | MediaContents | null>>
  /** Error codes of the route, in addition to those of every route. */
  refusals?: readonly ErrorCode[]
  /** Access of each role to the route, where roles differ. */
  roles?: Readonly<Record<string, string>>
}

/** Contracts of routes by method and path. */
export type Contracts = Readonly<Record<RouteName, RouteContract>>

/**
 * Tells whether contents are not JSON.
 *
 * @example
 * isMedia({ media: { 'text/csv': { type: 'string' } } }) // true
 */
export const isMedia = (contents: z.ZodType | MediaContents): contents is MediaContents => 'media' in contents

/** The parsed query of a route. */
export type QueryOf<R extends RouteContract> = R['query'] extends z.ZodObject ? z.output<R['query']> : undefined

/** The parsed body of a route. */
export type BodyOf<R extends RouteContract> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined

type Answers<R extends RouteContract, Status = keyof R['answers']> = R['answers'][Status & keyof R['answers']]

/** The answer of a route as the server returns it. */
export type AnswerOf<R extends RouteContract> =
  Answers<R> extends infer A ? (A extends z.ZodType ? z.input<A> : A extends null ? undefined : never) : never

/** The answer of a route as a client receives it that sends no tag of an earlier answer. */
export type ReceivedOf<R extends RouteContract> =
  Answers<R, Exclude<keyof R['answers'], 304>> extends infer A
    ? A extends z.ZodType
      ? z.output<A>
      : A extends null
        ? undefined
        : never
    : never

/** The query keys of a route as a client sends them. */
export type SentQuery<R extends RouteContract> = R['query'] extends z.ZodObject ? z.input<R['query']> : object

/** The type of an input value, whose lists may be read-only. */
type ReadonlyInput<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyInput<Item>[]
  : T extends object
    ? { [K in keyof T]: ReadonlyInput<T[K]> }
    : T

/** The body of a route as a client sends it. */
export type SentBody<R extends RouteContract> = R['body'] extends z.ZodType
  ? ReadonlyInput<z.input<R['body']>>
  : unknown
