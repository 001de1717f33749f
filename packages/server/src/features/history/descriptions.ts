/** What the routes of history, use, groups, trash and translations say of themselves. */
import {
  decide,
  type ErrorCode,
  type Field,
  type JsonSchema,
  locales,
  momentSchema,
  type OperationName,
  type Resource,
  roleTypes,
} from '@dala/model'
import {
  type Descriptions,
  exactly,
  json,
  listOf,
  type QueryKey,
  type RouteDescription,
  schemaRef,
} from '../../http/description.ts'
import { canRevert } from './reverting.ts'

type Registry = Readonly<Record<string, Resource>>

const id: JsonSchema = { type: 'integer', minimum: 1 }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const locale: JsonSchema = { enum: [...locales] }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const person = orNull(
  exactly({
    id,
    username: text,
    first_name: orNull(text),
    last_name: orNull(text),
    avatar: orNull(exactly({ id, url: orNull(text) })),
  }),
)
const pages = exactly({ pagination: schemaRef('Pagination') })
const naming: QueryKey = {
  name: 'locale',
  description: 'Language of names, the reader’s own when absent',
  schema: locale,
}
const group = 'History'
const pageCodes: readonly ErrorCode[] = ['query.pagination', 'query.pagination-mixed', 'query.value', 'query.parameter']
const keeping =
  'Staff ask about what they read; others about what they may change themselves. A record out of reach is not there.'

/** What the table of rights says, by role; below the staff only those who also change records. */
function rolesOf({ access }: Resource, operation: OperationName, keepers: boolean): Record<string, string> {
  const roles = roleTypes.flatMap((role): [string, string][] => {
    const asker = { role, isConsultant: false }
    const isBelow = role === 'authenticated' || role === 'public'
    const grants = [decide(access, operation, asker), ...(keepers && isBelow ? [decide(access, 'update', asker)] : [])]
    if (grants.includes(false)) return []
    return [[role, grants.every((grant) => grant === true) ? 'all' : 'bounded']]
  })
  return Object.fromEntries(roles)
}

const shownNames = (resource: Resource) =>
  Object.entries<Field>(resource.fields)
    .filter(([, field]) => !field.private)
    .map(([name]) => name)

/** The routes of one resource. In: the codes that its own writes refuse with. */
function describeRecords(resource: Resource, writes: readonly ErrorCode[]): Descriptions {
  const base = `/api/${resource.wire}`
  const { name } = resource
  const change = exactly({ before: {}, after: {} })
  const line = exactly({
    id,
    at: momentSchema,
    by: person,
    operation: { enum: ['create', 'update', 'remove', 'restore'] },
    locale: orNull(locale),
    job: orNull(id),
    changes: {
      type: 'object',
      propertyNames: { enum: shownNames(resource) },
      additionalProperties: change,
      description: 'Before and after by field; links as `{id, name}` or lists of them, with nulls for what is gone',
    },
  })
  const history: RouteDescription = {
    group,
    id: `${name}.history`,
    summary: `What happened to a record of ${resource.wire}`,
    details: `Newest first: the part that all languages share, and the language of the id. Fields out of sight are left out. ${keeping}`,
    query: ['pagination', { name: 'field', description: 'The changes of this field alone', schema: text }, naming],
    answers: { 200: json(exactly({ data: listOf(line), meta: pages })) },
    refusals: [...pageCodes, 'access.denied', 'record.not-found'],
    roles: rolesOf(resource, 'get', true),
  }
  const uses: RouteDescription = {
    group,
    id: `${name}.uses`,
    summary: `What points at a record of ${resource.wire}`,
    details: `What refuses a delete first (\`restrict\`), then the parts that go too (\`cascade\`), then the links that empty (\`detach\`). Counts are those a delete meets; up to five records of those in sight are named, and \`field\` is null where the caller does not read it. ${keeping}`,
    query: [naming],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              resource: text,
              field: orNull(text),
              count: { type: 'integer', minimum: 1 },
              rule: { enum: ['restrict', 'cascade', 'detach'] },
              records: { ...listOf(exactly({ id, name: orNull(text) })), maxItems: 5 },
            }),
          ),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found'],
    roles: rolesOf(resource, 'get', true),
  }
  const dropped = listOf(exactly({ field: text, count: id }))
  const revert: RouteDescription = {
    group,
    id: `${name}.revert`,
    summary: `Put a record of ${resource.wire} back to what it was`,
    details:
      'To what it was before or after a revision: its language and what all languages share, or the `fields` that are named. It is an update with all its rules. A state with steps is put back only when it is named. Links whose target is gone are dropped and named in `meta.dropped`.',
    headers: ['idempotencyKey'],
    query: ['fields', 'populate', 'relatedLocale'],
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['revision', 'to'],
          properties: {
            revision: id,
            to: { enum: ['before', 'after'] },
            fields: { ...listOf({ enum: shownNames(resource) }), minItems: 1 },
            version: {
              type: 'integer',
              description: 'The version that was read; 409 when the record has changed since',
            },
          },
        },
      },
    }),
    answers: {
      200: json(
        resource.unwrapped
          ? schemaRef(`${name}.Record`)
          : exactly({ data: schemaRef(`${name}.Entry`), meta: exactly({ dropped }) }),
      ),
    },
    refusals: [...writes, 'history.no-record', 'request.unprocessable'],
    roles: rolesOf(resource, 'update', false),
  }
  return {
    ...(!resource.appended && { [`GET ${base}/:id/history`]: history, [`GET ${base}/:id/uses`]: uses }),
    ...(!resource.single && { [`GET ${base}/groups`]: groupsOf(resource) }),
    ...(canRevert(resource) && { [`POST ${base}/:id/revert`]: revert }),
  }
}

function groupsOf(resource: Resource): RouteDescription {
  const value = { anyOf: [id, text, { type: 'boolean' }, { type: 'null' }] }
  const languages = resource.localized ? ['locale', 'fallback', 'missingLocale', 'outdatedLocale'] : ['relatedLocale']
  const filters: QueryKey = {
    name: 'filters',
    description: 'As in the list',
    schema: schemaRef(`${resource.name}.Filters`),
  }
  return {
    group,
    id: `${resource.name}.groups`,
    summary: `Count the list of ${resource.wire} by a field`,
    details:
      'By a choice, a yes/no or a link to one record: `value` is the choice, the truth, or the id of the record in the language of the list; null for none. In the order of the choice, yes before no, or by label.',
    query: [{ name: 'by', description: 'The field', schema: text }, filters, 'search', ...languages],
    answers: {
      200: json(
        exactly({ data: listOf(exactly({ value, label: orNull(text), count: id })), meta: exactly({ total: count }) }),
      ),
    },
    refusals: ['query.parameter', 'query.operator', 'query.value', 'query.too-large', 'access.denied'],
    roles: rolesOf(resource, 'list', false),
  }
}

const trash: RouteDescription = {
  group,
  id: 'trash.list',
  summary: 'What was deleted in the last 30 days and can come back',
  details:
    'Newest first, one line for each record, or for a language that went alone (`whole` is false); `parts` counts what went with it. Only what the caller may restore: `POST /api/{resource}/{id}/restore`.',
  query: [
    'pagination',
    { name: 'resource', description: 'One resource alone, as it is written in paths', schema: text },
    naming,
  ],
  answers: {
    200: json(
      exactly({
        data: listOf(
          exactly({
            resource: text,
            id,
            name: orNull(text),
            at: momentSchema,
            by: person,
            until: momentSchema,
            locales: listOf(locale),
            whole: { type: 'boolean' },
            parts: count,
          }),
        ),
        meta: pages,
      }),
    ),
  },
  refusals: pageCodes,
}

const translations: RouteDescription = {
  group,
  id: 'translations.count',
  summary: 'How far translations are, by resource and language',
  details:
    'Of all resources with languages that the caller lists: `total` documents; `current`, `outdated` and `missing` add up to it.',
  answers: {
    200: json(
      exactly({
        data: listOf(
          exactly({ resource: text, locale, total: count, current: count, outdated: count, missing: count }),
        ),
      }),
    ),
  },
}

/** The codes that writes of a resource are refused with. */
export type RefusalsOfWrites = (resource: Resource) => readonly ErrorCode[]

/** The routes of a registry. In: what the writes of a resource refuse with. */
export function describeHistory(registry: Registry, refusalsOfWrites: RefusalsOfWrites): Descriptions {
  const all = Object.values(registry).map((resource) => describeRecords(resource, refusalsOfWrites(resource)))
  return {
    ...(Object.assign({}, ...all) as Descriptions),
    'GET /api/trash': trash,
    'GET /api/translations': translations,
  }
}
