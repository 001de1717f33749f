/** The bulk actions on selected rows that the declaration and the user's rights allow. */
import { type Entry, type Field, isToMany, type OperationName, componentsOf, type Resource } from '@dala/model'
import type { CurrentUser } from '../../../api/session.ts'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { formRights } from '../../form/rights.ts'
import { writableFields } from '../../form/values.ts'
import { grantForUser } from '../../use-may.ts'
import type { BulkAction } from './api.ts'

/** Bulk action that needs a choice first: a field's new value, or links to add and remove. */
export type BulkKind = 'set' | 'connect' | 'disconnect' | 'remove' | 'active' | 'inactive'

export interface AvailableActions {
  /** Fields to which a bulk action gives one value in all rows. */
  fields: [string, Field][]
  /** Lists of links to which a bulk action adds records, or from which it removes them. */
  lists: [string, Field][]
  hasActive: boolean
  mayRemove: boolean
}

/**
 * Kinds of inputs that no bulk action offers: their value belongs to one record, or is made with tools of a
 * form.
 */
const excludedKinds = new Set(['rich', 'json', 'slug', 'password', 'picture', 'pictures', 'relatedList', 'textList'])

/**
 * Returns the bulk actions on selected rows. An action that every seen row would refuse is not offered; the
 * job lists single refusals.
 *
 * @param resource - The resource of the list.
 * @param me - The user.
 * @param rows - The selected rows that were loaded.
 * @returns The available actions.
 */
export function availableActions(resource: Resource, me: CurrentUser, rows: readonly Entry[]): AvailableActions {
  const isAllowed = (operation: OperationName) => (entry: Entry) =>
    grantForUser(resource, operation, me, entry) !== false
  const row = rows.find(isAllowed('update')) ?? rows[0]
  const rights = row && formRights(resource, row, me)
  const fields = writableFields(resource).filter(([name]) => rights?.mayWriteField(name))
  const plainFields = fields.filter(
    ([name, field]) => name !== 'active' && !field.unique && !excludedKinds.has(componentsOf(field).input),
  )
  return {
    fields: plainFields,
    lists: fields.filter(([, field]) => isToMany(field) && resourceNamed(field.target).filesPath === undefined),
    hasActive: fields.some(([name, { kind }]) => name === 'active' && kind === 'bool'),
    mayRemove: rows.some(isAllowed('remove')),
  }
}

/** Value of a field in a bulk edit, as the API takes it: links by their ids. */
export function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Input of the bulk dialog so far: the field and its value, or the links. */
export interface BulkChoice {
  field?: string
  value?: unknown
  /** Reason for a state chosen in a bulk edit, where the transition needs one. */
  reason?: string
}

/** Bulk action for the input of the dialog; undefined while the input is incomplete. */
export function actionOf(kind: BulkKind, { field, value, reason }: BulkChoice): BulkAction | undefined {
  if (kind === 'remove') return { kind: 'remove' }
  if (kind === 'active' || kind === 'inactive') return { kind: 'set', values: { active: kind === 'active' } }
  if (field === undefined) return undefined
  const wire = wireValue(value ?? null)
  if (kind === 'set') return { kind: 'set', values: { [field]: wire, ...(reason && { reason }) } }
  const ids = Array.isArray(wire) ? wire.filter((id): id is number => typeof id === 'number') : []
  return ids.length > 0 ? { kind, field, ids } : undefined
}
