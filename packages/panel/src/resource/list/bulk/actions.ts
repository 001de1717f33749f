/** The bulk actions on selected rows that the declaration and the user's rights allow. */
import {
  type Entry,
  type Field,
  hasScripts,
  isScriptLocale,
  isToMany,
  type Locale,
  type OperationName,
  componentsOf,
  type Resource,
  type Script,
  type ScriptLocale,
} from '@dala/model'
import type { CurrentUser } from '../../../api/session.ts'
import { resourceNamed } from '../../../fields/relation/targets.ts'
import { formRights } from '../../form/rights.ts'
import { writableFields } from '../../form/values.ts'
import { grantForUser } from '../../use-may.ts'
import type { BulkAction } from './api.ts'

/** Bulk action; some need a choice first: a field's new value, links to add and remove, or a script. */
export type BulkKind = 'set' | 'connect' | 'disconnect' | 'script' | 'remove' | 'active' | 'inactive'

export interface AvailableActions {
  /** Fields to which a bulk action gives one value in all rows. */
  fields: [string, Field][]
  /** Lists of links to which a bulk action adds records, or from which it removes them. */
  lists: [string, Field][]
  /** Texts that a bulk action converts to another script. */
  texts: [string, Field][]
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
    texts: fields.filter(([, field]) => hasScripts(field)),
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
  script?: ScriptChoice
}

/** Texts of a bulk action that are converted, and the script that they get. */
export interface ScriptChoice {
  locale: ScriptLocale
  script: Script
  fields: readonly string[]
}

/**
 * First choice of a conversion: all texts but names of records, which stay as they are unless the user chooses
 * them.
 */
export function firstScriptChoice(texts: readonly [string, Field][], languages: readonly Locale[]): ScriptChoice {
  const names = texts.map(([name]) => name)
  return {
    locale: languages.find(isScriptLocale) ?? 'uz',
    script: 'cyrillic',
    fields: names.length === 1 ? names : names.filter((name) => name !== 'name'),
  }
}

/** Bulk action for the input of the dialog; undefined while the input is incomplete. */
export function actionOf(kind: BulkKind, { field, value, reason, script }: BulkChoice): BulkAction | undefined {
  if (kind === 'remove') return { kind: 'remove' }
  if (kind === 'active' || kind === 'inactive') return { kind: 'set', values: { active: kind === 'active' } }
  if (kind === 'script') return script && script.fields.length > 0 ? { kind, ...script } : undefined
  if (field === undefined) return undefined
  const wire = wireValue(value ?? null)
  if (kind === 'set') return { kind: 'set', values: { [field]: wire, ...(reason && { reason }) } }
  const ids = Array.isArray(wire) ? wire.filter((id): id is number => typeof id === 'number') : []
  return ids.length > 0 ? { kind, field, ids } : undefined
}
