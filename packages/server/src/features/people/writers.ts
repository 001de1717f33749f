/**
 * Writes of accounts (contract §3): the default role, the contract's errors for taken names, and removed
 * users that stay as rows.
 */
import { randomBytes } from 'node:crypto'
import { Fault, fault, type Issue, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, inboundLinks } from '../../db/schema.ts'
import { applyPasswordPolicy, readRoleId, takenFields } from '../../domain/accounts/accounts.ts'
import { resources } from '../../resources/attributes.ts'
import { trashDays } from '../../resources/write/restore.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import type { PasswordPolicy } from '../../settings.ts'

/**
 * Names of resources that still name a user after the account is removed: messages, consultations and posts
 * (content-model §1).
 */
const namingResources = new Set(['chatmessages', 'chatrooms', 'consultations', 'serviceposts', 'tradinposts'])

/**
 * Columns of the facts of the desk by table: who replied, was rated, handed a case over, was online or made a
 * question public stays in reports after the account is removed.
 */
const creditColumns: Readonly<Record<string, readonly string[]>> = {
  consultation_replies: ['consultant_id'],
  consultation_ratings: ['consultant_id'],
  consultation_steps: ['from_user_id', 'to_user_id'],
  room_replies: ['consultant_id'],
  room_ratings: ['consultant_id'],
  room_steps: ['owner_id'],
  desk_waits_ended: ['owner_id'],
  consultation_publications: ['user_id'],
  online_hours: ['user_id'],
}

/**
 * Whether a record of these resources or a fact of the desk names the account; records in the trash count, because they may be
 * restored.
 */
async function isUserLinked(trx: Transaction, users: Resource, id: number): Promise<boolean> {
  const checks = inboundLinks(users, resources).flatMap(({ resource, field, storage }) => {
    if (storage.in !== 'column' || !(storage.onDelete === 'restrict' || namingResources.has(resource.name))) return []
    const table = documentTable(resource)
    return [
      sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(storage.column)} = ${id})`,
      sql`exists (select 1 from removed_rows where table_name = ${table}::text and content -> ${storage.column}::text = to_jsonb(${id}::int))`,
      sql`exists (select 1 from revisions r where r.resource = ${table}::text and r.operation = 'remove' and r.kept is not null
        and r.created_at > now() - make_interval(days => ${trashDays}::int)
        and r.changes -> ${field}::text -> 'before' @> to_jsonb(${id}::int))`,
    ]
  })
  // Others may still open the saved reports that the account has shared.
  checks.push(sql`exists (select 1 from saved_reports where user_id = ${id} and shared_with is not null)`)
  for (const [table, columns] of Object.entries(creditColumns))
    for (const column of columns)
      checks.push(
        sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id})`,
        sql`exists (select 1 from removed_rows where table_name = ${table}::text and content -> ${column}::text = to_jsonb(${id}::int))`,
      )
  const [row] = await trx.query(sql<{ named: boolean }>`select ${sql.join(checks, sql` or `)} as named`)
  return row?.named === true
}

/** Returns the values that replace the personal values of a removed user. */
function removedUserValues() {
  const name = `removed-${randomBytes(6).toString('hex')}`
  const clearedFields = [
    'name',
    'middlename',
    'surname',
    'phone',
    'birthdate',
    'address',
    'about',
    'position',
    'gender',
    'avatar',
    'blocked_reason',
  ]
  return {
    ...Object.fromEntries(clearedFields.map((field) => [field, null])),
    username: name,
    email: `${name}@removed.invalid`,
    password: randomBytes(12).toString('base64url'),
    blocked: true,
    active: false,
    is_consultant: false,
    removed_at: new Date().toISOString(),
  }
}

/** Renames the error of a user name or e-mail address that is taken, as contract §3 does. */
function toAccountFault(error: unknown, resource: Resource): unknown {
  const takenNames = takenFields(error)
  if (takenNames.length > 0) {
    const codeOf = (field: string) => (field === 'email' ? 'user.email-taken' : 'user.username-taken')
    const issues = takenNames.map((field): Issue => ({ path: [field], code: codeOf(field), params: { field } }))
    return fault(codeOf(takenNames.includes('email') ? 'email' : 'username'), { issues })
  }
  if (error instanceof Fault && error.code === 'record.not-found' && resource.unwrapped) return fault('user.not-found')
  return error
}

async function withAccountFaults<T>(resource: Resource, runWrite: () => Promise<T>): Promise<T> {
  try {
    return await runWrite()
  } catch (error) {
    throw toAccountFault(error, resource)
  }
}

/**
 * Creates the writes of `users` and `staff`. Rules of rank apply wherever these are called.
 *
 * @param settings - The settings with the password policy, which is looked up at each write.
 * @returns The writes.
 */
export function accountWriters(settings: { readonly passwordPolicy: PasswordPolicy }): EntryWriters {
  return {
    create: (context, resource, draft, locale) =>
      withAccountFaults(resource, async () => {
        const isOpen = draft.role === undefined || draft.role === null
        const queries = context.trx ?? context.database
        const role = isOpen ? await readRoleId(queries, resource.storedAs ? 'admin' : 'authenticated') : draft.role
        return entryWriters.create(
          context,
          applyPasswordPolicy(settings.passwordPolicy, resource),
          { ...draft, role },
          locale,
        )
      }),

    update: (context, resource, id, draft) =>
      withAccountFaults(resource, () =>
        entryWriters.update(context, applyPasswordPolicy(settings.passwordPolicy, resource), id, draft),
      ),

    remove: (context, resource, id, allLanguages) =>
      withAccountFaults(resource, async () => {
        const runRemoval = async (trx: Transaction) => {
          // The account is locked before its removal: no record may name it between the check and the
          // deletion.
          await trx.query(sql`select id from users where id = ${id} for update`)
          // Subscriptions of browsers are not stored for a restore.
          await trx.query(sql`delete from push_subscriptions where user_id = ${id}`)
          if (!(await isUserLinked(trx, resource, id))) {
            return entryWriters.remove({ ...context, trx }, resource, id, allLanguages)
          }
          const account = applyPasswordPolicy(settings.passwordPolicy, resource)
          await entryWriters.update({ ...context, trx, isTrusted: true }, account, id, removedUserValues())
          // Notes of absences are personal, as reports that were saved for oneself are.
          await trx.query(sql`delete from absences where user_id = ${id}`)
          await trx.query(sql`delete from saved_reports where user_id = ${id} and shared_with is null`)
          trx.changed('absences')
        }
        await (context.trx ? runRemoval(context.trx) : withDeadlockRetry(context.database, runRemoval))
      }),
  }
}
