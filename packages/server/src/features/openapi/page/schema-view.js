/** Shows JSON Schemas: a short description of a value, and its content on demand. */
import { foldable, make, prose } from './elements.js'

const nameOf = (reference) => reference.split('/').at(-1)

/** Describes the limits of a schema's value. */
function limitsOf(schema) {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, maxItems, format, pattern } = schema
  return [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength && `at least ${minLength} characters`,
    maxLength && `at most ${maxLength} characters`,
    maxItems && `at most ${maxItems} items`,
    format ?? (pattern && `like ${pattern}`),
  ].filter(Boolean)
}

function kindOf(schema) {
  if (schema.$ref) return nameOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(wordsOf))].join(' or ')
  if (schema.allOf) return schema.allOf.map(wordsOf).join(' with ')
  if (schema.type === 'array') return `list of ${wordsOf(schema.items ?? {})}`
  return [schema.type ?? 'anything'].flat().join(' or ')
}

/** Describes a value in a few words: `string or null (at most 255 characters)`. */
export function wordsOf(schema) {
  const limits = limitsOf(schema)
  return kindOf(schema) + (limits.length > 0 ? ` (${limits.join(', ')})` : '')
}

/** Returns the expandable content of a value: its own properties, and the named schemas that it consists of. */
function insidesOf(schema) {
  if (schema.$ref) return [schema]
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...(schema.properties ? [schema] : []), ...parts.flatMap(insidesOf)]
}

function propertyView(name, schema, isRequired, schemas) {
  const value = [make('code', {}, wordsOf(schema)), schema.description ? ` ${schema.description}` : undefined]
  return [
    make('dt', {}, make('code', {}, name), isRequired ? make('span', { class: 'note' }, ' required') : undefined),
    make('dd', {}, value, insideView(schema, schemas)),
  ]
}

function propertiesView({ properties = {}, required = [] }, schemas) {
  const rows = Object.entries(properties).flatMap(([name, schema]) =>
    propertyView(name, schema, required.includes(name), schemas),
  )
  return make('dl', {}, rows)
}

/** Creates the collapsed content of a schema's value. */
export function insideView(schema, schemas) {
  return insidesOf(schema).map((innerSchema) => {
    const namedSchema = innerSchema.$ref ? schemas[nameOf(innerSchema.$ref)] : innerSchema
    return foldable({}, innerSchema.$ref ? nameOf(innerSchema.$ref) : 'Keys', () => [
      ...(innerSchema.$ref && namedSchema.description ? prose(namedSchema.description) : []),
      ...(namedSchema.properties
        ? [propertiesView(namedSchema, schemas)]
        : [make('p', {}, make('code', {}, wordsOf(namedSchema)))]),
      ...(namedSchema.properties ? [] : insideView(namedSchema, schemas)),
    ])
  })
}

/** Shows the schema of a body: its keys immediately, or its description and content. */
export function schemaView(schema, schemas) {
  if (schema.properties) return [propertiesView(schema, schemas)]
  return [make('p', {}, make('code', {}, wordsOf(schema))), ...insideView(schema, schemas)]
}
