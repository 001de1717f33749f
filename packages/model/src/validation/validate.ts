/** Checks a body against its declaration. The API and the forms both use it. */
import type { Resource } from '../declaration/define-resource.ts'
import { type ErrorCode, type Issue } from '../errors/errors.ts'
import { type Field, isLink, isScalar, isToOne, kindOf, type LinkField, type ScalarField } from '../fields/field.ts'
import { isBlankText } from '../fields/text-kinds.ts'
import { maxInteger } from '../fields/value-kinds.ts'

/**
 * Modes of validating a body: `create` requires all required fields, `translate` the localized ones, `update`
 * none.
 */
export type ValidationMode = 'create' | 'update' | 'translate'

/** Target of a link: an id, or one of the two public paths of an uploaded file (contract §10). */
export type LinkTarget = number | { url: string }

/** A checked link: the list that replaces the present one, or the changes to it. */
export type LinkChange = { set: LinkTarget[] } | { connect: LinkTarget[]; disconnect: LinkTarget[] }

export interface ValidatedRecord {
  /** Checked scalar values by field, nulls included; defaults are filled in on create. */
  values: Record<string, unknown>
  /** Checked changes of links by field. */
  links: Record<string, LinkChange>
  issues: Issue[]
}

/**
 * Checks the body of a write. Unknown and read-only keys are ignored, because clients send back whole records
 * (contract §4, §15).
 *
 * @param resource - The declaration.
 * @param draft - The inner body (`data`).
 * @param mode - Which fields the body must have.
 * @param options - `readOnlyToo` lets seeds set what the server sets. `asForm` reports every missing required
 *   field as empty, with the text of requirements §5; on the wire an absent or null field "must be defined"
 *   (contract §4).
 * @returns Checked values, link changes, and all issues at once; the issues are empty for a valid body.
 * @example
 * validate(resources.tags, { name: 'Bees' }, 'update') // { values: { name: 'Bees' }, links: {}, issues: [] }
 */
export function validateRecord(
  resource: Resource,
  draft: Readonly<Record<string, unknown>>,
  mode: ValidationMode,
  { readOnlyToo = false, asForm = false }: { readOnlyToo?: boolean; asForm?: boolean } = {},
): ValidatedRecord {
  const result: ValidatedRecord = { values: {}, links: {}, issues: [] }
  for (const [name, field] of Object.entries(resource.fields)) {
    if ((field.readOnly && !readOnlyToo) || field.kind === 'count') continue
    const value = Object.hasOwn(draft, name) ? draft[name] : undefined
    const isValueNeeded = mode === 'create' || (mode === 'translate' && field.localized === true)
    if (isLink(field)) checkLink(name, field, value, isValueNeeded, asForm, result)
    else if (isScalar(field)) checkValue(name, field, value, isValueNeeded, asForm, result)
  }
  return result
}

/**
 * Checks one field of a form while the user types; undefined when it is valid.
 *
 * @example
 * validateField(resources.tags, 'name', '', 'create')?.code // 'validation.name'
 */
export function validateField(
  resource: Resource,
  name: string,
  value: unknown,
  mode: ValidationMode,
): Issue | undefined {
  return validateRecord(resource, { [name]: value ?? null }, mode, { asForm: true }).issues.find(
    (issue) => issue.path[0] === name,
  )
}

function checkValue(
  name: string,
  field: ScalarField,
  value: unknown,
  isValueNeeded: boolean,
  writesForm: boolean,
  result: ValidatedRecord,
) {
  const kind = kindOf(field)
  const preset = 'default' in field ? field.default : undefined
  const failWith = (code: ErrorCode, params?: Issue['params']) =>
    result.issues.push({ path: [name], code, params: { field: name, ...params } })

  // The server fills an empty slug from another field and reports when that fails (content-model).
  const isRequired = field.required && !('slugFrom' in field && field.slugFrom)
  if (value === undefined) {
    if (!isValueNeeded) return
    if (preset !== undefined) result.values[name] = preset
    else if (isRequired) failWith(missingCode(field, value, isValueNeeded, writesForm))
    return
  }
  // Unset values never conflict, but two empty texts would, so unique fields store null.
  const isEmptyValue = value === null || kind.isEmpty?.(value) === true || (field.unique === true && value === '')
  if (isEmptyValue || (field.required && isBlankText(value))) {
    if (isRequired) failWith(missingCode(field, value, isValueNeeded, writesForm))
    else result.values[name] = preset ?? null
    return
  }
  const acceptedValue = kind.accept(value, field)
  if ('code' in acceptedValue) failWith(acceptedValue.code, acceptedValue.params)
  else result.values[name] = acceptedValue.value
}

/**
 * Returns the error code of a missing value. On an update, null is a type error. An absent value must be
 * defined; an empty value has its own message.
 */
function missingCode(field: Field, value: unknown, isValueNeeded: boolean, asForm: boolean): ErrorCode {
  const isAbsent = value === undefined || value === null
  if (asForm || !isAbsent) return field.message ?? 'validation.required'
  return isValueNeeded ? 'validation.required' : 'validation.null'
}

function checkLink(
  name: string,
  field: LinkField,
  value: unknown,
  isValueNeeded: boolean,
  writesForm: boolean,
  result: ValidatedRecord,
) {
  const addIssue = (code: ErrorCode, params?: Issue['params']) =>
    result.issues.push({ path: [name], code, params: { field: name, ...params } })
  if (value === undefined) {
    if (isValueNeeded && field.required) addIssue(missingCode(field, value, isValueNeeded, writesForm))
    return
  }
  const change = toLinkChange(value)
  if (!change || (field.target !== 'uploads' && namesPath(change))) return addIssue('validation.relation')
  if ('set' in change) {
    if (isToOne(field)) change.set = change.set.slice(-1)
    if (field.required && change.set.length === 0) return addIssue(missingCode(field, value, isValueNeeded, writesForm))
  }
  const max = isToOne(field) ? undefined : field.maxItems
  const namedTargets = 'set' in change ? change.set : change.connect
  // A link's target that is named twice counts once. `connect` is limited by the targets that it adds, not by
  // those already linked.
  if (max !== undefined && new Set(namedTargets.map(keyOf)).size > max) return addIssue('validation.maxItems', { max })
  result.links[name] = change
}

const keyOf = (target: LinkTarget) => (typeof target === 'number' ? target : target.url)

/** Only links to files may use a path (contract §10). */
function namesPath(change: LinkChange): boolean {
  const targets = 'set' in change ? change.set : [...change.connect, ...change.disconnect]
  return targets.some((target) => typeof target === 'object')
}

/**
 * Reads a link of a body in any form of contract §4; undefined for anything else.
 *
 * @example
 * toLinkChange(5) // { set: [5] }
 * toLinkChange({ connect: [1], disconnect: 2 }) // { connect: [1], disconnect: [2] }
 */
export function toLinkChange(value: unknown): LinkChange | undefined {
  if (value === null) return { set: [] }
  if (Array.isArray(value)) return toSetChange(value)
  if (typeof value !== 'object') return toSetChange([value])
  if ('set' in value) return toSetChange(toLinkItems(value.set))
  if ('connect' in value || 'disconnect' in value) {
    const connectTargets = toTargets('connect' in value ? toLinkItems(value.connect) : [])
    const disconnectTargets = toTargets('disconnect' in value ? toLinkItems(value.disconnect) : [])
    return connectTargets && disconnectTargets && { connect: connectTargets, disconnect: disconnectTargets }
  }
  return toSetChange([value])
}

function toLinkItems(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function toSetChange(items: unknown[]): LinkChange | undefined {
  const linkTargets = toTargets(items)
  return linkTargets && { set: linkTargets }
}

function toTargets(items: unknown[]): LinkTarget[] | undefined {
  const targets: LinkTarget[] = []
  for (const item of items) {
    const target = toTarget(item)
    if (target === undefined) return undefined
    targets.push(target)
  }
  return targets
}

function toTarget(item: unknown): LinkTarget | undefined {
  if (typeof item === 'object' && item !== null && 'id' in item) return toTarget(item.id)
  if (typeof item === 'string' && /^\/[\w.-]+$|^\/uploads\/[\w.-]+$/.test(item)) return { url: item }
  const id = typeof item === 'string' && /^\d{1,10}$/.test(item) ? Number(item) : item
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= maxInteger ? id : undefined
}
