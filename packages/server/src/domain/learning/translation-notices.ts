/** Notifies staff of a published course that lacks translations (e-learning §5). */
import { locales } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { isStaffSql } from '../conversations/desk.ts'
import { notifyUsers } from '../delivery/notices.ts'
import { belongsToCourseSql, partNames } from './course-content.ts'

interface UntranslatedCourse {
  id: number
  title: string
  locales: string[]
  day: string
}

/**
 * Notifies staff of the languages in which a part of a published course is missing or older than its source,
 * at most once a day for a course.
 *
 * @param trx - The transaction of the publication, after the copies are written.
 * @param course - The key of the course.
 * @param publisherId - The user who published it, who knows.
 */
export async function notifyMissingTranslations(trx: Transaction, course: number, publisherId: number): Promise<void> {
  const parts = partNames.map(
    (name) => sql`
      select d.id, d.source_locale, d.source_changes, l.locale, t.seen_changes
        from ${sql.table(name)} d cross join unnest(${[...locales]}::text[]) as l(locale)
        left join ${sql.table(`${name}_texts`)} t on t.document_id = d.id and t.locale = l.locale
       where d.id in (select id from ${sql.table(name)} where ${belongsToCourseSql(name, sql`${course}`)})`,
  )
  const [untranslatedCourse] = await trx.query(sql<UntranslatedCourse>`
    with part as (${sql.join(parts, sql` union all `)})
    select (select min(t.id) from courses_texts t where t.document_id = c.id) as id,
           (select t.title from courses_texts t where t.document_id = c.id order by t.locale <> c.source_locale, t.id limit 1) as title,
           array(select distinct p.locale from part p
                  where p.locale <> p.source_locale and (p.seen_changes is null or p.seen_changes < p.source_changes)
                  order by p.locale) as locales,
           c.published_at::date::text as day
      from courses c where c.id = ${course}`)
  if (!untranslatedCourse || untranslatedCourse.locales.length === 0) return
  const people = await trx.query(sql<{ id: number }>`
    select u.id from users u join roles r on r.id = u.role_id
     where ${isStaffSql(sql`r.type`)} and u.active and not u.blocked and u.removed_at is null and u.id <> ${publisherId} order by u.id`)
  await notifyUsers(trx, {
    users: people.map(({ id }) => id),
    kind: 'course.translate',
    params: { title: untranslatedCourse.title, locales: untranslatedCourse.locales },
    address: `/e-learning/${untranslatedCourse.id}`,
    subject: { resource: 'courses', document: course },
    key: `${course}:${untranslatedCourse.day}`,
  })
}
