/** How a route describes itself for the document of the API (decision 15), and the words descriptions share. */
import type { ErrorCode, JsonSchema } from '@dala/model'

/** Bodies by media type. */
export type Content = Readonly<Record<string, JsonSchema>>

/** One key of the query; its value is text, or brackets below the key. */
export interface QueryKey {
  name: string
  description: string
  schema: JsonSchema
}

export interface RouteDescription {
  /** The heading it stands under. */
  group: string
  /** One line: what it does. */
  summary: string
  /** More of it, in Markdown. */
  details?: string
  /** A name for generated clients; `method path` when absent. */
  id?: string
  /** Answers without a token. */
  open?: true
  /** Answers who is signed in, whatever his role asks of him and whatever role he looks around as. */
  ungated?: true
  /** Keys of the query: names of the shared ones (features/openapi/parameters.ts), or keys of its own. */
  query?: readonly (string | QueryKey)[]
  /** Names of shared headers. */
  headers?: readonly string[]
  body?: Content
  /** What it answers by status; null: no body. */
  answers: Readonly<Record<number, Content | null>>
  /** Codes of the catalogue it refuses with, beside those that every route may answer. */
  refusals?: readonly ErrorCode[]
  /** What each role may do, where it differs by role. */
  roles?: Readonly<Record<string, string>>
}

/** Descriptions by method and path as they are registered: `GET /api/news/:id`. */
export type Descriptions = Readonly<Record<string, RouteDescription>>

/** A schema of the document by name: `news.Entry`. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** A JSON body of that schema. */
export const json = (schema: JsonSchema): Content => ({ 'application/json': schema })

/** An object with exactly these keys; the ones named last may be absent. */
export function exactly(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** A list of such items. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
