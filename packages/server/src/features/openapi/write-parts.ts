/**
 * Describes request bodies and refusals of the writes of a resource, besides the schema of its record
 * (contract §4).
 */
import { catalogue, type ErrorCode, type Field, isLink, isToMany, type JsonSchema, type Resource } from '@dala/model'
import { type Content, json, listOf, schemaRef } from '../../http/description.ts'

/** Areas of the error catalogue that any write of a record may refuse with. */
const areasOfWrites = ['validation', 'query', 'locale', 'access', 'record', 'rule', 'state']

/** Areas of the error catalogue that only the rules of some resources use (`behaviours/`). */
const areasByResource: Readonly<Partial<Record<string, readonly string[]>>> = {
  absences: ['desk'],
  chatmessages: ['chat', 'desk'],
  chatrooms: ['chat', 'desk'],
  consultations: ['desk'],
  courses: ['course'],
  lessongroups: ['course', 'lesson'],
  lessons: ['course', 'lesson'],
  listviews: ['view'],
  pricedates: ['price'],
  pricelists: ['price'],
  roles: ['user'],
  routingrules: ['desk', 'routing'],
  staff: ['user'],
  users: ['user'],
}

const codes = Object.keys(catalogue).filter((code): code is ErrorCode => code in catalogue)
const areaOfCode = (code: string) => code.slice(0, code.indexOf('.'))

/** Returns the error codes of some areas of the catalogue. */
export const codesInAreas = (...areas: string[]): ErrorCode[] =>
  codes.filter((code) => areas.includes(areaOfCode(code)))

/** Returns the picture fields, which a multipart form may fill in the same request. */
const picturesOf = ({ fields }: Resource): [string, Field][] =>
  Object.entries<Field>(fields).filter(([, field]) => isLink(field) && field.target === 'uploads' && !field.readOnly)

const takesForms = (resource: Resource) => !resource.unwrapped && !resource.single && picturesOf(resource).length > 0

/** Returns the error codes of a resource's writes; multipart forms with pictures have further ones. */
export function refusalsOfWrites(resource: Resource): readonly ErrorCode[] {
  const areas = [
    ...areasOfWrites,
    ...(areasByResource[resource.name] ?? []),
    ...(takesForms(resource) ? ['upload'] : []),
  ]
  return [...codesInAreas(...areas), 'request.data-missing', 'request.key-reused']
}

/**
 * Describes the request body of a write: wrapped, or flat for accounts; resources with pictures also accept a
 * multipart form.
 */
export function bodyOf(resource: Resource, kind: 'Draft' | 'Change'): Content {
  const draft = schemaRef(`${resource.name}.${kind}`)
  if (resource.unwrapped) return json(draft)
  const wrappedDraft = json({ type: 'object', properties: { data: draft }, required: ['data'] })
  if (!takesForms(resource)) return wrappedDraft
  const file: JsonSchema = { type: 'string', format: 'binary' }
  const parts = picturesOf(resource).map(([name, field]): [string, JsonSchema] => [
    `files.${name}`,
    isToMany(field) ? listOf(file) : file,
  ])
  const data: JsonSchema = { type: 'string', contentMediaType: 'application/json', contentSchema: draft }
  const form = { type: 'object', properties: { data, ...Object.fromEntries(parts) }, required: ['data'] }
  return { ...wrappedDraft, 'multipart/form-data': form }
}
