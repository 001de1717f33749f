/** The registry of the model: every resource by name, checked as a whole before anything uses it. */
import { decideAccess, operationNames, type OperationName, roleTypes } from '../access/access.ts'
import { hasTrash, type Resource } from './define-resource.ts'
import { type Field, isLink, isScalar, isToMany, isToOne, kindOf } from '../fields/field.ts'
import { catalogue } from '../errors/errors.ts'

/** Names that queries and answers use for themselves; fields cannot have them. */
const reservedWires = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'version',
  'locale',
  'localizations',
  'outdated',
  'attributes',
])

/** Faults in declarations of resources, each with its path: `news.fields.tags.inverse`. */
export class DeclarationFault extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The model is declared wrongly:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'DeclarationFault'
    this.faults = faults
  }
}

export type Registry<R extends Record<string, Resource> = Record<string, Resource>> = Readonly<R>

/**
 * Checks all declarations together.
 *
 * @param resources - The declarations by name.
 * @returns The same declarations.
 * @throws `DeclarationFault` with the path of every mistake: unknown targets, inverses that do not match,
 *   unknown columns, defaults outside their limits, duplicate names.
 * @example
 * const registry = buildRegistry(resources)
 */
export function buildRegistry<const R extends Record<string, Resource>>(resources: R): Registry<R> {
  const faults: string[] = []
  const report = (path: string, faultText: string) => faults.push(`${path}: ${faultText}`)
  const resourcesByName: Record<string, Resource> = resources

  const wires = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const [key, resource] of Object.entries(resourcesByName)) {
    if (resource.name !== key) report(key, `is registered as ${key} but named ${resource.name}`)
    claim(wires, resource.wire, `${key}.wire`, report)
    for (const { path } of resource.screens ?? []) claim(paths, path, `${key}.screens`, report)
    checkResource(resource, resourcesByName, report)
  }
  if (faults.length > 0) throw new DeclarationFault(faults)
  return resources
}

type Report = (path: string, problem: string) => void

function claim(holders: Map<string, string>, value: string, path: string, report: Report) {
  const holder = holders.get(value)
  if (holder) report(path, `"${value}" is taken by ${holder}`)
  holders.set(value, path)
}

function checkResource(resource: Resource, allResources: Record<string, Resource>, report: Report) {
  const { name, fields } = resource
  const isKnownField = (field: string) =>
    field in fields || field === 'id' || field === 'createdAt' || field === 'updatedAt'

  for (const [key, field] of Object.entries(fields))
    checkField(`${name}.fields.${key}`, key, field, resource, allResources, report)

  const { drawingField } = resource
  if (drawingField !== undefined && fields[drawingField]?.kind !== 'choice')
    report(`${name}.drawingField`, `"${drawingField}" is no choice`)
  const title = fields[resource.title]
  if (!title || !isScalar(title)) report(`${name}.title`, `no field of its own holds "${resource.title}"`)

  for (const [list, names] of [
    ['list.columns', resource.list?.columns],
    ['list.extraFields', resource.list?.extraFields?.filter((field) => field !== 'version')],
    ['list.search', resource.list?.search],
    ['list.segments', resource.list?.segments === undefined ? [] : [resource.list.segments]],
    ['list.leadPicture', resource.list?.leadPicture === undefined ? [] : [resource.list.leadPicture]],
    ['list.subtitle', resource.list?.subtitle === undefined ? [] : [resource.list.subtitle]],
    ['screens', resource.screens?.flatMap(({ fixedValues }) => Object.keys(fixedValues ?? {}))],
    ['list.filters', resource.list?.filters],
    ['card', resource.card],
    ['titleFields', resource.titleFields],
    ['form.aside', resource.form?.aside],
    ['form.sections', resource.form?.sections.flatMap((section) => section.fields)],
  ] as const) {
    for (const field of names ?? []) if (!isKnownField(field)) report(`${name}.${list}`, `there is no field "${field}"`)
  }
  for (const field of resource.list?.search ?? []) {
    const searchedField = fields[field]
    if (searchedField && !(isScalar(searchedField) && kindOf(searchedField).storage === 'text')) {
      report(`${name}.list.search`, `"${field}" is no text`)
    }
  }
  for (const [rule, names] of [
    ['uniqueTogether', resource.uniqueTogether?.flat()],
    ['orderedPairs', resource.orderedPairs?.flat()],
    ['review', resource.review && [resource.review.state, ...resource.review.reviewedFields]],
    ...operationNames.map((operation) => [`access.${operation}`, allowedFields(resource, operation)] as const),
  ] as const) {
    for (const field of names ?? []) if (!(field in fields)) report(`${name}.${rule}`, `there is no field "${field}"`)
  }
  const { restoredWith } = resource
  if (restoredWith !== undefined) {
    const parent = fields[restoredWith]
    if (!parent || !isToOne(parent) || parent.onDelete !== 'cascade')
      report(`${name}.restoredWith`, `"${restoredWith}" is no link that its records are deleted with`)
    if (!resource.noTrash) report(`${name}.restoredWith`, 'its records have a trash of their own')
  }
  const { listedBy } = resource
  const listingField = listedBy === undefined ? undefined : fields[listedBy]
  if (listedBy !== undefined && !(listingField && isToOne(listingField)))
    report(`${name}.listedBy`, `"${listedBy}" is no link to one record`)
  if (resource.storedAs !== undefined && !(resource.storedAs in allResources))
    report(`${name}.storedAs`, `there is no resource "${resource.storedAs}"`)
  const sort = resource.list?.sort?.replace(/:desc$/, '')
  if (sort !== undefined && !isKnownField(sort)) report(`${name}.list.sort`, `there is no field "${sort}"`)
}

/** Names of the fields in the grants of an operation. */
function allowedFields({ access }: Resource, operation: OperationName): string[] {
  return [...roleTypes, 'consultant' as const].flatMap((role) => {
    const grant = decideAccess(access, operation, {
      role: role === 'consultant' ? 'authenticated' : role,
      isConsultant: role === 'consultant',
    })
    return typeof grant === 'object' ? [...(grant.fields ?? [])] : []
  })
}

function checkField(
  path: string,
  key: string,
  field: Field,
  resource: Resource,
  allResources: Record<string, Resource>,
  report: Report,
) {
  if (reservedWires.has(key)) report(path, 'the name belongs to every record')
  if (!/^[a-z][A-Za-z0-9_]*$/.test(key)) report(path, 'a field name is made of letters, digits and _')
  if (field.message && !(field.message in catalogue)) report(`${path}.message`, `unknown code ${field.message}`)
  if (field.computed && !field.readOnly) report(path, 'what is computed is read-only')
  if (isScalar(field)) {
    for (const transition of ('transitions' in field && field.transitions) || []) {
      for (const actor of transition.by) {
        if (typeof actor === 'object' && !(actor.ownerField in resource.fields))
          report(`${path}.transitions`, `there is no field "${actor.ownerField}"`)
      }
    }
    for (const fault of kindOf(field).faults?.(field) ?? []) report(path, fault)
    const preset = 'default' in field ? field.default : undefined
    if (preset !== undefined) {
      const acceptedValue = kindOf(field).accept(preset, field)
      if ('code' in acceptedValue) report(`${path}.default`, 'the field itself would refuse it')
    }
    const namedSources = {
      from: 'from' in field ? field.from : undefined,
      slugFrom: 'slugFrom' in field ? field.slugFrom : undefined,
    }
    for (const [source, name] of Object.entries(namedSources)) {
      if (name !== undefined && !(name in resource.fields)) report(`${path}.${source}`, `there is no field "${name}"`)
    }
    return
  }
  const target = allResources[field.target]
  if (!target) {
    report(`${path}.target`, `there is no resource "${field.target}"`)
    return
  }
  if (field.kind === 'count') {
    const linkField = target.fields[field.by]
    if (!linkField || !isToOne(linkField) || linkField.target !== resource.name) {
      report(`${path}.by`, `${field.target}.${field.by} does not point at ${resource.name}`)
    }
    return
  }
  if (isToOne(field) && field.onDelete === 'cascade' && hasTrash(target)) {
    // A record that is restored without its parts would lose data silently.
    if (!hasTrash(resource) && resource.restoredWith !== key)
      report(`${path}.onDelete`, `goes with ${target.name}, which has a trash, and does not come back with it`)
  }
  if (field.localized) report(path, 'links belong to the document and cannot differ by language')
  if (isLink(field) && 'setToCaller' in field && field.setToCaller && field.target !== 'users')
    report(`${path}.setToCaller`, 'a caller is one of the users')
  if (!isLink(field) || field.inverse === undefined) return
  const answer = target.fields[field.inverse]
  // Staff are users: a link to the users is a link to staff as well.
  const holder = resource.storedAs ?? resource.name
  if (!answer || !isLink(answer) || answer.target !== holder || answer.inverse !== key) {
    report(`${path}.inverse`, `${field.target}.${field.inverse} does not answer it`)
  } else if (isToOne(field) && isToOne(answer)) {
    report(`${path}.inverse`, 'both sides are to-one')
  } else if (isToMany(field) && isToOne(answer) && !field.readOnly) {
    report(path, `mirrors ${field.target}.${field.inverse}; it must be read-only`)
  }
}
