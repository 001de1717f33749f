/** Reads a bulk edit: the action, the records, and the mode, each within its bounds (checklist §3). */
import {
  type BulkOrder,
  type BulkSelection,
  type Caller,
  type Field,
  fault,
  hasScripts,
  isLink,
  isToMany,
  rankOfRole,
  type Resource,
  unprocessableFault,
  validateRecord,
  narrowingKeys,
} from '@dala/model'
import { linkOf, resources, type View } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { readBodyQuery } from '../../resources/read/body-query.ts'
import { badParameter, isObject } from '../../resources/read/context.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'
import type { JobAction, JobMode } from './job.ts'

/** Record that a bulk edit names, with values for this record alone. */
interface NamedRow {
  entry: number
  draft: Readonly<Record<string, unknown>> | null
}

export interface BulkDraft {
  resource: Resource
  action: JobAction
  mode: JobMode
  dryRun: boolean
  /** Records that a bulk edit names, or the list that shows them and the number of rows that the user saw. */
  selection: { rows: readonly NamedRow[] } | { query: QueryTree; count: number }
  view: View
}

/** Returns the right that the action of a bulk edit requires. */
export const operationOf = ({ kind }: Pick<JobAction, 'kind'>): 'update' | 'remove' =>
  kind === 'remove' ? 'remove' : 'update'

/**
 * Refuses names in a bulk edit that are not fields this caller may set.
 *
 * @throws 400
 */
function checkNames(resource: Resource, values: Readonly<Record<string, unknown>>, { writableNames }: View): void {
  for (const name of Object.keys(values)) {
    const field: Field | undefined = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
    const isWritten = field && field.readOnly !== true && field.private !== true && field.kind !== 'count'
    if (!isWritten || (writableNames && !writableNames.includes(name))) throw badParameter(name)
  }
}

/**
 * Refuses names in a bulk edit that are not translated texts this caller may set.
 *
 * @throws 400
 */
function checkTexts(resource: Resource, names: readonly string[], view: View): void {
  checkNames(resource, Object.fromEntries(names.map((name) => [name, null])), view)
  for (const name of names) {
    const field: Field | undefined = resource.fields[name]
    if (!field || !hasScripts(field)) throw badParameter(name)
  }
}

const nameRows = (ids: readonly number[]): NamedRow[] => ids.map((entry) => ({ entry, draft: null }))

const issueOf = (field: string, code: 'validation.required' | 'validation.relation') =>
  unprocessableFault([{ path: [field], code, params: { field } }])

function selectionOf(selection: BulkSelection | undefined, caller: Caller): BulkDraft['selection'] {
  if (!selection) throw issueOf('selection', 'validation.required')
  if ('ids' in selection) return { rows: nameRows(selection.ids) }
  // A query of a bulk edit can select any number of records in one call, so it is for staff.
  if (rankOfRole(caller.role) < rankOfRole('admin')) throw fault('access.denied')
  return { query: readBodyQuery(selection.query, narrowingKeys), count: selection.count }
}

function namedRowOf({ id, version, values }: Extract<BulkOrder['action'], { kind: 'edit' }>['rows'][number]): NamedRow {
  const hasVersion = version !== undefined && version !== null
  return { entry: id, draft: { ...values, ...(hasVersion && { version }) } }
}

function parseBulkAction(
  { action, selection }: BulkOrder,
  resource: Resource,
  view: View,
  caller: Caller,
): Pick<BulkDraft, 'action' | 'selection'> {
  switch (action.kind) {
    case 'set': {
      checkNames(resource, action.values, view)
      const { issues } = validateRecord(resource, action.values, 'update')
      // An error that applies to every record of a bulk edit is reported once, at the field of the body.
      if (issues.length > 0) throw unprocessableFault(issues)
      return { action, selection: selectionOf(selection, caller) }
    }
    case 'connect':
    case 'disconnect': {
      const name = action.field
      checkNames(resource, { [name]: null }, view)
      const field: Field | undefined = resource.fields[name]
      if (!field || !isLink(field) || !isToMany(field) || linkOf(resource, name).place.in !== 'table')
        throw badParameter(name)
      return { action, selection: selectionOf(selection, caller) }
    }
    case 'script':
      checkTexts(resource, action.fields, view)
      return { action, selection: selectionOf(selection, caller) }
    case 'remove':
      return { action, selection: selectionOf(selection, caller) }
    case 'order': {
      const order: Field | undefined = resource.fields.order
      if (order?.kind !== 'int' || order.readOnly === true) throw badParameter('order')
      return { action: { kind: 'order' }, selection: { rows: nameRows(action.ids) } }
    }
    case 'edit':
      for (const { values } of action.rows) checkNames(resource, values, view)
      return { action: { kind: 'edit' }, selection: { rows: action.rows.map(namedRowOf) } }
  }
}

/**
 * Returns the resource that a body names, and the right that its action requires; `undefined` for an unknown
 * resource.
 */
function targetOf(body: unknown) {
  const order = isObject(body) && isObject(body.data) ? body.data : {}
  const resource = Object.values(resources).find(
    (knownResource) => knownResource.wire === order.resource && !knownResource.single,
  )
  const isRemoval = isObject(order.action) && order.action.kind === 'remove'
  return resource && { resource, operation: operationOf({ kind: isRemoval ? 'remove' : 'edit' }) }
}

/**
 * Reads the body of a bulk edit.
 *
 * @param body - The body as it was sent: it decides the right that the call requires.
 * @param readOrder - Reads the body by its contract.
 * @param caller - The author of the edit.
 * @returns The edit.
 * @throws 403 before the rest of the body is read, 422 with all errors of its frame and for values that no
 *   record could have, 400 for names that are not fields.
 */
export async function readBulkDraft(
  body: unknown,
  readOrder: () => Promise<{ data: BulkOrder }>,
  caller: Caller,
): Promise<BulkDraft> {
  const target = targetOf(body)
  const view = target && authoriseCaller(target.resource, target.operation, caller)
  // Resources without a trash have routes of their own, which notify, count and clean up more than a bulk
  // edit would.
  if (target?.resource.noTrash) throw fault('access.denied')
  if (target?.operation === 'remove' && target.resource.fixedRows) throw fault('record.fixed')
  const { data: order } = await readOrder()
  if (!target || !view) throw issueOf('resource', 'validation.relation')
  const { resource } = target
  const { action, selection } = parseBulkAction(order, resource, view, caller)
  const defaultMode: JobMode = action.kind === 'edit' ? 'all' : 'each'
  const mode = action.kind === 'order' ? 'all' : (order.mode ?? defaultMode)
  return { resource, action, mode, dryRun: order.dryRun === true, selection, view }
}
