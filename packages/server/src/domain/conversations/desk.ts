/** The people of the desk: who may be assigned, and how a person is presented to others. */
import { type ChatPerson, type Fault, fault, isRoleType, rankOfRole, roleTypes } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'

/**
 * SQL of a person as chat lists show them (contract §11), by their id: one JSON object, null without a
 * person.
 */
export const personSql = (id: Template<unknown>): Template<unknown> => sql`(
  select json_build_object('id', u.id, 'username', u.username, 'first_name', u.name, 'last_name', u.surname,
      'avatar', (select json_build_object('id', a.id, 'url', a.url) from uploads a where a.id = u.avatar_id))
    from users u where u.id = ${id})`

const staffRoles = roleTypes.filter((type) => rankOfRole(type) >= rankOfRole('admin'))

/** SQL of whether a user is staff of the desk, by the column of the type of their role. */
export const isStaffSql = (role: Template<unknown>): Template<boolean> =>
  sql<boolean>`${role} in (${sql.join(staffRoles.map((type) => sql.lit(type)))})`

/** SQL of whether a user is online, by the column of when they were last seen (decision 22). */
export const isOnlineSql = (lastSeen: Template<unknown>): Template<boolean> =>
  sql<boolean>`coalesce(${lastSeen} > now() - interval '2 minutes', false)`

/** Tells whether a user works at the desk: a consultant, or staff. */
async function isOfDesk(
  queries: Queries,
  { is_consultant, role }: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (is_consultant === true) return true
  const [row] = await queries.query(sql<{ type: string }>`select type from roles where id = ${role}`)
  return isRoleType(row?.type) && rankOfRole(row.type) >= rankOfRole('admin')
}

/** Fields of an account that decide whether a person answers at the desk. */
export const answeringFields = ['is_consultant', 'role', 'blocked', 'removed_at'] as const

/**
 * Throws 422 on the field when the person that it names does not answer customers.
 *
 * @param queries - The connection.
 * @param account - The columns of their account (`answeringFields`).
 * @param field - The field.
 */
export async function assertAnswers(
  queries: Queries,
  account: Readonly<Record<string, unknown>> | undefined,
  field: string,
): Promise<void> {
  const mayAnswer = account !== undefined && account.blocked !== true && (account.removed_at ?? null) === null
  if (mayAnswer && (await isOfDesk(queries, account))) return
  const params = { field }
  throw fault('desk.no-consultant', { params, issues: [{ path: [field], code: 'desk.no-consultant', params }] })
}

/**
 * Throws 422 on the field unless the person that it names exists, may sign in and answers customers. Their
 * account is locked until the transaction ends, so that they cannot be blocked between this check and the
 * assignment.
 */
export async function assertPersonAnswers(trx: Transaction, id: number, field: string): Promise<void> {
  const [account] = await trx.query(sql<Record<string, unknown>>`
    select is_consultant, role_id as role, blocked, removed_at from users where id = ${id} for key share`)
  await assertAnswers(trx, account, field)
}

/**
 * Returns the people of the desk who no longer answer: blocked, removed, or not of the desk by now. Their
 * accounts are locked until the transaction ends, so that nobody is blocked between this check and an
 * assignment.
 */
export async function removedPeopleIn(trx: Transaction, people: readonly unknown[]): Promise<ReadonlySet<unknown>> {
  const ids = people.filter((id) => typeof id === 'number')
  if (ids.length === 0) return new Set()
  const accounts = await trx.query(sql<{ id: number; gone: boolean }>`
    select u.id, u.blocked or u.removed_at is not null or not (u.is_consultant or ${isStaffSql(sql`r.type`)}) as gone
      from users u join roles r on r.id = u.role_id where u.id = any(${ids}::int[]) order by u.id for key share of u`)
  return new Set(accounts.flatMap(({ id, gone }) => (gone ? [id] : [])))
}

/** The refusal of a hand-over with a stale owner: 409 with the present owner. */
export async function staleOwnerFault(queries: Queries, owner: number | null): Promise<Fault> {
  const [row] = await queries.query(
    sql<{ person: ChatPerson | null }>`select ${personSql(sql`${owner}::int`)} as person`,
  )
  const person = row?.person ?? null
  return fault('desk.taken', { params: { name: person?.username ?? '—' }, details: { owner: person } })
}
