/** Notices for consultants: a chat room or a consultation is theirs now, or is open again (chat §5). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { userNameSql } from '../accounts/user-name.ts'
import { notifyUsers } from '../delivery/notices.ts'

/**
 * Notifies the new owner of a chat room, once for each revision of the room. An owner who took the room
 * themselves, or who receives no notices of chats, gets none.
 *
 * @param trx - The transaction of the hand-over.
 * @param handOver - The room with its new revision, its new owner and the user who acts.
 */
export async function notifyRoomAssigned(
  trx: Transaction,
  { room, rev, to, by }: { room: number; rev: number; to: unknown; by: number },
): Promise<void> {
  if (typeof to !== 'number' || to === by) return
  const [foundCustomer] = await trx.query(sql<{ customer: string | null }>`
    select (select ${userNameSql} from users u where u.id = r.sender_id) as customer
      from chatrooms r, users owner
     where r.id = ${room} and owner.id = ${to} and owner.chat_notify <> 'none'`)
  if (!foundCustomer) return
  const params = { customer: foundCustomer.customer ?? '—' }
  const subject = { resource: 'chatrooms', document: room }
  const address = `/chats/${room}`
  await notifyUsers(trx, { users: [to], kind: 'chat.assigned', params, address, subject, key: `${room}:${rev}` })
}

interface NotifiedStep {
  consultation: number
  /** The id of the stored step. */
  step: number
  action: 'assign' | 'reopen'
  /** The consultant after the step. */
  owner: unknown
  customer: unknown
  /** The user who acts. */
  by: number
}

/**
 * Notifies the consultant of a consultation of its assignment or its reopening, once for each stored step. A
 * consultant who made the step themselves gets no notice.
 */
export async function notifyConsultationStep(
  trx: Transaction,
  { consultation, step, action, owner, customer, by }: NotifiedStep,
): Promise<void> {
  if (typeof owner !== 'number' || owner === by) return
  const [asker] = await trx.query(
    sql<{ name: string }>`select ${userNameSql} as name from users u where u.id = ${customer ?? null}::int`,
  )
  await notifyUsers(trx, {
    users: [owner],
    kind: action === 'assign' ? 'consultation.assigned' : 'consultation.reopened',
    params: { customer: asker?.name ?? '—' },
    address: `/consultation/${consultation}`,
    subject: { resource: 'consultations', document: consultation },
    key: `${consultation}:${step}`,
  })
}
