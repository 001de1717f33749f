/** Notices of questions: one that was asked, and one whose time for a reply has passed (chat §5). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { userNameSql } from '../accounts/user-name.ts'
import { notifyUsers } from '../delivery/notices.ts'
import { isStaffSql } from './desk.ts'

const reachableSql = sql`u.active and not u.blocked and u.removed_at is null`

interface Question {
  customer: string | null
  consultant: number | null
  isOpen: boolean
  users: number[]
}

/**
 * Notifies of a new question: the consultant whom the question names; without one, the consultants who have
 * answered in the category of the question, or all consultants if none has; staff where no consultant exists.
 *
 * @param trx - The transaction of the creation.
 * @param consultation - The consultation.
 * @param creatorId - The user who created it, who needs no notice.
 */
export async function notifyNewQuestion(trx: Transaction, consultation: number, creatorId: number): Promise<void> {
  const [question] = await trx.query(sql<Question>`
    with question as (select * from consultations where id = ${consultation}),
    consultant as (
      select u.id, exists (select 1 from consultation_replies p where p.consultant_id = u.id and p.category_id = question.category_id) as knows
        from users u, question where u.is_consultant and ${reachableSql} and u.id <> coalesce(question.user_id, 0)),
    chosen as (
      select id from consultant where knows or not exists (select 1 from consultant where knows)
      union select u.id from users u join roles r on r.id = u.role_id
       where ${isStaffSql(sql`r.type`)} and ${reachableSql} and not exists (select 1 from consultant))
    select (select ${userNameSql} from users u where u.id = question.user_id) as customer, question.consultant_id as consultant,
           question.answered_at is null and question.finished_at is null as "isOpen",
           array(select id from chosen where id <> ${creatorId}::int order by id) as users
      from question`)
  if (!question?.isOpen || question.consultant === creatorId) return
  const { consultant, users, customer } = question
  await notifyUsers(trx, {
    users: consultant === null ? users : [consultant],
    kind: consultant === null ? 'consultation.asked' : 'consultation.assigned',
    params: { customer: customer ?? '—' },
    address: `/consultation/${consultation}`,
    subject: { resource: 'consultations', document: consultation },
    key: `${consultation}:0`,
  })
}

/**
 * Notifies of a question whose time for a reply has passed, once for each time that it was asked or reopened:
 * its consultant and staff.
 *
 * @param trx - The transaction.
 * @param question - The consultation, and its turn, which is another one after each reopening.
 */
export async function notifyOverdueQuestion(
  trx: Transaction,
  { id, turn }: { id: number; turn: number },
): Promise<void> {
  const [question] = await trx.query(sql<{ customer: string | null; users: number[] }>`
    select (select ${userNameSql} from users u where u.id = c.user_id) as customer,
           array(select u.id from users u join roles r on r.id = u.role_id
                  where (u.id = c.consultant_id or ${isStaffSql(sql`r.type`)}) and ${reachableSql} order by u.id) as users
      from consultations c where c.id = ${id} and c.finished_at is null`)
  if (!question) return
  await notifyUsers(trx, {
    users: question.users,
    kind: 'consultation.overdue',
    params: { customer: question.customer ?? '—' },
    address: `/consultation/${id}`,
    subject: { resource: 'consultations', document: id },
    key: `${id}:${turn}`,
  })
}
