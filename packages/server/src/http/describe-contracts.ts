/** The descriptions of routes for the document of the API, from their contracts. */
import type { Field, JsonSchema, Resource } from '@dala/model'
import { type Contracts, isMedia, type MediaContents, type RouteContract } from '@dala/model/api/contract'
import * as z from 'zod'
import { type Content, type Descriptions, json, type QueryKey, type RouteDescription } from './description.ts'

const isAnyText = (schema: unknown) => JSON.stringify(schema) === '{"type":"string"}'

/**
 * A schema without its dialect, which the document states
 * once, and without the bounds of every JavaScript number.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...plainSchema } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (isAnyText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames
      delete jsonSchema.readOnly
      // For transformed values zod leaves out the examples, which the OpenAPI document shows.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  })
  return plainSchema
}

const contentOf = (contents: z.ZodType | MediaContents, io: 'input' | 'output'): Content =>
  isMedia(contents) ? contents.media : json(schemaOf(contents, io))

function keysOf(query: z.ZodObject): QueryKey[] {
  const properties = (schemaOf(query, 'input').properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    description: typeof description === 'string' ? description : '',
    schema,
  }))
}

function describeRoute(contract: RouteContract): RouteDescription {
  const {
    group,
    id,
    summary,
    details,
    headers,
    open,
    ungated,
    shared = [],
    query,
    body,
    answers,
    refusals,
    roles,
  } = contract
  const keys = [...(query ? keysOf(query) : []), ...shared]
  return {
    group,
    summary,
    ...(id !== undefined && { id }),
    ...(details !== undefined && { details }),
    ...(headers && { headers }),
    ...(open && { open }),
    ...(ungated && { ungated }),
    ...(refusals && { refusals }),
    ...(roles && { roles }),
    ...(keys.length > 0 && { query: keys }),
    ...(body && { body: contentOf(body, 'input') }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, contents]) => [status, contents && contentOf(contents, 'output')]),
    ),
  }
}

/** Describes the routes of contracts for the OpenAPI document. */
export const describeContracts = (contracts: Contracts): Descriptions =>
  Object.fromEntries(Object.entries(contracts).map(([name, contract]) => [name, describeRoute(contract)]))

const shownFields = ({ fields }: Resource) =>
  Object.entries<Field>(fields)
    .filter(([, field]) => !field.private)
    .map(([name]) => name)

const languageKeys = ({ localized }: Resource) =>
  localized ? ['locale', 'fallback', 'missingLocale', 'outdatedLocale'] : ['relatedLocale']

/** Replaces `:wire`, `:name` and `:fields` in a contract by the values of a resource. */
function fillInResource(value: unknown, resource: Resource): unknown {
  if (typeof value === 'string') return value.replaceAll(':wire', resource.wire).replaceAll(':name', resource.name)
  if (Array.isArray(value))
    return value.flatMap((element: unknown) =>
      element === ':fields' ? shownFields(resource) : [fillInResource(element, resource)],
    )
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, propertyValue]) => [
      fillInResource(key, resource),
      fillInResource(propertyValue, resource),
    ]),
  )
}

/** Describes routes that every resource has, for one of the resources. */
export function describeResource(resource: Resource, contracts: Contracts): Descriptions {
  const describedRoutes = Object.entries(describeContracts(contracts)).map(([name, { query, ...otherDetails }]) => [
    name,
    {
      ...otherDetails,
      ...(query && { query: query.flatMap((key) => (key === 'languages' ? languageKeys(resource) : [key])) }),
    },
  ])
  return fillInResource(Object.fromEntries(describedRoutes), resource) as Descriptions
}
