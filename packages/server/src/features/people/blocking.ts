/** Blocks and unblocks an account, with a reason; its open cases are handed over first. */
import { type BlockRequest, fault, type OpenWork } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { assertAnswers, assertPersonAnswers } from '../../domain/conversations/desk.ts'
import { storeConsultationStep, handOverRoom } from '../../domain/conversations/desk-moves.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { openConsultations, openRooms, openWorkOf } from '../../domain/conversations/open-work.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'
import { type AccountAction, auditAction, lockAccount, users } from './acting.ts'

const [chatrooms, consultations] = [resourceNamed('chatrooms'), resourceNamed('consultations')]

/**
 * Counts the open cases of an account.
 *
 * @throws 403 and 404 by rank.
 */
export function countOpenWork({ database, ...staffAction }: AccountAction): Promise<OpenWork> {
  return database.transaction(async (trx) => {
    await lockAccount(trx, { database, ...staffAction })
    return openWorkOf(trx, staffAction.id)
  })
}

/** Yields the open chat rooms or consultations of a user, each locked, in the order of their ids. */
async function* openOf(trx: Transaction, { author, id }: AccountAction, kind: 'rooms' | 'consultations') {
  const [resource, table, isOpen] =
    kind === 'rooms'
      ? [chatrooms, sql.table('chatrooms'), openRooms(id)]
      : [consultations, sql.table('consultations'), openConsultations(id)]
  const foundWork = await trx.query(sql<{ id: number }>`select id from ${table} where ${isOpen} order by id for update`)
  for (const openRow of foundWork) {
    const storedEntry = await lockEntry(trx, resource, openRow.id, { author, view: {} })
    if (storedEntry) yield storedEntry
  }
}

/**
 * Hands all open cases of a consultant over to a user, or back to the queue when `to` is null. Questions of
 * the new assignee themselves go to the queue: nobody answers their own question.
 *
 * @throws 422 for a user who answers nobody.
 */
async function handWorkOver(
  trx: Transaction,
  staffAction: AccountAction,
  receiverId: number | null,
): Promise<OpenWork> {
  if (receiverId === staffAction.id) await assertAnswers(trx, undefined, 'to')
  if (receiverId !== null) await assertPersonAnswers(trx, receiverId, 'to')
  const assigneeOf = ({ values }: StoredEntry, asker: string) => (values[asker] === receiverId ? null : receiverId)
  const movedCounts = { consultations: 0, rooms: 0 }
  for await (const room of openOf(trx, staffAction, 'rooms')) {
    const assignee = assigneeOf(room, 'sender')
    // A chat room in the queue has no receiver either.
    await handOverRoom(trx, staffAction, room, { assignee, ...(assignee === null && { receiver: null }) }, null)
    movedCounts.rooms += 1
  }
  for await (const consultation of openOf(trx, staffAction, 'consultations')) {
    const consultant = assigneeOf(consultation, 'user')
    const step = { action: 'assign', note: null } as const
    await storeConsultationStep(trx, staffAction, consultation, { consultant }, step)
    movedCounts.consultations += 1
  }
  return movedCounts
}

/**
 * Blocks an account below the caller. Its sessions end immediately, and its open cases are handed over in the
 * same transaction.
 *
 * @param trx - The transaction.
 * @param accountAction - The caller, and the account.
 * @param updateAccount - Writes the account.
 * @param blocking - The reason, and the user who gets the open cases: null for the queue, undefined when
 * nobody is named.
 * @throws 403 and 404 by rank; 409 with the counts when there are open cases and nobody is named; 422 for the
 * last owner and for a user who answers nobody.
 */
export async function blockAccount(
  trx: Transaction,
  accountAction: AccountAction,
  updateAccount: EntryWriters['update'],
  { reason, to }: BlockRequest,
): Promise<void> {
  await lockAccount(trx, accountAction)
  const movedCounts = to === undefined ? undefined : await handWorkOver(trx, accountAction, to)
  await updateAccount({ ...accountAction, trx }, users, accountAction.id, { blocked: true, blocked_reason: reason })
  const details = movedCounts && {
    to: String(to ?? ''),
    consultations: String(movedCounts.consultations),
    rooms: String(movedCounts.rooms),
  }
  await auditAction(trx, accountAction, 'user.block', { reason, ...details })
}

/**
 * Unblocks an account below the caller.
 *
 * @throws 403 and 404 by rank.
 */
export async function unblockAccount(
  trx: Transaction,
  accountAction: AccountAction,
  updateAccount: EntryWriters['update'],
  reason: string,
): Promise<void> {
  await lockAccount(trx, accountAction)
  await updateAccount({ ...accountAction, trx }, users, accountAction.id, { blocked: false })
  await auditAction(trx, accountAction, 'user.unblock', { reason })
}

/**
 * Refuses a blocked account: no letter would reach it.
 *
 * @throws 409 when the account is blocked.
 */
export function assertUserNotBlocked({ blocked }: { blocked: boolean }): void {
  if (blocked) throw fault('user.blocked')
}
