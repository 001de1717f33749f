/** Gives many rooms to somebody at once: each for itself, with an answer of its own (chat §5, supervisor). */
import { type ErrorCode, Fault } from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { ActionBody } from '../../../resources/action-body.ts'
import { maxNote } from '../../../domain/conversations/desk.ts'
import type { Entered } from '../../../resources/feature-routes.ts'
import { writing } from '../../../resources/write/write.ts'
import { assign } from '../assign.ts'
import { readIds } from './query.ts'

export const maxRooms = 50

interface Wanted {
  rooms: number[]
  to: number | null
  /** Who must still have them; undefined for whoever it is. */
  from: number | null | undefined
  note: string
}

export interface Reassigned {
  room: number
  ok: boolean
  /** Why not. */
  code?: ErrorCode
  /** Who has it by now, where that is why. */
  owner?: unknown
}

/** Reads what is to be given to whom; `to` null gives rooms back to their receivers, `from` null takes them from the queue. Throws 422. */
export function readReassignment(body: ActionBody): Wanted {
  const rooms = readIds(body, 'rooms', maxRooms)
  const [to, from, note] = [body.id('to'), body.id('from'), body.text('note', maxNote)]
  if (!body.has('to')) body.wrong('to', 'validation.required')
  body.check()
  if (note === null) body.wrong('note', 'state.reason')
  body.check()
  return { rooms, to: to ?? null, from, note: note ?? '' }
}

/** Gives each room in a transaction of its own: what one refuses does not hold up the others. Out: a line a room. */
export async function reassign(
  database: Database,
  entered: Entered,
  { rooms, to, from, note }: Wanted,
): Promise<Reassigned[]> {
  const results: Reassigned[] = []
  for (const room of rooms) {
    try {
      await writing(database, (trx) =>
        assign(trx, database, entered, room, new ActionBody({ body: { data: { to, from, note } } })),
      )
      results.push({ room, ok: true })
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      const { owner } = error.details
      results.push({ room, ok: false, code: error.code, ...(owner !== undefined && { owner }) })
    }
  }
  return results
}
