/** Lists the learners of a course, as a page or as a sheet (e-learning §5). */
import { formatCertificateNumber, type Locale } from '@dala/model'
import type { LearnerRow, LearnerSort } from '@dala/model/api/progress'
import type { Queries } from '../../../db/database.ts'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { courseProgressSql } from '../../../domain/learning/progress.ts'
import type { FurtherRows } from '../../../resources/further-rows.ts'
import { toSearchPatterns } from '../../../resources/read/query-values.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'

type Sql = Template<unknown>
type Runner = Pick<Queries, 'query'>

export interface LearnersQuery {
  course: number
  locale: Locale
  /** Text that the name of the learner must contain. */
  search: string
  sort: LearnerSort
}

/** SQL of each column by which learners are sorted; names are sorted in all alphabets alike. */
const sortedColumns: Readonly<Record<string, Sql>> = {
  name: sql`search_key(l.name) collate "C"`,
  region: sql`search_key(l.region) collate "C"`,
  percent: sql`l.percent`,
  started_at: sql`l.started_at`,
  last_activity: sql`l.last_activity`,
  completed_at: sql`l.completed_at`,
}

function orderOf(sort: LearnerSort): Sql {
  const [column = '', direction] = sort.split(':')
  return sql`${sortedColumns[column] ?? sql`l.last_activity`} ${sql.raw(direction === 'asc' ? 'asc' : 'desc')} nulls last, l.id`
}

/** SQL of the learners of a course: those with progress in it whose account exists. */
const learnersSql = ({ course, locale, search }: LearnersQuery, learnerCondition: Sql) => {
  const name = sql`coalesce(nullif(trim(concat_ws(' ', u.name, u.surname)), ''), u.username)`
  const foundSql = search === '' ? sql`true` : sql`search_key(${name}) like any(${toSearchPatterns(search)}::text[])`
  return sql`
    with ${courseProgressSql(sql`${course}::int`)},
    counted as (select user_id, count(*) as lessons from complete group by user_id),
    total as (select count(*) as lessons from lessons_seen),
    learners as (
      select u.id, ${name} as name,
             (select t.name from regions_texts t where t.document_id = u.region_id
               order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1) as region,
             case when total.lessons = 0 then 0 else div(coalesce(counted.lessons, 0) * 100, total.lessons)::int end as percent,
             started.started_at, started.last_activity, c.completed_at, c.certificate
        from (select user_id, min(created_at) as started_at, max(updated_at) as last_activity
                from lesson_progress where course_id = ${course}::int group by user_id) started
        join users u on u.id = started.user_id and u.removed_at is null
       cross join total
        left join counted on counted.user_id = u.id
        left join course_completions c on c.user_id = u.id and c.course_id = ${course}::int
       where ${foundSql} and ${learnerCondition})`
}

const rowSql = sql`l.id, l.name, l.region, l.percent, ${momentSql(sql`l.started_at`)} as started_at,
  ${momentSql(sql`l.last_activity`)} as last_activity, ${momentSql(sql`l.completed_at`)} as completed_at, l.certificate`

/**
 * Reads one page of the learners of a course.
 *
 * @param runner - The database.
 * @param query - The course, the search and the order.
 * @param page - The first row and the number of rows.
 * @returns The rows and the number of all matches.
 */
export async function readLearners(
  runner: Runner,
  query: LearnersQuery,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: LearnerRow[]; total: number }> {
  const [page] = await runner.query(sql<{ rows: LearnerRow[]; total: number }>`
    ${learnersSql(query, sql`true`)},
    page as (select ${rowSql}, row_number() over (order by ${orderOf(query.sort)}) as place
               from learners l order by place limit ${limit} offset ${offset})
    select (select count(*)::int from learners) as total,
           (select coalesce(json_agg(to_jsonb(page) - 'place' order by page.place), '[]') from page) as rows`)
  return page ?? { rows: [], total: 0 }
}

/** Returns the rows of the sheet with all learners of a course. */
export const learnersSheet = (query: LearnersQuery): FurtherRows => ({
  title: ['learning.learners'],
  columns: [
    { heading: ['learning.learners.name'], kind: 'text' },
    { heading: ['field.region'], kind: 'text' },
    { heading: ['learning.learners.percent'], kind: 'count' },
    { heading: ['learning.learners.started'], kind: 'moment' },
    { heading: ['learning.learners.lastActivity'], kind: 'moment' },
    { heading: ['learning.learners.completed'], kind: 'moment' },
    { heading: ['certificate.title'], kind: 'text' },
  ],
  async findKeys(runner, maxCount) {
    const rows = await runner.query(sql<{ id: number }>`
      ${learnersSql(query, sql`true`)} select l.id from learners l order by ${orderOf(query.sort)} limit ${maxCount}`)
    return rows.map(({ id }) => id)
  },
  async readRows(runner, keys) {
    const rows = await runner.query(sql<LearnerRow>`
      ${learnersSql(query, sql`u.id = any(${[...keys]}::int[])`)}
      select ${rowSql} from learners l order by array_position(${[...keys]}::int[], l.id)`)
    return rows.map(({ name, region, percent, started_at, last_activity, completed_at, certificate }) => {
      const number = certificate === null ? null : formatCertificateNumber(certificate)
      return [name, region, percent, started_at, last_activity, completed_at, number]
    })
  },
})
