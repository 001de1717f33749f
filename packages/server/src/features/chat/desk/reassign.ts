/** Assigns many rooms in one request, each with its own result (chat §5, supervisor). */
import { type ChatPerson, Fault, type ReassignedRoom, type Reassignment } from '@dala/model'
import type { Database } from '../../../db/database.ts'
import type { EnteredCall } from '../../../resources/feature-routes.ts'
import { withDeadlockRetry } from '../../../resources/write/write.ts'
import { assignRoom } from '../assign.ts'

/**
 * Assigns each chat room in its own transaction, so that a refusal does not affect the others.
 *
 * @returns One result for each room.
 */
export async function reassignRooms(
  database: Database,
  enteredCall: EnteredCall,
  { rooms, to, from, note }: Reassignment,
): Promise<ReassignedRoom[]> {
  const results: ReassignedRoom[] = []
  for (const room of rooms) {
    try {
      await withDeadlockRetry(database, (trx) => assignRoom(trx, database, enteredCall, room, { to, from, note }))
      results.push({ room, ok: true })
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      const owner = error.details.owner as ChatPerson | null | undefined
      results.push({ room, ok: false, code: error.code, ...(owner !== undefined && { owner }) })
    }
  }
  return results
}
