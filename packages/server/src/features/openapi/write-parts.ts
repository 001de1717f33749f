/** What the writes of a resource take and refuse, beside the schema of its record (contract §4). */
import { catalogue, type ErrorCode, type Field, isLink, isToMany, type JsonSchema, type Resource } from '@dala/model'
import { type Content, json, listOf, schemaRef } from '../../http/description.ts'

/** Areas of the catalogue that any write of a record refuses with. */
const areasOfWrites = ['validation', 'query', 'locale', 'access', 'record', 'rule', 'state']

/** Areas that belong to the rules of some resources alone (`behaviours/`). */
const areasOf: Readonly<Partial<Record<string, readonly string[]>>> = {
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
  staff: ['user'],
  users: ['user'],
}

const codes = Object.keys(catalogue).filter((code): code is ErrorCode => code in catalogue)
const areaOf = (code: string) => code.slice(0, code.indexOf('.'))

/** The codes of some areas of the catalogue. */
export const codesWithin = (...areas: string[]): ErrorCode[] => codes.filter((code) => areas.includes(areaOf(code)))

/** Picture fields, which a form of parts may fill at once. */
const picturesOf = ({ fields }: Resource): [string, Field][] =>
  Object.entries<Field>(fields).filter(([, field]) => isLink(field) && field.target === 'uploads' && !field.readOnly)

const takesForms = (resource: Resource) => !resource.unwrapped && !resource.single && picturesOf(resource).length > 0

/** What the writes of a resource refuse; forms with pictures have reasons of their own. */
export function refusalsOfWrites(resource: Resource): readonly ErrorCode[] {
  const areas = [...areasOfWrites, ...(areasOf[resource.name] ?? []), ...(takesForms(resource) ? ['upload'] : [])]
  return [...codesWithin(...areas), 'request.data-missing', 'request.key-reused']
}

/** A body in its envelope, or flat for accounts; where there are pictures also as a form of parts. */
export function bodyOf(resource: Resource, kind: 'Draft' | 'Change'): Content {
  const draft = schemaRef(`${resource.name}.${kind}`)
  if (resource.unwrapped) return json(draft)
  const wrapped = json({ type: 'object', properties: { data: draft }, required: ['data'] })
  if (!takesForms(resource)) return wrapped
  const file: JsonSchema = { type: 'string', format: 'binary' }
  const parts = picturesOf(resource).map(([name, field]): [string, JsonSchema] => [
    `files.${name}`,
    isToMany(field) ? listOf(file) : file,
  ])
  const data: JsonSchema = { type: 'string', contentMediaType: 'application/json', contentSchema: draft }
  const form = { type: 'object', properties: { data, ...Object.fromEntries(parts) }, required: ['data'] }
  return { ...wrapped, 'multipart/form-data': form }
}
