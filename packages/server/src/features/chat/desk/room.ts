/** One room for who answers in it: what the desk keeps of a room is for the desk alone (chat §4, audiences). */
import { fault } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { isOutsideSql } from '../../../domain/conversations/computed-rooms.ts'
import type { Entered, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { runScoped } from '../../../resources/read/scoped.ts'

/**
 * Reads rows about a room, in one statement. In: the room's id, and SQL of the rows, which may name the room `room` with
 * its `id`; its columns are `place`, by which they are ordered, and others. Out: the others, row by row.
 * Throws 404 for a room out of reach, 403 for who asks in it and for who is not of the desk any more.
 */
export async function readForDesk(
  { database }: FeatureRoutes,
  { caller, view }: Entered,
  id: number,
  rows: Template<unknown>,
): Promise<(readonly unknown[])[]> {
  const resource = resourceNamed('chatrooms')
  const found = await runScoped(database, { resource, caller, view }, ({ from, where, document }) => {
    const own = (column: string) => sql.ref(`${document}.${column}`)
    return sql`
      with room as materialized (
        select ${own('id')} as id, ${isOutsideSql(own)} as outside from ${from} where ${own('id')} = ${id} and ${where})
      select room.outside, rest.* from room left join lateral (${rows}) rest on true order by rest.place`
  })
  const [first] = found
  if (!first) throw fault('record.not-found')
  if (first[0] === true) throw fault('access.denied')
  return found.filter(([, place]) => place !== null).map(([, , ...row]) => row)
}
