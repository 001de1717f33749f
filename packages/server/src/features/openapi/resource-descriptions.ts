/**
 * Describes the generic routes of `resources/routes.ts`, derived from the declarations (contract §3, §4, §8,
 * §9).
 */
import {
  type CallerRole,
  decideAccess,
  type ErrorCode,
  type JsonSchema,
  localeIds,
  locales,
  momentSchema,
  type OperationName,
  type Resource,
  roleTypes,
} from '@dala/model'
import {
  type Descriptions,
  exactObject,
  json,
  listOf,
  type RouteDescription,
  schemaRef,
} from '../../http/description.ts'
import { hasTrash } from '../../resources/write/restore.ts'
import { filtersOf } from './parameters.ts'
import type { Registry } from './record-schemas.ts'
import { pluralLabel, singularLabel } from './labels.ts'
import { bodyOf, codesInAreas, refusalsOfWrites } from './write-parts.ts'

const readCodes: readonly ErrorCode[] = [...codesInAreas('query', 'access'), 'locale.unknown']

/** Lists the rights of an operation by role: `all` or `bounded`. Roles without the right are left out. */
function rolesOf(resource: Resource, operation: OperationName): Record<string, string> {
  const askers: [name: string, asker: CallerRole][] = roleTypes.map((role) => [role, { role, isConsultant: false }])
  askers.push(['consultant', { role: 'authenticated', isConsultant: true }])
  const roles = askers.flatMap(([name, asker]): [string, string][] => {
    const grant = decideAccess(resource.access, operation, asker)
    return grant === false ? [] : [[name, grant === true ? 'all' : 'bounded']]
  })
  return Object.fromEntries(roles)
}

type Part = Pick<RouteDescription, 'summary' | 'query' | 'answers'> & Partial<RouteDescription>

/** Adds the parts that all routes of a resource share to the description of one route. */
function describeOperation(
  resource: Resource,
  operation: OperationName,
  verb: string,
  routePart: Part,
): RouteDescription {
  const roles = rolesOf(resource, operation)
  const isRead = operation === 'list' || operation === 'get'
  const hasNoRoles = Object.keys(roles).length === 0
  return {
    group: pluralLabel(resource),
    id: `${resource.name}.${verb}`,
    refusals: isRead ? readCodes : refusalsOfWrites(resource),
    ...routePart,
    ...(hasNoRoles && { details: 'Nobody may do this over the API.', answers: {} }),
    roles,
  }
}

const missingCodes: readonly ErrorCode[] = ['record.not-found']
/** Header that makes a POST idempotent. */
const idempotentParameters = ['idempotencyKey']

function describeTranslationRoute(resource: Resource): RouteDescription {
  const draft = {
    allOf: [schemaRef(`${resource.name}.Change`), { properties: { locale: { enum: locales } }, required: ['locale'] }],
  }
  return describeOperation(resource, 'update', 'translate', {
    summary: `Add a language to ${singularLabel(resource)}`,
    details:
      'The body is flat; `{data: {…}}` is also accepted. Shared fields and links that are absent keep the values of the record; those that are present change in all languages. The answer is flat.',
    query: [],
    headers: idempotentParameters,
    body: json({ anyOf: [draft, { type: 'object', properties: { data: draft }, required: ['data'] }] }),
    answers: {
      200: json({ allOf: [schemaRef(`${resource.name}.Record`), { required: ['locale', 'localizations'] }] }),
    },
  })
}

function describeCollection(resource: Resource): Descriptions {
  const basePath = `/api/${resource.wire}`
  const { name, localized } = resource
  const shape = json(schemaRef(resource.unwrapped ? `${name}.Record` : `${name}.Single`))
  const shownParameters = ['fields', 'populate', 'relatedLocale']
  const languages = localized ? ['locale', 'fallback', 'missingLocale', 'outdatedLocale'] : ['relatedLocale']
  return {
    ...(!resource.unwrapped && {
      [`GET ${basePath}`]: describeOperation(resource, 'list', 'list', {
        summary: `List ${pluralLabel(resource)}`,
        query: [filtersOf(name), 'search', 'sort', 'pagination', 'fields', 'populate', ...languages],
        answers: { 200: json(schemaRef(`${name}.List`)) },
      }),
    }),
    [`GET ${basePath}/:id`]: describeOperation(resource, 'get', 'get', {
      summary: `Read ${singularLabel(resource)}`,
      query: shownParameters,
      answers: { 200: shape },
      refusals: [...readCodes, ...missingCodes, ...(name === 'users' ? ['user.not-found' as const] : [])],
    }),
    [`POST ${basePath}`]: describeOperation(resource, 'create', 'create', {
      summary: `Create ${singularLabel(resource)}`,
      ...(localized && { details: 'The language is `data.locale`, or else `locale` of the query, or else English.' }),
      query: localized ? ['fields', 'populate', 'locale'] : shownParameters,
      headers: idempotentParameters,
      body: bodyOf(resource, 'Draft'),
      answers: { [resource.unwrapped ? 201 : 200]: shape },
    }),
    [`PUT ${basePath}/:id`]: describeOperation(resource, 'update', 'update', {
      summary: `Change ${singularLabel(resource)}`,
      details: localized
        ? 'Absent fields keep their values. Fields without a separate value in each language change in all languages.'
        : 'Absent fields keep their values.',
      query: shownParameters,
      body: bodyOf(resource, 'Change'),
      answers: { 200: shape },
    }),
    [`DELETE ${basePath}/:id`]: describeOperation(resource, 'remove', 'remove', {
      summary: `Delete ${singularLabel(resource)}`,
      query: ['fields', 'populate', ...(localized ? ['family'] : [])],
      answers: { 200: shape },
    }),
    ...(hasTrash(resource) && {
      [`POST ${basePath}/:id/restore`]: describeOperation(resource, 'remove', 'restore', {
        summary: `Restore ${singularLabel(resource)}`,
        details:
          'Possible within 30 days of the deletion. Everything that was deleted with the record is restored too, with the links whose other end still exists. A restore is a write: callers who may not write the record today are refused, and content that requires moderation waits for a moderator.',
        query: shownParameters,
        headers: idempotentParameters,
        answers: { 200: shape },
      }),
    }),
    ...(localized && { [`POST ${basePath}/:id/localizations`]: describeTranslationRoute(resource) }),
  }
}

function describeSingleType(resource: Resource): Descriptions {
  const basePath = `/api/${resource.wire}`
  const shape = json(schemaRef(`${resource.name}.Single`))
  return {
    [`GET ${basePath}`]: describeOperation(resource, 'get', 'get', {
      summary: `Read ${singularLabel(resource)}`,
      query: ['language', 'fields', 'populate'],
      answers: { 200: shape },
      refusals: [...readCodes, ...missingCodes],
    }),
    [`PUT ${basePath}`]: describeOperation(resource, 'update', 'update', {
      summary: `Write ${singularLabel(resource)}`,
      details: 'Creates the record or its language if it does not exist yet. Absent fields keep their values.',
      query: ['language', 'fields', 'populate'],
      body: bodyOf(resource, 'Change'),
      answers: { 200: shape },
    }),
    [`DELETE ${basePath}`]: describeOperation(resource, 'remove', 'remove', {
      summary: `Delete a language of ${singularLabel(resource)}`,
      query: ['family', 'fields', 'populate'],
      answers: { 200: shape },
    }),
    [`POST ${basePath}/localizations`]: describeTranslationRoute(resource),
  }
}

/** Describes the list forms that only accounts have (contract §3). */
function describeAccounts(users: Resource, roles: Resource): Descriptions {
  const people = listOf(schemaRef('users.Record'))
  const count: JsonSchema = { type: 'integer', minimum: 0 }
  const key = (name: string, description: string) => ({ name, description, schema: { type: 'integer' } })
  const page = exactObject({ data: people, count, meta: exactObject({ pagination: schemaRef('Pagination.rows') }) })
  return {
    'GET /api/users': describeOperation(users, 'list', 'list', {
      summary: `List ${pluralLabel(users)}`,
      details:
        'Without `start` and `limit`, the answer is a bare list of at most 1000 accounts; with either, a page and the number of matches.',
      query: [
        filtersOf('users'),
        'search',
        'sort',
        'fields',
        'populate',
        key('start', 'Number of rows to skip.'),
        key('limit', 'Rows of a page: 15 by default, at most 100.'),
      ],
      answers: { 200: json({ oneOf: [people, page] }) },
    }),
    'GET /api/users/count': describeOperation(users, 'list', 'count', {
      summary: `Count ${pluralLabel(users)}`,
      query: [filtersOf('users')],
      answers: { 200: json(count) },
    }),
    'GET /api/users/me': {
      group: pluralLabel(users),
      id: 'users.me',
      ungated: true,
      summary: 'Read the caller’s account',
      query: ['fields', 'populate', 'relatedLocale'],
      answers: { 200: json(schemaRef('users.Record')) },
      refusals: [...readCodes, 'user.not-found'],
    },
    'GET /api/users-permissions/roles': describeOperation(roles, 'list', 'listFlat', {
      summary: `List ${pluralLabel(roles)} with the number of their accounts`,
      query: [],
      answers: { 200: json(exactObject({ roles: listOf(schemaRef('roles.Record')) })) },
    }),
  }
}

const languages: Descriptions = {
  'GET /api/i18n/locales': {
    group: 'Languages',
    id: 'locales.list',
    summary: 'List the languages of content',
    open: true,
    answers: {
      200: json(
        listOf(
          exactObject({
            id: { type: 'integer', enum: Object.values(localeIds) },
            name: { type: 'string' },
            code: { type: 'string', enum: locales },
            isDefault: { type: 'boolean' },
            createdAt: momentSchema,
            updatedAt: momentSchema,
          }),
        ),
      ),
    },
  },
}

/**
 * Describes the generic routes of every resource.
 *
 * @param registry - The resources by name.
 * @returns The descriptions by route.
 */
export function describeResources(registry: Registry): Descriptions {
  const { users, roles } = registry
  const resourceDescriptions = Object.values(registry).map((resource) =>
    resource.single ? describeSingleType(resource) : describeCollection(resource),
  )
  return Object.assign(
    {},
    languages,
    ...resourceDescriptions,
    users && roles && describeAccounts(users, roles),
  ) as Descriptions
}
