/** The account policy of the server: lengths of passwords, weak passwords, the role of a new account. */
import { type Caller, Fault, type Field, foldCase, rankOfRole, type Resource, type RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { passwordLengths, type PasswordPolicy } from '../../settings.ts'
import { commonPasswords } from './common-passwords.ts'

/**
 * The longest password of any policy, because a password
 * that was set under another policy must still sign in.
 */
export const maxPasswordLength = Math.max(...Object.values(passwordLengths).map(({ max }) => max))

/** Tells whether a caller outranks a role: roles below theirs, and for an owner every role (checklist §2). */
export function outranksRole(caller: Caller, role: RoleType): boolean {
  return caller.role === 'owner' || rankOfRole(role) < rankOfRole(caller.role)
}

const resourcesByPolicy = new Map<string, Resource>()

/**
 * A resource of accounts under a policy. The model's own rule is `spec`; `strict` has other lengths and
 * refuses common passwords for everybody.
 */
export function applyPasswordPolicy(policy: PasswordPolicy, resource: Resource): Resource {
  if (policy === 'spec') return resource
  const cachedResource = resourcesByPolicy.get(resource.name)
  if (cachedResource) return cachedResource
  const { min, max } = passwordLengths[policy]
  const password: Field | undefined = resource.fields.password
  if (password?.kind !== 'password') return resource
  const strictFields = {
    ...resource,
    fields: {
      ...resource.fields,
      password: { ...password, minLength: min, maxLength: max, deniedPasswords: commonPasswords },
    },
  }
  resourcesByPolicy.set(resource.name, strictFields)
  return strictFields
}

const productNames = ['dala', 'agropanel', 'agro back-office', 'агропанель']

interface PasswordOwner {
  username?: unknown
  email?: unknown
}

/**
 * Returns the reason why a password is too weak for staff (checklist §1); undefined when it is strong enough.
 */
export function weaknessOf(
  password: string,
  { username, email }: PasswordOwner,
): 'validation.passwordCommon' | 'validation.passwordPersonal' | undefined {
  const foldedPassword = foldCase(password)
  const address = typeof email === 'string' ? foldCase(email) : ''
  const personalWords = [typeof username === 'string' ? foldCase(username) : '', address, address.split('@')[0] ?? '']
  if (foldedPassword !== '' && [...personalWords, ...productNames].includes(foldedPassword))
    return 'validation.passwordPersonal'
  return commonPasswords.has(foldedPassword) || new Set(foldedPassword).size < 3
    ? 'validation.passwordCommon'
    : undefined
}

/** Returns the id of a role by its type. */
export async function readRoleId(queries: Queries, type: RoleType): Promise<number> {
  const [role] = await queries.query(sql<{ id: number }>`select id from roles where type = ${type}`)
  if (!role) throw new Error(`There is no role "${type}"`)
  return role.id
}

/**
 * Returns the unique fields of an account that are taken, when they are the only faults of a body; otherwise
 * none.
 */
export function takenFields(error: unknown): string[] {
  if (!(error instanceof Fault)) return []
  const fields = error.issues.map(({ path: [field] }) => String(field))
  const isTaken = error.issues.every(({ code }) => code === 'validation.unique')
  return isTaken && fields.every((field) => field === 'email' || field === 'username') ? fields : []
}
