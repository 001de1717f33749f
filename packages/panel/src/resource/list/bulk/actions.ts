/** What may be done with selected rows: by the declaration, and by what the reader may write. */
import { type Entry, type Field, isToMany, type OperationName, partsOf, type Resource } from '@dala/model'
import type { CurrentUser } from '../../../api/session.ts'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { formRights } from '../../form/rights.ts'
import { writableFields } from '../../form/values.ts'
import { grantOf } from '../../use-may.ts'
import type { BulkAction } from './api.ts'

/** What is chosen in a dialog before it becomes an action: a field's new value, links that come or go. */
export type BulkKind = 'set' | 'connect' | 'disconnect' | 'remove' | 'active' | 'inactive'

export interface BulkOffers {
  /** Fields that get one value in all rows. */
  fields: [string, Field][]
  /** Lists of links that some are added to or taken from. */
  lists: [string, Field][]
  hasActive: boolean
  mayRemove: boolean
}

/** Inputs whose value is one record's own, or is made with tools of a form. */
const ownInputs = new Set(['rich', 'json', 'slug', 'password', 'picture', 'pictures', 'relatedList', 'words'])

/** In: the selected rows that have been seen. What is refused in each of them is not offered; the job names refusals in some. */
export function bulkOffers(resource: Resource, me: CurrentUser, rows: readonly Entry[]): BulkOffers {
  const mayIn = (operation: OperationName) => (one: Entry) => grantOf(resource, operation, me, one) !== false
  const row = rows.find(mayIn('update')) ?? rows[0]
  const rights = row && formRights(resource, row, me)
  const fields = writableFields(resource).filter(([name]) => rights?.writes(name))
  const plain = fields.filter(
    ([name, field]) => name !== 'active' && !field.unique && !ownInputs.has(partsOf(field).input),
  )
  return {
    fields: plain,
    lists: fields.filter(([, field]) => isToMany(field) && resourceNamed(field.target).files === undefined),
    hasActive: fields.some(([name, { kind }]) => name === 'active' && kind === 'bool'),
    mayRemove: rows.some(mayIn('remove')),
  }
}

/** The value of a field as the API takes it: links by their ids. */
export function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** What a dialog has gathered. */
export interface BulkChoice {
  field?: string
  value?: unknown
  /** Why a state is set, where its step asks for a reason. */
  reason?: string
}

/** The action of a choice; undefined while something is missing. */
export function actionOf(kind: BulkKind, { field, value, reason }: BulkChoice): BulkAction | undefined {
  if (kind === 'remove') return { kind: 'remove' }
  if (kind === 'active' || kind === 'inactive') return { kind: 'set', values: { active: kind === 'active' } }
  if (field === undefined) return undefined
  const wire = wireValue(value ?? null)
  if (kind === 'set') return { kind: 'set', values: { [field]: wire, ...(reason && { reason }) } }
  const ids = Array.isArray(wire) ? wire.filter((id): id is number => typeof id === 'number') : []
  return ids.length > 0 ? { kind, field, ids } : undefined
}
