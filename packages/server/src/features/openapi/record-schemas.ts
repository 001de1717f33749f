/** Derives the schemas of a resource's records, drafts and filters from its declaration. */
import {
  type Field,
  idSchema,
  isLink,
  isScalar,
  isToMany,
  isToOne,
  type JsonSchema,
  kindOf,
  locales,
  momentSchema,
  readSchema,
  type Resource,
  type Storage,
  validateRecord,
  writeSchema,
} from '@dala/model'
import { exactObject, listOf, schemaRef } from '../../http/description.ts'
import { describeField, singularLabel } from './labels.ts'

/** Resources of a document by name: those of the product, or those of a test. */
export type Registry = Readonly<Record<string, Resource>>
type Schemas = Record<string, JsonSchema>

const localeSchema: JsonSchema = { type: 'string', enum: locales }

/** Returns the fields of a resource that at least one role may read. */
const shownFields = (resource: Resource): [string, Field][] =>
  Object.entries<Field>(resource.fields).filter(([, field]) => !field.private)

/** Builds the schemas of the fields that every record has besides the declared ones (contract §4). */
function systemSchemas({ localized }: Resource): Schemas {
  return {
    createdAt: momentSchema,
    updatedAt: momentSchema,
    version: { type: 'integer', minimum: 1 },
    ...(localized && {
      locale: localeSchema,
      outdated: { type: 'boolean', description: 'The entry it was translated from has changed since' },
    }),
  }
}

/**
 * Builds the attributes of a record: columns, which `fields` may leave out, and links, which appear when
 * populated.
 */
function attributesOf(resource: Resource, isFlat: boolean): Schemas {
  const relatedSchema = (target: string) => schemaRef(`${target}.${isFlat ? 'Record' : 'Entry'}`)
  const linkSchemaOf = (target: string) => {
    const foundSchema = { anyOf: [relatedSchema(target), { type: 'null' }] }
    return isFlat ? foundSchema : exactObject({ data: foundSchema })
  }
  const manySchema = (target: string) =>
    isFlat ? listOf(relatedSchema(target)) : exactObject({ data: listOf(relatedSchema(target)) })
  const fields = shownFields(resource).map(([name, field]): [string, JsonSchema] => {
    const schema = isLink(field)
      ? isToOne(field)
        ? linkSchemaOf(field.target)
        : manySchema(field.target)
      : readSchema(field)
    const note = isLink(field) ? 'only when populated' : undefined
    return [name, { ...schema, description: [describeField(resource, name, field), note].filter(Boolean).join('; ') }]
  })
  return {
    ...Object.fromEntries(fields),
    ...systemSchemas(resource),
    ...(resource.localized && { localizations: { ...manySchema(resource.name), description: 'The other languages' } }),
  }
}

/** Builds the schema of a request body; `mode` decides which fields are required. */
function draftSchema(resource: Resource, mode: 'create' | 'update'): JsonSchema {
  const writableFields = Object.entries<Field>(resource.fields).filter(
    ([, field]) => !field.readOnly && field.kind !== 'count',
  )
  const properties = Object.fromEntries(
    writableFields.map(([name, field]) => [
      name,
      { ...writeSchema(field, schemaRef), ...noteOf(resource, name, field) },
    ]),
  )
  // Links that name the author are filled in before the body is checked.
  const requiredErrors = validateRecord(resource, {}, 'create')
    .issues.map(({ path: [name] }) => String(name))
    .filter((name) => !isFilledIn(resource.fields[name]))
  return {
    type: 'object',
    description: `${singularLabel(resource)}. Other keys are ignored, so a record that was read may be sent back.`,
    properties: {
      ...properties,
      ...(mode === 'create' && resource.localized && { locale: localeSchema }),
      ...(mode === 'update' && {
        version: { type: 'integer', description: 'The version that was read; 409 when the record has changed since' },
      }),
    },
    ...(mode === 'create' && requiredErrors.length > 0 && { required: requiredErrors }),
  }
}

const isFilledIn = (field: Field | undefined) =>
  field !== undefined && 'setToCaller' in field && field.setToCaller !== undefined

function noteOf(resource: Resource, name: string, field: Field): { description: string } {
  const notes = [
    describeField(resource, name, field),
    'default' in field && field.default !== undefined ? `${String(field.default)} when absent` : undefined,
    isToMany(field) && field.maxItems !== undefined ? `at most ${field.maxItems}` : undefined,
  ]
  return { description: notes.filter(Boolean).join('; ') }
}

const storageOf = (field: Field): Storage => (isScalar(field) ? kindOf(field).storage : 'integer')

/** Builds the schema of filters on a resource, as deep as its links go (contract §6). */
function filtersSchema(resource: Resource): JsonSchema {
  const filtersRef = schemaRef(`${resource.name}.Filters`)
  const fields = shownFields(resource).map(([name, field]): [string, JsonSchema] => [
    name,
    isLink(field)
      ? { anyOf: [schemaRef('Condition.link'), schemaRef(`${field.target}.Filters`)] }
      : schemaRef(`Condition.${storageOf(field)}`),
  ])
  return {
    type: 'object',
    properties: {
      id: schemaRef('Condition.integer'),
      ...Object.fromEntries(fields),
      createdAt: schemaRef('Condition.timestamp'),
      updatedAt: schemaRef('Condition.timestamp'),
      version: schemaRef('Condition.integer'),
      ...(resource.localized && {
        locale: schemaRef('Condition.text'),
        outdated: schemaRef('Condition.boolean'),
        localizations: { anyOf: [schemaRef('Condition.link'), filtersRef] },
      }),
      $and: listOf(filtersRef),
      $or: listOf(filtersRef),
      $not: filtersRef,
    },
    additionalProperties: false,
  }
}

/**
 * Builds the schemas of one resource.
 *
 * @param resource - The declared resource.
 * @returns `Record` (flat), `Entry` (with attributes), `Draft` and `Change` (bodies), `Filters`, and for
 * wrapped resources the bodies `Single` and `List`.
 */
export function recordSchemas(resource: Resource): Schemas {
  const { name } = resource
  const attributes = attributesOf(resource, false)
  const entry = exactObject({ id: idSchema, attributes: exactObject(attributes, Object.keys(attributes)) })
  const flatAttributes = attributesOf(resource, true)
  const schemas: Schemas = {
    Record: {
      ...exactObject({ id: idSchema, ...flatAttributes }, Object.keys(flatAttributes)),
      description: `${singularLabel(resource)}, flat`,
    },
    Entry: { ...entry, description: singularLabel(resource) },
    Draft: draftSchema(resource, 'create'),
    Change: draftSchema(resource, 'update'),
    Filters: filtersSchema(resource),
    ...(!resource.unwrapped && {
      Single: exactObject({ data: schemaRef(`${name}.Entry`), meta: exactObject({}) }),
      List: exactObject({
        data: listOf(schemaRef(`${name}.Entry`)),
        meta: exactObject({ pagination: schemaRef('Pagination') }),
      }),
    }),
  }
  return Object.fromEntries(Object.entries(schemas).map(([kind, schema]) => [`${name}.${kind}`, schema]))
}

const count: JsonSchema = { type: 'integer', minimum: 0 }
const estimatedTotal: JsonSchema = {
  const: true,
  description: 'The total is an estimate from a sample of a long list; a page that is not full makes it exact.',
}

/** Schemas of the three pagination shapes of contract §5, and of their variants without totals. */
export const paginationSchemas: Schemas = {
  'Pagination.pages': exactObject(
    { page: count, pageSize: count, pageCount: count, total: count, estimated: estimatedTotal },
    ['pageCount', 'total', 'estimated'],
  ),
  'Pagination.rows': exactObject({ start: count, limit: count, total: count, estimated: estimatedTotal }, [
    'total',
    'estimated',
  ]),
  Pagination: { oneOf: [schemaRef('Pagination.pages'), schemaRef('Pagination.rows')] },
}
