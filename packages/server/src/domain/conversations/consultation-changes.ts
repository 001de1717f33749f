/** Updates about consultations: read at the end of the transaction, sent after its commit (chat §4). */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { isStaffSql } from './desk.ts'

/**
 * An update and its recipients: the customer, the present and former consultant, and staff; without a
 * consultant all consultants.
 */
interface ConsultationUpdate {
  id: number
  answered: boolean
  finished: boolean
  assignee: number | null
  listeners: number[] | null
  isFree: boolean
}

/** A receiver of consultation updates, which never throws. */
type ConsultationListener = (update: ConsultationUpdate) => void

declare module '../../db/database.ts' {
  interface SubjectTypes {
    consultation: ConsultationListener
  }
}

/**
 * Subscribes to changes of consultations.
 *
 * @returns An unsubscribe function.
 */
export const onConsultationChange = (database: Database, listener: ConsultationListener): (() => void) =>
  database.onAlone('consultation', listener)

/**
 * Notifies subscribers of a change of a consultation after the commit.
 *
 * @param trx - The transaction of the change.
 * @param id - The id of the consultation.
 * @param formerConsultant - The former consultant.
 */
export function notifyConsultation(trx: Transaction, id: number, formerConsultant: unknown = null): void {
  const updateListeners = trx.database.listenersOf('consultation')
  if (updateListeners.length === 0) return
  trx.beforeCommit(async () => {
    const [update] = await trx.query(sql<ConsultationUpdate>`
      select c.id, c.answered_at is not null as answered, c.finished_at is not null as finished, c.consultant_id as assignee,
             c.consultant_id is null or ${formerConsultant}::int is null as "isFree",
             (select json_agg(distinct p) from unnest(array[c.user_id, c.consultant_id, ${formerConsultant}::int]
               || array(select u.id from users u join roles r on r.id = u.role_id
                         where ${isStaffSql(sql`r.type`)} and not u.blocked)) p where p is not null) as listeners
        from consultations c where c.id = ${id}`)
    // If the same transaction removed the consultation, lists receive the removal as of any record.
    if (update) for (const listener of updateListeners) trx.afterCommit(() => listener(update))
  })
}
