/**
 * Builds the OpenAPI document of the whole API from the descriptions of routes and the declared resources.
 */
import { linkSchemas } from '@dala/model'
import type { Descriptions, QueryKey, RouteDescription } from '../../http/description.ts'
import { conditionSchemas, sharedHeaders, sharedKeys } from './parameters.ts'
import { paginationSchemas, recordSchemas, type Registry } from './record-schemas.ts'
import { errorSchemas, Refusals } from './refusals.ts'

/** Type of an OpenAPI 3.1 document; a test checks its shape against the official schema. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> } & Record<string, unknown>
  [key: string]: unknown
}
interface Operation {
  operationId: string
  responses: Record<string, unknown>
  [key: string]: unknown
}

const documentIntroduction = `The HTTP interface of Dala.

**Signing in.** \`POST /api/auth/local\` returns a token; every other call sends it as \`Authorization: Bearer …\`.

**Records.** Lists are returned as \`{data: [{id, attributes}], meta: {pagination}}\`, single records as \`{data: {id, attributes}, meta: {}}\`. Accounts are flat. \`attributes\` contains every scalar, null when it has no value, and links only when \`populate\` names them. Bodies contain the changes below \`data\`; unknown and read-only keys are ignored, so a record that was read may be sent back.

**Languages.** A record has an entry in each language, with its own id. Links, and fields without a separate value in each language, are the same in all of them.

**Values.** Moments are ISO 8601 in UTC with milliseconds, days \`YYYY-MM-DD\`, ids positive 32-bit integers.

**Refusals.** Every answer that is not 2xx has the same body. \`error.code\` identifies the reason, and \`error.details.errors\` lists every invalid field. An address or a method that does not exist answers 404 with \`route.not-found\`.`

/** Converts the path of a route to a path of OpenAPI: `/api/news/:id` → `/api/news/{id}`. */
const pathOf = (route: string) => route.replace(/:(\w+)/g, '{$1}')

function parameterOf({ name, description, schema }: QueryKey): object {
  const isNested = schema.type !== 'string' && schema.type !== 'integer' && schema.type !== 'boolean'
  // OpenAPI has no style for query keys deeper than one level of brackets: the nearest one is named.
  return { name, in: 'query', description, schema, ...(isNested && { style: 'deepObject', explode: true }) }
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))

const contentOf = (content: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]))

/**
 * Lists the headers of a route; each GET that needs a session accepts the one that views it as another role.
 */
const headersOf = (method: string, { headers = [], open, ungated }: RouteDescription): readonly string[] =>
  method === 'get' && !open && !ungated ? [...headers, 'viewAs'] : headers

function operationOf(method: string, path: string, route: RouteDescription, refusals: Refusals): Operation {
  const parameters = [
    ...pathParameters(path),
    ...(route.query ?? []).map((key) =>
      typeof key === 'string' ? { $ref: `#/components/parameters/${key}` } : parameterOf(key),
    ),
    ...headersOf(method, route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const answers = Object.entries(route.answers).map(([status, content]): [string, unknown] => [
    status,
    { description: 'Done', ...(content && { content: contentOf(content) }) },
  ])
  return {
    operationId: route.id ?? `${method}${path.replaceAll(/[^\w]+/g, '.')}`,
    tags: [route.group],
    summary: route.summary,
    ...(route.details !== undefined && { description: route.details }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: { required: true, content: contentOf(route.body) } }),
    // Responses in the route's own description win: /ready describes its own 503.
    responses: { ...refusals.of(method, route), ...Object.fromEntries(answers) },
    ...(route.open && { security: [] }),
    ...(route.roles && { 'x-roles': route.roles }),
  }
}

/**
 * Builds the OpenAPI document.
 *
 * @param descriptions - The descriptions of all routes.
 * @param registry - The resources whose schemas they use.
 * @param version - The version of the product.
 * @returns The OpenAPI document.
 * @throws When two routes share an operation name.
 */
export function buildDocument(descriptions: Descriptions, registry: Registry, version: string): OpenApiDocument {
  const refusals = new Refusals()
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  for (const [route, description] of Object.entries(descriptions)) {
    const [verb = '', address = ''] = route.split(' ')
    const [method, path] = [verb.toLowerCase(), pathOf(address)]
    const operation = operationOf(method, path, description, refusals)
    if (ids.has(operation.operationId)) throw new Error(`Two routes are called ${operation.operationId}`)
    ids.add(operation.operationId)
    paths[path] = { ...paths[path], [method]: operation }
  }
  const groups = [...new Set(Object.values(descriptions).map(({ group }) => group))]
  return {
    openapi: '3.1.1',
    info: { title: 'Dala', version, description: documentIntroduction, license: { name: 'MIT', identifier: 'MIT' } },
    security: [{ bearer: [] }],
    tags: groups.map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...errorSchemas,
        ...paginationSchemas,
        ...linkSchemas,
        ...conditionSchemas(),
        ...Object.fromEntries(Object.values(registry).flatMap((resource) => Object.entries(recordSchemas(resource)))),
      },
      responses: refusals.responses,
      parameters: {
        ...Object.fromEntries(Object.entries(sharedKeys).map(([name, key]) => [name, parameterOf(key)])),
        ...sharedHeaders,
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in' } },
    },
  }
}
