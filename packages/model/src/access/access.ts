/** Roles, callers and what a rule can say: access is data, so routes, forms and tests read the same table. */
import type { Locale } from '../locales.ts'

/** Role identifiers of requirements §6, strongest first. */
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

/** The role of a caller and those below it: what is shared with any of them is shared with him. */
export function rolesUpTo(role: RoleType): RoleType[] {
  return [role, ...rolesBelow(role)]
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

/** Who asks, as far as the table looks: his role, and whether he is a consultant (contract §14). */
export type Asker = Pick<Caller, 'role' | 'isConsultant'>

/** Values a row filter may name instead of writing: they are filled in from the caller. */
export type CallerValue = '$caller.id' | '$caller.rolesBelow' | '$caller.rolesUpTo'

/**
 * A filter in the words of contract §6, joined to every statement on the resource. Rules have one word more than
 * queries: `$shown: true` are the records that some record shows through a field, both of which the caller may read.
 */
export interface RowFilter {
  readonly [key: string]: RowFilterValue
}
export type RowFilterValue = string | number | boolean | RowFilter | readonly RowFilterValue[]

/**
 * What one role may do: everything, or within bounds. `rows` are the records within reach; `card` narrows what is
 * read to the resource's card; `fields` is the allow list of what is written — other keys of a body are ignored.
 */
export type Grant = true | { readonly rows?: RowFilter; readonly card?: true; readonly fields?: readonly string[] }

/**
 * Least role that may act without bounds, or grants role by role; a stronger role inherits the nearest weaker grant.
 * `consultant` is an `authenticated` caller who is one (contract §14).
 */
export type Rule = RoleType | Partial<Record<RoleType | 'consultant', Grant>>

export interface Access {
  read: Rule
  /** create, update and remove together; absent: nobody. */
  write?: Rule
  /** Where one of the three differs from `write`. */
  create?: Rule
  update?: Rule
  remove?: Rule
}

/** The answer of the table: denied, granted, or granted within bounds. */
export type Decision = false | Grant

/**
 * What a caller may do with a resource by operation; everything that is not said is denied (contract §14).
 * The server joins the rows of a bounded grant to its SQL; the panel hides what is denied.
 */
export function decide(access: Access, operation: OperationName, { role, isConsultant }: Asker): Decision {
  const rule = operation === 'list' || operation === 'get' ? access.read : (access[operation] ?? access.write)
  if (rule === undefined) return false
  if (typeof rule === 'string') return rankOf(role) >= rankOf(rule)
  for (let index = roleTypes.indexOf(role); index < roleTypes.length; index += 1) {
    const type = roleTypes[index]
    const grant = (type === 'authenticated' && isConsultant && rule.consultant) || (type && rule[type])
    if (grant) return grant
  }
  return false
}
