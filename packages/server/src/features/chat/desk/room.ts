/** Reads data about a room that only the desk may see (chat §4, audiences). */
import { fault } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { isOutsideSql } from '../../../domain/conversations/computed-rooms.ts'
import type { EnteredCall, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { runScopedQuery } from '../../../resources/read/scoped.ts'

/** SQL of rows about a chat room: `place` orders the rows, `line` is one JSON value. */
type LinesSql<Line> = Template<{ place: number; line: Line }>

/**
 * Reads lines about a chat room, in one statement.
 *
 * @param routes - The database.
 * @param entered - The caller and the rooms that they may see.
 * @param id - Id of the room.
 * @param lines - SQL of the lines, in which the room is `room` with its `id`.
 * @returns The lines by their places.
 * @throws 404 for a room the caller may not see, 403 for the customer and for users outside of the desk.
 */
export async function readForDesk<Line>(
  { database }: FeatureRoutes,
  { caller, view }: EnteredCall,
  id: number,
  lines: LinesSql<Line>,
): Promise<Line[]> {
  const resource = resourceNamed('chatrooms')
  const foundRoom = await runScopedQuery(database, { resource, caller, view }, ({ from, where, document }) => {
    const columnRef = (column: string) => sql.ref(`${document}.${column}`)
    return sql<{ outside: boolean; line: Line | null }>`
      with room as materialized (
        select ${columnRef('id')} as id, ${isOutsideSql(columnRef)} as outside from ${from} where ${columnRef('id')} = ${id} and ${where})
      select room.outside, lines.line from room left join lateral (${lines}) lines on true order by lines.place`
  })
  const [firstRow] = foundRoom
  if (!firstRow) throw fault('record.not-found')
  if (firstRow.outside) throw fault('access.denied')
  return foundRoom.flatMap(({ line }) => (line === null ? [] : [line]))
}
