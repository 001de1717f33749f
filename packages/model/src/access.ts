/** Roles, callers and what a rule can say: access is data, so routes, forms and tests read the same table. */
import type { Locale } from './locales.ts'

/** Role identifiers of spec §6, strongest first. */
export const roleTypes = ['owner', 'super-admin', 'admin', 'authenticated', 'public'] as const
export type RoleType = (typeof roleTypes)[number]

export function isRoleType(value: unknown): value is RoleType {
  return typeof value === 'string' && (roleTypes as readonly string[]).includes(value)
}

/** Power of a role: the larger number is the stronger role (checklist §2). */
export function rankOf(role: RoleType): number {
  return roleTypes.length - roleTypes.indexOf(role)
}

/** The roles a caller outranks: whom they may grant, edit, block or delete (contract §14). */
export function rolesBelow(role: RoleType): RoleType[] {
  return roleTypes.filter((other) => rankOf(other) < rankOf(role))
}

/** Who asks: made from the session by the server, never from a body or query. */
export interface Caller {
  id: number
  role: RoleType
  isConsultant: boolean
  language: Locale
  sessionId: string
}

export const operationNames = ['list', 'get', 'create', 'update', 'remove'] as const
export type OperationName = (typeof operationNames)[number]

/** Values a row filter may name instead of writing: they are filled in from the caller. */
export type CallerValue = '$caller.id' | '$caller.rolesBelow'

/** A filter in the words of contract §6, joined to every statement on the resource. */
export interface RowFilter {
  readonly [key: string]: RowFilterValue
}
export type RowFilterValue = string | number | boolean | RowFilter | readonly RowFilterValue[]

/** What one role may do: everything, or the rows of a filter; `card` narrows the fields to the resource's card. */
export type Grant = true | { readonly rows: RowFilter; readonly card?: true }

/** Least role that may act without bounds, or grants role by role; a stronger role inherits the nearest weaker grant. */
export type Rule = RoleType | Partial<Record<RoleType, Grant>>

export interface Access {
  read: Rule
  /** create, update and remove together; absent: nobody. */
  write?: Rule
}

/** The answer of the table: denied, granted, or granted within bounds. */
export type Decision = false | Grant

/**
 * What `role` may do with a resource by operation; everything that is not said is denied (contract §14).
 * The server joins the rows of a bounded grant to its SQL; the panel hides what is denied.
 */
export function decide(access: Access, operation: OperationName, role: RoleType): Decision {
  const rule = operation === 'list' || operation === 'get' ? access.read : access.write
  if (rule === undefined) return false
  if (typeof rule === 'string') return rankOf(role) >= rankOf(rule)
  for (let index = roleTypes.indexOf(role); index < roleTypes.length; index += 1) {
    const type = roleTypes[index]
    const grant = type && rule[type]
    if (grant) return grant
  }
  return false
}
