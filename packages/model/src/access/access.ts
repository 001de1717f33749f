/**
 * Roles, callers and the language of access rules. Access is data, so routes, forms and tests read the same
 * table.
 */
import type { Locale } from '../locales.ts'
import { type Script, type WrittenLocale, writtenLocale } from '../text/script/scripts.ts'

/** Role identifiers of requirements §6, strongest first. */
export const roleTypes = ['owner', 'super-admin', 'admin', 'authenticated', 'public'] as const
export type RoleType = (typeof roleTypes)[number]

/**
 * Tells whether a value is the name of a role.
 *
 * @example
 * isRoleType('admin') // true
 */
export function isRoleType(value: unknown): value is RoleType {
  return typeof value === 'string' && (roleTypes as readonly string[]).includes(value)
}

/**
 * The rank of a role: a larger number is a stronger role (checklist §2).
 *
 * @example
 * rankOfRole('owner') // 5
 */
export function rankOfRole(role: RoleType): number {
  return roleTypes.length - roleTypes.indexOf(role)
}

/**
 * Returns the roles that a caller outranks: users of these roles may be granted a role, edited, blocked or
 * deleted by the caller (contract §14).
 *
 * @example
 * rolesBelow('admin') // ['authenticated', 'public']
 */
export function rolesBelow(role: RoleType): RoleType[] {
  return roleTypes.filter((comparedRole) => rankOfRole(comparedRole) < rankOfRole(role))
}

/**
 * Returns the role of a caller and all roles below it. Whatever is shared with one of them is shared with the
 * caller.
 *
 * @example
 * rolesAtMost('authenticated') // ['authenticated', 'public']
 */
export function rolesAtMost(role: RoleType): RoleType[] {
  return [role, ...rolesBelow(role)]
}

/** The user of a request. The server builds it from the session, never from a body or query. */
export interface Caller {
  id: number
  role: RoleType
  isConsultant: boolean
  language: Locale
  /** Script of the language; Latin when absent. */
  script?: Script | null
  sessionId: string
}

/** Returns the language of a caller with its script, for texts of the catalogues. */
export const callerLanguage = ({ language, script }: Pick<Caller, 'language' | 'script'>): WrittenLocale =>
  writtenLocale(language, script)

export const operationNames = ['list', 'get', 'create', 'update', 'remove'] as const
export type OperationName = (typeof operationNames)[number]

/**
 * The part of a caller that access rules depend on: the role, and whether they are a consultant (contract
 * §14).
 */
export type CallerRole = Pick<Caller, 'role' | 'isConsultant'>

/** Placeholders in a row filter that are replaced by values of the caller. */
export type CallerValue = '$caller.id' | '$caller.rolesBelow' | '$caller.rolesUpTo'

/**
 * A filter of records in the language of contract §6, added to every statement on the resource. Rules know
 * one key that queries do not: `$shown: true` matches records that another record shows through a field, if
 * the caller may read both.
 */
export interface RowFilter {
  readonly [key: string]: RowFilterValue
}
export type RowFilterValue = string | number | boolean | RowFilter | readonly RowFilterValue[]

/**
 * The rights of one role in a resource: everything, or within bounds. `rows` limits the records; `card`
 * limits reading to the card of the resource; `fields` is the allow list for writing, other keys of a body
 * are ignored.
 */
export type AccessGrant =
  | true
  | { readonly rows?: RowFilter; readonly card?: true; readonly fields?: readonly string[] }

/**
 * Least role with the full right to an operation, or grants for each role; a stronger role inherits the
 * nearest weaker grant. `consultant` is an `authenticated` caller who is a consultant (contract §14).
 */
export type AccessRule = RoleType | Partial<Record<RoleType | 'consultant', AccessGrant>>

export interface AccessTable {
  read: AccessRule
  /** Right to create, update and remove records; nobody may write when absent. */
  write?: AccessRule
  /** Overrides of the right to write for create, update or remove. */
  create?: AccessRule
  update?: AccessRule
  remove?: AccessRule
}

/** The decision of an access table on a call: denied, granted, or granted within bounds. */
export type AccessDecision = false | AccessGrant

/**
 * Tells whether a caller reads the published copies of a resource instead of its drafts.
 *
 * @example
 * const access = { read: 'authenticated', write: 'admin' } as const
 * readsCopies({ publishedCopies: true, access }, { role: 'authenticated', isConsultant: false }) // true
 * readsCopies({ access }, { role: 'authenticated', isConsultant: false }) // false
 */
export const readsCopies = (
  { publishedCopies, access }: { publishedCopies?: true; access: AccessTable },
  caller: CallerRole,
): boolean => publishedCopies === true && decideAccess(access, 'update', caller) === false

/**
 * Decides whether a caller may use an operation of a resource; everything without a rule is denied (contract
 * §14). The server adds the rows of a bounded grant to its SQL; the panel hides what is denied.
 *
 * @example
 * const caller = { role: 'admin', isConsultant: false } as const
 * decideAccess({ read: 'authenticated', write: 'admin' }, 'update', caller) // true
 */
export function decideAccess(
  access: AccessTable,
  operation: OperationName,
  { role, isConsultant }: CallerRole,
): AccessDecision {
  const rule = operation === 'list' || operation === 'get' ? access.read : (access[operation] ?? access.write)
  if (rule === undefined) return false
  if (typeof rule === 'string') return rankOfRole(role) >= rankOfRole(rule)
  for (let index = roleTypes.indexOf(role); index < roleTypes.length; index += 1) {
    const type = roleTypes[index]
    const grant = (type === 'authenticated' && isConsultant && rule.consultant) || (type && rule[type])
    if (grant) return grant
  }
  return false
}
