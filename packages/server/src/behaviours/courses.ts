/** Rules of courses: the conditions for showing a course to learners (content-model §4). */
import { fault, type Locale, locales } from '@dala/model'
import { sql } from '../db/sql.ts'
import { partsOfCourse } from './computed.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

interface Readiness {
  now: string
  parts: number
  /** Languages of the course, and whether each has a title and a lesson with content. */
  languages: [locale: Locale, hasTitle: boolean, hasLesson: boolean][] | null
}

/**
 * The data that publishing needs, in one statement. A lesson counts when learners can see it and it has a
 * text, a video or parts in the language. A missing video of the language is replaced by that of the source
 * language (e-learning §4).
 */
const readiness = (course: number) => sql<Readiness>`
  select to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now, ${partsOfCourse(sql`${course}::int`)} as parts, (
    select json_agg(json_build_array(c.locale, trim(c.title) <> '', exists (
        select 1 from lessons l join lessons_texts t on t.document_id = l.id and t.locale = c.locale
          join lessons_texts source on source.document_id = l.id and source.locale = l.source_locale
          left join lessongroups g on g.id = l.lessongroup_id
         where l.course_id = c.document_id and l.state = 'visible' and coalesce(g.state, 'visible') = 'visible'
           and (t.content <> '' or t.videourl <> '' or source.videourl <> '' or jsonb_typeof(l.video) = 'object'
             or (jsonb_typeof(t.parts) = 'array' and jsonb_array_length(t.parts) > 0)))))
      from courses_texts c where c.document_id = ${course}) as languages`

export const courseBehaviour: Behaviour = {
  async settle({ operation, values, before, document, trusted, now, trx }) {
    const isPublished = values.state === 'published' && before?.state !== 'published'
    if (operation === 'remove' || !isPublished) return undefined
    if (document === undefined) return typeof values.published_at === 'string' ? undefined : { published_at: now }
    const [found] = await trx.query(readiness(document))
    const missing = (found?.languages ?? [])
      .toSorted(([a], [b]) => locales.indexOf(a) - locales.indexOf(b))
      .flatMap(([locale, hasTitle, hasLesson]) => [
        ...(hasTitle ? [] : [{ locale, what: 'title' }]),
        ...(hasLesson ? [] : [{ locale, what: 'lesson' }]),
      ])
    if (!trusted && missing.length > 0) {
      const issues = missing.map(({ locale, what }) => {
        const code = what === 'title' ? ('course.no-title' as const) : ('course.no-lesson' as const)
        return { path: [what === 'title' ? 'title' : 'lessons'], code, params: { locale } }
      })
      throw fault('course.not-ready', { params: { count: missing.length }, issues, details: { missing } })
    }
    // The database's own time, which this write also sets on the texts of the course.
    return { published_at: found?.now ?? now, published_parts: found?.parts ?? null }
  },
}
