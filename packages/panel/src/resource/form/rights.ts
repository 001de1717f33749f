/**
 * The rights of the user in a form: which fields they read and write, and which transitions of a state they
 * may make.
 */
import { type Entry, type Field, rankOf, type Resource, type Transition, transitionsFor } from '@dala/model'
import { askerOf, type CurrentUser } from '../../api/session.ts'
import { isEntry, type Values } from './values.ts'
import { grantOf } from '../use-may.ts'

export interface FormRights {
  /** Whether anything may be saved. */
  may: boolean
  mayCreate: boolean
  /**
   * Whether the field is shown. A field that is never read, such as a password, is shown only to users who
   * write it.
   */
  reads: (name: string) => boolean
  writes: (name: string) => boolean
  /** The resource with only the writable fields: a save sends and checks these. */
  written: Resource
  /** The transitions from the stored state. */
  stepsOf: (name: string) => Transition[]
}

const stateOf = (field: Field | undefined) => (field?.kind === 'choice' && field.transitions ? field : undefined)

export function formRights(resource: Resource, record: Entry | null, me: CurrentUser): FormRights {
  const grant = grantOf(resource, record ? 'update' : 'create', me, record)
  const { role } = askerOf(me)
  const seen = grantOf(resource, 'get', me)
  const card = typeof seen === 'object' && seen.card ? (resource.card ?? []) : undefined
  const allowed = typeof grant === 'object' ? grant.fields : undefined
  const reads = (name: string) => {
    const field = resource.fields[name]
    if (field?.readableBy !== undefined && rankOf(role) < rankOf(field.readableBy)) return false
    return card === undefined || card.includes(name)
  }
  const writes = (name: string) => {
    const field = resource.fields[name]
    // A new record starts in the default state, whatever is sent (content-model §8).
    if (!field || field.readOnly || grant === false || (!record && stateOf(field))) return false
    return reads(name) && (allowed === undefined || allowed.includes(name))
  }
  const stepsOf = (name: string) => {
    const steps = stateOf(resource.fields[name])?.transitions ?? []
    const accountOf = (link: string) => (isEntry(record?.[link]) ? record[link].id : undefined)
    return record ? transitionsFor(steps, record[name], { id: me.id, role }, accountOf) : []
  }
  const fields = Object.fromEntries(Object.entries<Field>(resource.fields).filter(([name]) => writes(name)))
  const mayCreate = grantOf(resource, 'create', me) !== false
  const shows = (name: string) => reads(name) && (!resource.fields[name]?.private || writes(name))
  return { may: grant !== false, mayCreate, reads: shows, writes, written: { ...resource, fields }, stepsOf }
}

/** Whether the chosen state requires a reason (content-model §8). */
export function needsReason(resource: Resource, rights: FormRights, values: Readonly<Values>): boolean {
  return Object.keys(resource.fields).some((name) =>
    rights.stepsOf(name).some(({ to, reason }) => reason === true && to === values[name]),
  )
}

/** Whether the reason is hidden: it is shown when a transition needs it, or when there is one. */
export function isIdleReason(resource: Resource, name: string, isNeeded: boolean, value: unknown): boolean {
  if (name !== 'reason' || isNeeded || (typeof value === 'string' && value !== '')) return false
  return Object.values<Field>(resource.fields).some((field) =>
    stateOf(field)?.transitions?.some(({ reason }) => reason),
  )
}

/**
 * Whether the form shows a field that the user reads but does not write; `fixed` fields belong to the screen.
 */
export function isPartlyReadOnly(resource: Resource, rights: FormRights, fixed: readonly string[]): boolean {
  const drawn = [...(resource.form?.sections ?? []).flatMap(({ fields }) => fields), ...(resource.form?.aside ?? [])]
  return drawn.some((name) => {
    const field: Field | undefined = resource.fields[name]
    return field && !fixed.includes(name) && !field.readOnly && rights.reads(name) && !rights.writes(name)
  })
}
