/**
 * Rules of lesson groups: the places of their lessons when a group is deleted and restored (e-learning §8).
 */
import { sql } from '../db/sql.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'
import { renumberLessons } from './lessons.ts'

export const lessonGroupBehaviour: Behaviour = {
  async settleValues({ operation, valuesBefore, document, trx }) {
    const course = valuesBefore?.course
    if (typeof course !== 'number' || document === undefined) return
    if (operation === 'restore')
      trx.afterCommit(() => renumberLessons(trx.database, course), `gaps of course ${course}`)
    if (operation !== 'remove') return
    const lessons = await trx.query(
      sql<{ id: number }>`select id from lessons where lessongroup_id = ${document} order by id for update`,
    )
    const ids = lessons.map(({ id }) => id)
    // Lessons that stay when their group is deleted follow the lessons without a group, so a restore finds
    // their order.
    trx.beforeCommit(async () => {
      await trx.query(sql`
        update lessons set position = position + (
          select coalesce(max(l.position), 0) from lessons l
           where l.course_id = ${course} and l.lessongroup_id is null and l.id <> all(${ids}::int[]))
         where id = any(${ids}::int[]) and lessongroup_id is null`)
      trx.changed('lessons', 'values')
    })
  },
}
