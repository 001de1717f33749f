/** Reads what is asked of many records: the action, the records, and how (checklist §3: all of it is bounded). */
import {
  type Caller,
  type Field,
  fault,
  isLink,
  isToMany,
  maxInteger,
  narrowingKeys,
  rankOf,
  type Resource,
  unprocessable,
  validate,
} from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { ActionBody } from '../../resources/action-body.ts'
import { linkOf, resources, type View } from '../../resources/attributes.ts'
import { authorise } from '../../resources/authorise.ts'
import { readBodyQuery } from '../../resources/read/body-query.ts'
import { badParameter, isObject } from '../../resources/read/parse-filters.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'
import type { Action, Mode } from './job.ts'

/** Records that one call may name. */
export const maxNamed = 1_000

/** A record that was named, with the values that are for it alone. */
interface NamedRow {
  entry: number
  draft: Readonly<Record<string, unknown>> | null
}

export interface BulkDraft {
  resource: Resource
  action: Action
  mode: Mode
  dryRun: boolean
  /** The records by name, or by the list that shows them and how many rows its reader saw. */
  selection: { rows: readonly NamedRow[] } | { query: QueryTree; count: number }
  view: View
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** The right that an action needs. */
export const operationOf = ({ kind }: Action): 'update' | 'remove' => (kind === 'remove' ? 'remove' : 'update')

const kinds = ['set', 'connect', 'disconnect', 'remove', 'edit', 'order'] as const
const kindOf = (action: unknown) => kinds.find((kind) => isObject(action) && action.kind === kind)

/** Throws 400 for what is no field that a body of this writer may set. */
function checkNames(resource: Resource, values: Readonly<Record<string, unknown>>, { writable }: View): void {
  for (const name of Object.keys(values)) {
    const field: Field | undefined = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
    const isWritten = field && field.readOnly !== true && field.private !== true && field.kind !== 'count'
    if (!isWritten || (writable && !writable.includes(name))) throw badParameter(name)
  }
}

/** Different ids in a list; reports what is none, and too many. */
function idsIn(body: ActionBody, field: string, value: unknown): number[] {
  const ids = Array.isArray(value) ? value.filter(isId) : []
  if (!Array.isArray(value) || value.length === 0) body.wrong(field, 'validation.required')
  else if (ids.length < value.length || new Set(ids).size < ids.length) body.wrong(field, 'validation.relation')
  if (ids.length > maxNamed) body.wrong(field, 'validation.maxItems', { max: maxNamed })
  return ids
}

function readSelection(body: ActionBody, caller: Caller): BulkDraft['selection'] {
  const raw = body.raw('selection')
  const selection = isObject(raw) ? raw : {}
  if (isObject(selection.query)) {
    // A query names any number of records in one call, so it is for staff.
    if (rankOf(caller.role) < rankOf('admin')) throw fault('access.denied')
    const { query, count } = selection
    const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0
    if (!isCount) body.wrong('count', 'validation.integer')
    return { query: readBodyQuery(query, narrowingKeys), count: Number(count) }
  }
  return { rows: idsIn(body, 'selection', selection.ids).map((entry) => ({ entry, draft: null })) }
}

function readRows(body: ActionBody, resource: Resource, raw: unknown, view: View): NamedRow[] {
  const given: unknown[] = Array.isArray(raw) ? raw : []
  const rows = given.flatMap((row): NamedRow[] => {
    if (!isObject(row) || !isId(row.id) || !isObject(row.values)) return []
    checkNames(resource, row.values, view)
    const hasVersion = row.version !== undefined && row.version !== null
    if (hasVersion && !isId(row.version)) return []
    return [{ entry: row.id, draft: { ...row.values, ...(hasVersion && { version: row.version }) } }]
  })
  idsIn(
    body,
    'rows',
    given.map((row) => (isObject(row) ? row.id : undefined)),
  )
  if (rows.length < given.length) body.wrong('rows', 'validation.relation')
  return rows
}

interface Asked {
  action: Action
  selection: BulkDraft['selection']
}

function readAction(body: ActionBody, resource: Resource, view: View, caller: Caller): Asked {
  const raw = body.raw('action')
  const action = isObject(raw) ? raw : {}
  const kind = kindOf(raw)
  switch (kind) {
    case 'set': {
      const values = isObject(action.values) ? action.values : {}
      if (Object.keys(values).length === 0) body.wrong('values', 'validation.required')
      checkNames(resource, values, view)
      const { issues } = validate(resource, values, 'update')
      // What is wrong for every record is said once, where it was typed.
      if (issues.length > 0) throw unprocessable(issues)
      return { action: { kind, values }, selection: readSelection(body, caller) }
    }
    case 'connect':
    case 'disconnect': {
      const name = String(action.field)
      checkNames(resource, { [name]: null }, view)
      const field: Field | undefined = resource.fields[name]
      if (!field || !isLink(field) || !isToMany(field) || linkOf(resource, name).place.in !== 'table')
        throw badParameter(name)
      return {
        action: { kind, field: name, ids: idsIn(body, 'ids', action.ids) },
        selection: readSelection(body, caller),
      }
    }
    case 'remove':
      return { action: { kind }, selection: readSelection(body, caller) }
    case 'order': {
      const order: Field | undefined = resource.fields.order
      if (order?.kind !== 'int' || order.readOnly === true) throw badParameter('order')
      const rows = idsIn(body, 'ids', action.ids).map((entry) => ({ entry, draft: null }))
      return { action: { kind }, selection: { rows } }
    }
    case 'edit':
    default:
      if (kind === undefined) body.wrong('action', 'validation.choice', { values: kinds.join(', ') })
      return { action: { kind: 'edit' }, selection: { rows: readRows(body, resource, action.rows, view) } }
  }
}

/**
 * Reads the body. Throws 403 before anything else of it is looked at, 422 with everything that is wrong with its
 * frame and values that no record could have, 400 for names that are no fields.
 */
export function readBulkDraft(request: FastifyRequest, caller: Caller): BulkDraft {
  const body = new ActionBody(request)
  const wire = body.raw('resource')
  const resource = Object.values(resources).find((one) => one.wire === wire && !one.single)
  if (!resource) {
    body.wrong('resource', 'validation.relation')
    body.check()
    throw fault('record.not-found')
  }
  const operation = isObject(body.raw('action')) && kindOf(body.raw('action')) === 'remove' ? 'remove' : 'update'
  const view = authorise(resource, operation, caller)
  // What has no trash is written by calls of its own, which tell, count and clear away what this one would not.
  if (resource.noTrash) throw fault('access.denied')
  if (operation === 'remove' && resource.fixed) throw fault('record.fixed')
  const { action, selection } = readAction(body, resource, view, caller)
  const preset: Mode = action.kind === 'edit' || action.kind === 'order' ? 'all' : 'each'
  const given = body.raw('mode') ?? preset
  const mode = action.kind === 'order' || given === 'all' ? 'all' : 'each'
  if (given !== 'each' && given !== 'all') body.wrong('mode', 'validation.choice', { values: 'each, all' })
  const dryRun = body.truth('dryRun')
  body.check()
  return { resource, action, mode, dryRun, selection, view }
}
