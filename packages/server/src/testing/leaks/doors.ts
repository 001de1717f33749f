/**
 * Routes that the leak test requests, read from the server's own API document, so that a new route is
 * included.
 */
import { type Field, isLink, isScalar, kindOf, type Resource } from '@dala/model'
import { resourceNamed, resources } from '../../resources/attributes.ts'
import type { OpenApiDocument } from '../../features/openapi/document.ts'

interface Parameter {
  name: string
  choices: readonly string[]
}

/** A route that the leak test requests, with the names in its address and query. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Resource of the route's records; several features use a different word for them in the address. */
  readonly resource: Resource | undefined
  readonly parameters: readonly Parameter[]
}

/** First segments of addresses that name no resource, with the resource that they mean. */
const spokenNames: Readonly<Record<string, string>> = {
  get_customized_rooms: 'chatrooms',
  upload: 'uploads',
  media: 'uploads',
  consultants: 'users',
}

/**
 * Routes without records, or with records of the caller's own actions only; each with the reason why it
 * cannot leak a marker.
 */
const excludedRoutes: Readonly<Record<string, string>> = {
  '/health': 'a status word (checklist §11)',
  '/ready': 'a status word (checklist §11)',
  '/api/docs': 'the page that browses the document',
  '/api/docs/{file}': 'files of that page',
  '/api/certificates/{number}': 'name, course and day of a number that cannot be guessed (e-learning §7)',
  '/api/courses/{id}/learners/{learner}/certificate': 'a PDF of values that the list of learners shows its readers',
  '/api/statistics/shared/page.css': 'a style sheet',
  '/api/statistics/shared/{secret}': 'totals of a report behind a secret that cannot be guessed (statistics §7)',
  '/api/openapi.json': 'made from the declarations, of which none is a marker',
}

interface RawParameter {
  $ref?: string
  name?: string
  in?: string
  schema?: { enum?: unknown[]; type?: string }
}

function parameterOf(rawParameter: RawParameter, document: OpenApiDocument): RawParameter {
  if (rawParameter.$ref === undefined) return rawParameter
  const sharedParameters = document.components.parameters as Record<string, RawParameter>
  return sharedParameters[rawParameter.$ref.split('/').at(-1) ?? ''] ?? rawParameter
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const

/**
 * Lists the routes of the API document for the leak test.
 *
 * @returns Every route of the document, with its resource and the keys of its query
 */
export function routesOf(document: OpenApiDocument): ApiRoute[] {
  const resourcesByWire = new Map(Object.values(resources).map((resource) => [resource.wire, resource]))
  return Object.entries(document.paths)
    .filter(([path]) => !Object.hasOwn(excludedRoutes, path))
    .flatMap(([path, operations]) => {
      const [pathRoot = ''] = path.replace('/api/', '').split('/')
      const resource =
        resourcesByWire.get(pathRoot) ??
        (spokenNames[pathRoot] === undefined ? undefined : resourceNamed(spokenNames[pathRoot]))
      return Object.entries(methods).flatMap(([name, method]): ApiRoute[] => {
        const operation = operations[name]
        if (!operation) return []
        const rawParameters = (operation.parameters ?? []) as RawParameter[]
        const parameters = rawParameters
          .map((listedParameter) => parameterOf(listedParameter, document))
          .filter((resolvedParameter) => resolvedParameter.in === 'query')
          .map(({ name: key = '', schema }) => ({
            name: key,
            choices: schema?.type === 'boolean' ? ['true', 'false'] : (schema?.enum ?? []).map(String),
          }))
        return [{ method, path, resource, parameters }]
      })
    })
}

/** Query keys that the leak test can use. */
const askedParameters: ReadonlySet<string> = new Set(
  (
    'filters sort populate fields by field _q q pagination locale fallback missing_locale ' +
    'outdated_locale resource room pricedate product region districts category ids date from to after before around upTo start limit metric record bucket dim_id columns'
  ).split(' '),
)

/** Routes with `{id}` for which the leak test creates the records itself. */
const ownIds: ReadonlySet<string> = new Set(['/api/bulk/{id}', '/api/bulk/{id}/rows'])

/**
 * Lists what the leak test does not cover.
 *
 * @returns The routes and parameters of the document that the sweep does not cover.
 */
export function findUncoveredRoutes(apiRoutes: readonly ApiRoute[]): string[] {
  return apiRoutes
    .filter(({ method }) => method === 'GET')
    .flatMap(({ path, resource, parameters }) => [
      ...(path.includes('{') && !resource && !ownIds.has(path) ? [`${path}: route not covered`] : []),
      ...(/\{(?!id\})/.test(path) ? [`${path}: route not covered`] : []),
      ...parameters
        .filter(({ name, choices }) => !askedParameters.has(name) && choices.length === 0)
        .map(({ name }) => `${path}: parameter ${name} not covered`),
    ])
}

/** A path from a resource over links to a field of the last one. */
export interface Way {
  readonly startResource: Resource
  readonly links: readonly string[]
  readonly target: Resource
}

const linkNames = ({ fields }: Resource): string[] =>
  Object.entries<Field>(fields).flatMap(([name, field]) => (isLink(field) ? [name] : []))

/** Returns the resource that a link points at. */
export function targetOf(resource: Resource, link: string): Resource {
  const field: Field | undefined = resource.fields[link]
  if (!field || !isLink(field)) throw new Error(`${resource.name}.${link} is no link`)
  return resourceNamed(field.target)
}

/** Returns all paths of at most `depth` links, whatever a caller may see of them. */
export function waysFromResource(startResource: Resource, depth: number): Way[] {
  let lastWays: Way[] = [{ startResource, links: [], target: startResource }]
  const allWays = [...lastWays]
  for (let step = 0; step < depth; step += 1) {
    lastWays = lastWays.flatMap(({ links, target }) =>
      linkNames(target).map((link) => ({ startResource, links: [...links, link], target: targetOf(target, link) })),
    )
    allWays.push(...lastWays)
  }
  return allWays
}

/** Fields that a filter can compare with a value, with operators that match a whole value or a part of it. */
export function comparedFields(resource: Resource): [name: string, operators: readonly string[]][] {
  return Object.entries<Field>(resource.fields).flatMap(([name, field]): [string, readonly string[]][] => {
    if (!isScalar(field) || field.kind === 'password') return []
    const knownOperators: readonly string[] = kindOf(field).operators
    const usefulOperators = ['$eq', '$contains', '$startsWithi', '$in', '$containsi', '$gte'].filter((operator) =>
      knownOperators.includes(operator),
    )
    return usefulOperators.length > 0 ? [[name, usefulOperators]] : []
  })
}
