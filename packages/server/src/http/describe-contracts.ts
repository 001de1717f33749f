/** The descriptions of routes for the document of the API, from their contracts. */
import type { JsonSchema } from '@dala/model'
import { type Contracts, isMedia, type Media, type RouteContract } from '@dala/model/api/contract'
import * as z from 'zod'
import { type Content, type Descriptions, json, type QueryKey, type RouteDescription } from './description.ts'

/** A schema without its dialect, which is the document's; bounds that every JavaScript number keeps say nothing. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.propertyNames
      delete jsonSchema.readOnly
    },
  })
  return rest
}

const contentOf = (contents: z.ZodType | Media, io: 'input' | 'output'): Content =>
  isMedia(contents) ? contents.media : json(schemaOf(contents, io))

function keysOf(query: z.ZodObject): QueryKey[] {
  const properties = (schemaOf(query, 'input').properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    description: typeof description === 'string' ? description : '',
    schema,
  }))
}

function describe(contract: RouteContract): RouteDescription {
  const { shared = [], query, body, answers, unprocessableQuery: _query, queryBody: _body, ...said } = contract
  const keys = [...(query ? keysOf(query) : []), ...shared]
  return {
    ...said,
    ...(keys.length > 0 && { query: keys }),
    ...(body && { body: contentOf(body, 'input') }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, contents]) => [status, contents && contentOf(contents, 'output')]),
    ),
  }
}

/** Describes the routes of contracts. */
export const describeContracts = (contracts: Contracts): Descriptions =>
  Object.fromEntries(Object.entries(contracts).map(([name, contract]) => [name, describe(contract)]))
