/** Stores and lists ratings: one for each episode, for the consultant who answered last in it (chat §4). */
import { fault, type NewRating, type RoomRating } from '@dala/model'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql } from '../../../db/sql.ts'
import type { Transaction } from '../../../db/database.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { personSql } from '../../../domain/conversations/desk.ts'
import { lockEntry } from '../../../resources/write/examine.ts'
import type { EnteredCall, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { sideInRoom } from '../sides.ts'
import { readForDesk } from './room.ts'

/**
 * Stores the rating of a chat episode.
 *
 * @throws 404 for a room the caller may not see, 403 unless the caller is its customer, 422 for an episode
 *   without an answer, 409 for a second rating.
 */
export async function rateEpisode(
  trx: Transaction,
  { caller, author, view }: EnteredCall,
  id: number,
  { episode, score, comment }: NewRating,
): Promise<NewRating> {
  const room = await lockEntry(trx, resourceNamed('chatrooms'), id, { author, view })
  if (!room) throw fault('record.not-found')
  if (sideInRoom(caller, room.values) !== 'asker') throw fault('access.denied')
  const [answeredCase] = await trx.query(sql<{ by: number | null }>`
    select consultant_id as by from room_replies where room_id = ${id} and episode = ${episode} order by id desc limit 1`)
  const params = { field: 'episode' }
  if (!answeredCase) {
    const issues = [{ path: ['episode'], code: 'rating.no-answer' as const, params }]
    throw fault('rating.no-answer', { params, issues })
  }
  const [storedRating] = await trx.query(sql`
    insert into room_ratings (room_id, episode, score, comment, consultant_id)
    values (${id}, ${episode}, ${score}, ${comment}, ${answeredCase.by}) on conflict do nothing returning episode`)
  if (!storedRating) throw fault('rating.done')
  return { episode, score, comment }
}

/**
 * Lists the ratings of a chat room, newest episode first, for the desk.
 *
 * @throws 404 and 403.
 */
export async function readRatings(
  routes: FeatureRoutes,
  enteredCall: EnteredCall,
  id: number,
): Promise<{ results: RoomRating[] }> {
  const results = await readForDesk(
    routes,
    enteredCall,
    id,
    sql<{ place: number; line: RoomRating }>`
      select -g.episode as place, json_build_object('episode', g.episode, 'score', g.score, 'comment', g.comment,
             'consultant', ${personSql(sql`g.consultant_id`)}, 'createdAt', ${momentSql(sql`g.created_at`)}) as line
        from room_ratings g where g.room_id = room.id`,
  )
  return { results }
}
