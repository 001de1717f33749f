/** The contract of a route: what it takes and answers, as schemas, and what the document of the API says of it. */
import type * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import type { JsonSchema } from '../../fields/kind.ts'

/** A schema of a contract. */
export type Schema = z.ZodType

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The name of a route: its method and its path as it is registered. */
export type RouteName = `${Method} /${string}`

/** Contents that are not JSON, by media type: forms with files, pictures, sheets. */
export interface Media {
  media: Readonly<Record<string, JsonSchema>>
}

/**
 * Names of keys of the query that many lists share; the engine reads them. `languages` are the keys with which a list
 * of the resource is read in a language.
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
 * A route that every resource has is stated once, under a path with `:wire`. Its texts and schemas name the resource by
 * `:wire`, its path, and `:name`; the word `:fields` in a list stands for the names of its fields.
 */
export interface RouteContract {
  /** The heading of the document that the route is under. */
  group: string
  /** One line: the task of the route. */
  summary: string
  /** More of it, in Markdown. */
  details?: string
  /** A name for generated clients; the method and the path when absent. */
  id?: string
  /** Answers without a token. */
  open?: true
  /** Answers a person who is signed in, whatever their role asks of them and whatever role they view the panel as. */
  ungated?: true
  /** Keys of the query that the engine reads. */
  shared?: readonly SharedKey[]
  /** Keys of the query of this route alone. */
  query?: z.ZodObject
  /** Refuses wrong keys of the query with 422, all of them at once; with 400 and `query.value` when absent. */
  unprocessableQuery?: true
  /** Names of shared headers. */
  headers?: readonly string[]
  /** The body; absent where the route takes none. */
  body?: z.ZodType | Media
  /** Refuses a wrong body as a wrong query, with 400 and the first wrong key; with 422 and all of them when absent. */
  queryBody?: true
  /** Refuses a wrong body as a wrong record, with 400 and all wrong keys; with 422 when absent. */
  recordBody?: true
  /** Keys of the body that the paths of refusals leave out, as they leave out `data`. */
  unnamed?: readonly string[]
  /** Answers by status; null: no body. */
  answers: Readonly<Record<number, z.ZodType | Media | null>>
  /** Codes of the catalogue that the route refuses with, beside those that every route may answer. */
  refusals?: readonly ErrorCode[]
  /** The reach of each role, where it differs by role. */
  roles?: Readonly<Record<string, string>>
}

/** Contracts by the names of their routes. */
export type Contracts = Readonly<Record<RouteName, RouteContract>>

/** Whether contents are not JSON. */
export const isMedia = (contents: z.ZodType | Media): contents is Media => 'media' in contents

/** The value that a query is read into. */
export type QueryOf<R extends RouteContract> = R['query'] extends z.ZodObject ? z.output<R['query']> : undefined

/** The value that a body is read into. */
export type BodyOf<R extends RouteContract> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined

type Answers<R extends RouteContract> = R['answers'][keyof R['answers']]

/** The answer as the server gives it. */
export type AnswerOf<R extends RouteContract> =
  Answers<R> extends infer A ? (A extends z.ZodType ? z.input<A> : A extends null ? undefined : never) : never

/** The answer as a client receives it. */
export type ReceivedOf<R extends RouteContract> =
  Answers<R> extends infer A ? (A extends z.ZodType ? z.output<A> : A extends null ? undefined : never) : never

/** The keys of the query as a client sends them. */
export type SentQuery<R extends RouteContract> = R['query'] extends z.ZodObject ? z.input<R['query']> : object

/** A value that is read alone: its lists may be read-only. */
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { [K in keyof T]: Read<T[K]> }
    : T

/** The body as a client sends it. */
export type SentBody<R extends RouteContract> = R['body'] extends z.ZodType ? Read<z.input<R['body']>> : unknown
