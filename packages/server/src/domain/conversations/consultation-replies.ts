/** The stored replies of consultations: one for each wait that an answer ended (statistics §5). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { ReplyTimes } from './waits.ts'

/** A reply of a consultation, as it is stored. */
export interface ConsultationReply extends ReplyTimes {
  consultation: number
  turn: number
  consultant: number | null
  first: boolean
  region: unknown
  category: unknown
  language: unknown
}

/** Stores replies of consultations in one statement. */
export async function storeReplies(trx: Transaction, replies: readonly ConsultationReply[]): Promise<void> {
  if (replies.length === 0) return
  await trx.query(sql`
    insert into consultation_replies (consultation_id, turn, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds,
        target_minutes, first, breached, region_id, category_id, language)
    select r.consultation, r.turn, r.consultant, r.asked_at, r.due_at, r.replied_at, r.wall_seconds, r.working_seconds,
           r.target_minutes, r.first, r.breached, r.region, r.category, r.language
      from jsonb_to_recordset(${JSON.stringify(replies)}::jsonb) as r(consultation int, turn int, consultant int, asked_at timestamptz,
        due_at timestamptz, replied_at timestamptz, wall_seconds int, working_seconds int, target_minutes int, first boolean,
        breached boolean, region int, category int, language text)`)
}
