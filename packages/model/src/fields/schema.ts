/** Fields in the OpenAPI document: JSON Schemas of their values, with null where a value may be missing. */
import { type Field, isLink, isScalar, kindOf, type LinkField, type ScalarField } from './field.ts'
import type { JsonSchema } from './kind.ts'
import { maxInteger } from './value-kinds.ts'

/** A positive 32-bit integer (contract §1). */
export const idSchema: JsonSchema = { type: 'integer', minimum: 1, maximum: maxInteger }

/** Extends a schema by the value null. */
function makeNullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  if (Object.keys(schema).length === 0) return schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) }
}

/**
 * Tells whether every record has a value of the field; other columns may be null (contract §4, "unset =
 * null").
 */
function isNeverNull(field: ScalarField): boolean {
  return field.required === true || ('default' in field && field.default !== undefined)
}

/**
 * Returns the JSON schema of a scalar or a count as it is read. Links have no schema of their own but that of
 * their target.
 *
 * @example
 * readSchema({ kind: 'bool' }) // { type: ['boolean', 'null'] }
 */
export function readSchema(
  field: Exclude<Field, { kind: 'relation' | 'relations' | 'picture' | 'pictures' }>,
): JsonSchema {
  if (!isScalar(field)) return { type: 'integer', minimum: 0 }
  const { read } = kindOf(field).schema(field)
  return isNeverNull(field) ? read : makeNullable(read)
}

/**
 * Every form of a link in a body (contract §4); pictures also accept the two paths of a file (contract §10).
 */
function linkForms(takesPaths: boolean): JsonSchema {
  const id = { anyOf: [idSchema, { type: 'string', pattern: '^\\d{1,10}$' }] }
  const path = { type: 'string', pattern: '^(/uploads)?/[\\w.-]+$' }
  const record = { type: 'object', properties: { id }, required: ['id'] }
  const item = { anyOf: [...id.anyOf, record, ...(takesPaths ? [path] : [])] }
  const list = { type: 'array', items: item }
  const nullableLink = { anyOf: [...item.anyOf, list, { type: 'null' }] }
  const edit = (key: string) => ({ type: 'object', properties: { [key]: nullableLink }, required: [key] })
  return { anyOf: [...nullableLink.anyOf, edit('set'), edit('connect'), edit('disconnect')] }
}

/** Schemas of links in bodies, by the names that fields refer to. */
export const linkSchemas: Readonly<Record<'Link' | 'Link.picture', JsonSchema>> = {
  Link: {
    ...linkForms(false),
    description:
      'An id, its digits or an object with it; null or [] clears. Lists and `set` replace what is there, in the order given; `connect` and `disconnect` edit it.',
  },
  'Link.picture': { ...linkForms(true), description: 'As a link; the path of an uploaded file names it too.' },
}

const emptyInputs = [null, [], { set: null }, { set: [] }]

/** A link in a body; only files have a path (contract §10). */
function linkSchema(field: LinkField, formsOf: FormsOf): JsonSchema {
  const forms = formsOf(field.target === 'uploads' ? 'Link.picture' : 'Link')
  return field.required ? { ...forms, not: { enum: emptyInputs } } : forms
}

type FormsOf = (name: keyof typeof linkSchemas) => JsonSchema

/**
 * Returns the JSON schema of a field in a body; `formsOf` refers to the forms of links instead of repeating
 * them.
 *
 * @example
 * writeSchema({ kind: 'text', required: true }) // { type: 'string', maxLength: 255, pattern: '\\S' }
 */
export function writeSchema(field: Field, formsOf: FormsOf = (name) => linkSchemas[name]): JsonSchema {
  if (isLink(field)) return linkSchema(field, formsOf)
  if (!isScalar(field)) return readSchema(field)
  const kind = kindOf(field)
  const { write } = kind.schema(field)
  // The server fills an empty slug from another field.
  if (field.required && !('slugFrom' in field && field.slugFrom)) {
    const isText = write.type === 'string' && write.enum === undefined && write.pattern === undefined
    return isText ? { ...write, pattern: '\\S' } : write
  }
  // Formatted texts, numbers and days have no empty form: '' means no value.
  const takesEmptyText = kind.isEmpty?.('') === true
  return makeNullable(
    takesEmptyText
      ? { anyOf: [write, { type: 'string', ...(field.required ? { pattern: '^\\s*$' } : { maxLength: 0 }) }] }
      : write,
  )
}
