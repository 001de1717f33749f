/** Writes of list views; users with whom a view is shared are notified in their inbox. */
import { type Caller, isRoleType, type RoleType, rankOfRole, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { userNameSql } from '../../domain/accounts/user-name.ts'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { runInTransaction } from '../../resources/write/write.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'

/** Returns the role that a saved view is shared with; undefined for a private view. */
async function roleSharedWith(trx: Transaction, id: number): Promise<RoleType | undefined> {
  const [view] = await trx.query(sql<{ type: string | null }>`
    select r.type from listviews v left join roles r on r.id = v.role_id where v.id = ${id}`)
  return isRoleType(view?.type) ? view.type : undefined
}

/**
 * Notifies back-office users of the role and above; customers of the apps have no inbox. A user is notified
 * of a view at most once a day, however often it is shared again.
 */
async function notifyRole(trx: Transaction, id: number, role: RoleType, { id: author }: Caller): Promise<void> {
  const roles = roleTypes.filter((type) => rankOfRole(type) >= rankOfRole(role))
  const [view] = await trx.query(sql<{ name: string; screen: string; by: string }>`
    select v.name, v.screen, ${userNameSql} as by
      from listviews v, users u where v.id = ${id} and u.id = ${author}`)
  if (!view) return
  const address = `/${view.screen}?view=${id}`
  const people = await trx.query(sql<{ id: number }>`
    select u.id from users u join roles r on r.id = u.role_id
     where r.type = any(${roles}::text[]) and (r.type not in ('authenticated', 'public') or u.is_consultant)
       and u.id <> ${author} and not coalesce(u.blocked, false)
       and not exists (select 1 from notices n where n.user_id = u.id and n.kind = 'view.shared'
         and n.address = ${address} and n.created_at > now() - interval '1 day')`)
  if (people.length === 0) return
  await notifyUsers(trx, {
    users: people.map((person) => person.id),
    kind: 'view.shared',
    params: { name: view.name, by: view.by },
    address,
    subject: { resource: 'listviews', document: id },
  })
}

/** Writers of `listviews`: the generic ones, with a notice once others may see the view. */
export const viewWriters: EntryWriters = {
  ...entryWriters,
  create: (context, resource, draft, locale) =>
    runInTransaction(context, resource, async (trx) => {
      const id = await entryWriters.create({ ...context, trx }, resource, draft, locale)
      const role = await roleSharedWith(trx, id)
      if (role) await notifyRole(trx, id, role, context.author.caller)
      return id
    }),
  update: (context, resource, id, draft) =>
    runInTransaction(context, resource, async (trx) => {
      const sharedBefore = await roleSharedWith(trx, id)
      const writtenEntry = await entryWriters.update({ ...context, trx }, resource, id, draft)
      const role = await roleSharedWith(trx, id)
      if (role && role !== sharedBefore) await notifyRole(trx, id, role, context.author.caller)
      return writtenEntry
    }),
}
