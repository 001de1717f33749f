/** Finds uploads for lessons of a course that have not ended (e-learning §8). */
import { pendingHours } from '@dala/model'
import type { Queries } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import type { ReadinessFinding } from '../../../domain/learning/readiness.ts'

/**
 * Finds unfinished uploads. Subtitles concern their language, other files all languages of the lesson. When
 * somebody chose another file for the same use later, only the later upload counts; after a day, none does.
 *
 * @param runner - The database or a transaction.
 * @param course - The key of the course.
 * @returns A problem for each upload.
 */
export async function findRunningUploads(runner: Pick<Queries, 'query'>, course: number): Promise<ReadinessFinding[]> {
  const rows = await runner.query(sql<Pick<ReadinessFinding, 'lesson' | 'locale'> & { file: string }>`
    select lesson_id as lesson, subtitles_in as locale, name as file
      from (select distinct on (r.lesson_id, r.owner_id, r.purpose, s.subtitles_in) r.lesson_id, s.subtitles_in, r.name, r.file_id
              from resumable_uploads r
              join lessons l on l.id = r.lesson_id
             cross join lateral (select case when r.purpose = 'subtitles' then r.locale end as subtitles_in) s
             where l.course_id = ${course} and r.owner_id is not null
               and r.created_at > now() - ${`${pendingHours} hours`}::interval
             order by r.lesson_id, r.owner_id, r.purpose, s.subtitles_in, r.created_at desc, r.id) latest
     where file_id is null order by lesson_id, name`)
  return rows.map((row) => ({ ...row, code: 'lesson.upload-running' }))
}
