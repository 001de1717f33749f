/**
 * The form in which a route describes itself for the document of the API (decision 15), and shared schemas.
 */
import type { ErrorCode, JsonSchema } from '@dala/model'

/** The bodies of a route by media type. */
export type Content = Readonly<Record<string, JsonSchema>>

/** Description of one query key; its value is text, or brackets below the key. */
export interface QueryKey {
  name: string
  description: string
  schema: JsonSchema
}

export interface RouteDescription {
  /** Heading under which the OpenAPI document lists the route. */
  group: string
  /** Purpose of the described route, in one line. */
  summary: string
  /** Details of the described route, in Markdown. */
  details?: string
  /** Name of the route for generated clients; `method path` when absent. */
  id?: string
  /** Whether the route answers without a token. */
  open?: true
  /** Whether the route answers users without their second step, and whatever role they view as. */
  ungated?: true
  /**
   * Query keys of the route: names of shared keys (features/openapi/parameters.ts), or keys of the route
   * alone.
   */
  query?: readonly (string | QueryKey)[]
  /** Names of shared headers that the route documents. */
  headers?: readonly string[]
  body?: Content
  /** Answers of the route by status; null: no body. */
  answers: Readonly<Record<number, Content | null>>
  /** Error codes of the route, besides those that every route may answer. */
  refusals?: readonly ErrorCode[]
  /** Access of each role to the route, where roles differ. */
  roles?: Readonly<Record<string, string>>
}

/** Descriptions of routes by method and path as they are registered: `GET /api/news/:id`. */
export type Descriptions = Readonly<Record<string, RouteDescription>>

/** Reference to a schema of the OpenAPI document by name: `news.Entry`. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Describes a JSON body by its schema. */
export const json = (schema: JsonSchema): Content => ({ 'application/json': schema })

/** Schema of an object with exactly these keys; those of the last argument may be absent. */
export function exactObject(
  properties: Readonly<Record<string, JsonSchema>>,
  optionalNames: readonly string[] = [],
): JsonSchema {
  const requiredNames = Object.keys(properties).filter((name) => !optionalNames.includes(name))
  return {
    type: 'object',
    properties,
    ...(requiredNames.length > 0 && { required: requiredNames }),
    additionalProperties: false,
  }
}

/** Returns the schema of a list of items. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
