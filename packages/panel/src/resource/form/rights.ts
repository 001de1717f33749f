/**
 * The rights of the user in a form: which fields they read and write, and which transitions of a state they
 * may make.
 */
import { type Entry, type Field, rankOfRole, type Resource, type Transition, transitionsFor } from '@dala/model'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { isEntry, type Values } from './values.ts'
import { grantForUser } from '../use-may.ts'

export interface FormRights {
  /** Whether the user may save some field of the form. */
  mayWrite: boolean
  mayCreate: boolean
  /**
   * Whether the form shows a field. A field that is never read, such as a password, is shown only to users
   * who write it.
   */
  mayRead: (name: string) => boolean
  mayWriteField: (name: string) => boolean
  /** The resource with only the fields that the user may write: a save sends and checks these. */
  writableResource: Resource
  /** Returns the transitions of a state field from its stored state. */
  stepsOf: (name: string) => Transition[]
}

const stateOf = (field: Field | undefined) => (field?.kind === 'choice' && field.transitions ? field : undefined)

export function formRights(resource: Resource, record: Entry | null, me: CurrentUser): FormRights {
  const grant = grantForUser(resource, record ? 'update' : 'create', me, record)
  const { role } = callerRoleOf(me)
  const readGrant = grantForUser(resource, 'get', me)
  const card = typeof readGrant === 'object' && readGrant.card ? (resource.card ?? []) : undefined
  const allowedFields = typeof grant === 'object' ? grant.fields : undefined
  const mayRead = (name: string) => {
    const field = resource.fields[name]
    if (field?.readableBy !== undefined && rankOfRole(role) < rankOfRole(field.readableBy)) return false
    return card === undefined || card.includes(name)
  }
  const mayWriteField = (name: string) => {
    const field = resource.fields[name]
    // The state of a new record is not writable: it starts in the default state, whatever is sent
    // (content-model §8).
    if (!field || field.readOnly || grant === false || (!record && stateOf(field))) return false
    return mayRead(name) && (allowedFields === undefined || allowedFields.includes(name))
  }
  const stepsOf = (name: string) => {
    const steps = stateOf(resource.fields[name])?.transitions ?? []
    const accountOf = (link: string) => (isEntry(record?.[link]) ? record[link].id : undefined)
    return record ? transitionsFor(steps, record[name], { id: me.id, role }, accountOf) : []
  }
  const fields = Object.fromEntries(Object.entries<Field>(resource.fields).filter(([name]) => mayWriteField(name)))
  const mayCreate = grantForUser(resource, 'create', me) !== false
  const isShown = (name: string) => mayRead(name) && (!resource.fields[name]?.private || mayWriteField(name))
  return {
    mayWrite: grant !== false,
    mayCreate,
    mayRead: isShown,
    mayWriteField,
    writableResource: { ...resource, fields },
    stepsOf,
  }
}

/** Returns whether the state chosen in the form requires a reason (content-model §8). */
export function needsReason(resource: Resource, rights: FormRights, values: Readonly<Values>): boolean {
  return Object.keys(resource.fields).some((name) =>
    rights.stepsOf(name).some(({ to, reason }) => reason === true && to === values[name]),
  )
}

/**
 * Whether the field for the reason is hidden: it is shown when a transition needs a reason, or when there is
 * one.
 */
export function isIdleReason(resource: Resource, name: string, isNeeded: boolean, value: unknown): boolean {
  if (name !== 'reason' || isNeeded || (typeof value === 'string' && value !== '')) return false
  return Object.values<Field>(resource.fields).some((field) =>
    stateOf(field)?.transitions?.some(({ reason }) => reason),
  )
}

/**
 * Whether the form shows a field that the user reads but does not write; `fixed` fields belong to the screen.
 */
export function isPartlyReadOnly(resource: Resource, rights: FormRights, fixedNames: readonly string[]): boolean {
  const shownFields = [
    ...(resource.form?.sections ?? []).flatMap(({ fields }) => fields),
    ...(resource.form?.aside ?? []),
  ]
  return shownFields.some((name) => {
    const field: Field | undefined = resource.fields[name]
    return field && !fixedNames.includes(name) && !field.readOnly && rights.mayRead(name) && !rights.mayWriteField(name)
  })
}
