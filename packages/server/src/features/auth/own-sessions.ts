/** Lists and ends the user's own sessions (checklist §1). */
import type { Caller, SessionView } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { endSession, endSessionsOf, liveSessionsOf } from '../../domain/accounts/sessions.ts'
import type { SignInVisitor } from './sign-in.ts'

/** Lists the caller's valid sessions, the present one first. */
export async function ownSessions(database: Database, caller: Caller): Promise<(SessionView & { current: boolean })[]> {
  const sessions = await liveSessionsOf(database, caller.id, caller.sessionId)
  return sessions.map((session) => ({ ...session, current: session.id === caller.sessionId }))
}

/**
 * Ends one of the caller's sessions; ending the present one is a sign-out.
 *
 * @throws 404 for a session that is not the caller's or has ended.
 */
export async function endOwnSession(
  database: Database,
  caller: Caller,
  id: string,
  visitor: SignInVisitor,
): Promise<void> {
  const { address, requestId } = visitor
  await database.transaction(async (trx) => {
    await endSession(trx, caller.id, id)
    const action = id.toLowerCase() === caller.sessionId ? 'sign-out' : 'session.end'
    await writeAudit(trx, { action, user: caller.id, address, requestId })
  })
}

/**
 * Ends all of the caller's sessions except the present one.
 *
 * @returns The number of ended sessions.
 */
export function endOtherSessions(database: Database, caller: Caller, visitor: SignInVisitor): Promise<number> {
  const { address, requestId } = visitor
  return database.transaction(async (trx) => {
    const endedCount = await endSessionsOf(trx, caller.id, caller.sessionId)
    await writeAudit(trx, { action: 'sessions.end', user: caller.id, address, requestId })
    return endedCount
  })
}
