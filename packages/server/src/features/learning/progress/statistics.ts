/** Computes the figures of the learners of a course (e-learning §6). */
import type { Locale } from '@dala/model'
import type { CourseStatistics } from '@dala/model/api/progress'
import type { Queries } from '../../../db/database.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { courseProgressSql } from '../../../domain/learning/progress.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'

/** Number of pieces into which a watch curve divides a video. */
const buckets = 20

export interface StatisticsQuery {
  course: number
  /** Language of the titles of lessons and parts. */
  language: Locale
  /** Language in which learners used the lessons; all languages when absent. */
  locale: Locale | undefined
  /** Wire id of the learners' region; all regions when absent. */
  region: number | undefined
}

/** Piece of a watch curve at which the number of learners changes against the piece before. */
interface CurveEdge {
  id: number
  part: string
  title: string | null
  place: number
  bucket: number
  change: number
}

type Figures = Omit<CourseStatistics, 'curves'> & { edges: readonly CurveEdge[] }

/** SQL of the piece of the watch curve for a second of a video; `lengths` has the length of the video. */
const bucketSql = (rounding: 'floor' | 'ceil', secondSql: Template<unknown>) =>
  sql`${sql.raw(rounding)}((${secondSql})::float8 * ${sql.lit(buckets)} / lengths.length_s)::int`

/** Makes watch curves from the pieces where they change, which are in the order of lessons and parts. */
function curvesOf(edges: readonly CurveEdge[]): CourseStatistics['curves'] {
  return [...Map.groupBy(edges, ({ id, part }) => `${id} ${part}`).values()].flatMap((partEdges) => {
    const [firstEdge] = partEdges
    if (!firstEdge) return []
    const changes = new Map(partEdges.map(({ bucket, change }) => [bucket, change]))
    let learners = 0
    const curve = Array.from({ length: buckets }, (_, bucket) => (learners += changes.get(bucket) ?? 0))
    const { id, part, title, place } = firstEdge
    return [{ id, part, title, place, buckets: curve }]
  })
}

/** Reads the progress figures of a course in one statement. */
export async function readStatistics(
  runner: Pick<Queries, 'query'>,
  { course, language, locale, region }: StatisticsQuery,
): Promise<CourseStatistics> {
  const languageSql = locale === undefined ? sql`true` : sql`p.locale = ${locale}`
  const regionSql =
    region === undefined
      ? sql`true`
      : sql`u.region_id = (select t.document_id from regions_texts t where t.id = ${region})`
  const [figures] = await runner.query(sql<Figures>`
    with ${courseProgressSql(sql`${course}::int`)},
    used as materialized (
      select p.* from lesson_progress p join users u on u.id = p.user_id and u.removed_at is null
       where p.course_id = ${course}::int and ${languageSql} and ${regionSql}),
    people as materialized (
      select user_id, min(created_at) as started_at, max(updated_at) as last_activity from used group by user_id),
    finished as (
      select greatest(0, extract(epoch from c.completed_at - people.started_at)) as seconds
        from people join course_completions c on c.user_id = people.user_id and c.course_id = ${course}::int),
    users_of as materialized (select distinct lesson_id, user_id from used),
    started as (select lesson_id, count(*)::int as learners from users_of group by lesson_id),
    ended as (
      select complete.lesson as lesson_id, count(*)::int as learners from complete
       where (complete.lesson, complete.user_id) in (select lesson_id, user_id from users_of) group by complete.lesson),
    lengths as (select lesson, part, max(length_s)::float8 as length_s from parts where length_s > 0 group by lesson, part),
    pieces as (
      select used.lesson_id, used.part, edge.bucket, edge.change
        from used
        join lengths on lengths.lesson = used.lesson_id and lengths.part = used.part
       cross join lateral jsonb_array_elements(used.watched) with ordinality i(value, place)
       cross join lateral (
         select greatest(${bucketSql('floor', sql`i.value ->> 0`)},
                         case when i.place > 1 then ${bucketSql('ceil', sql`used.watched -> (i.place::int - 2) ->> 1`)} end) as first,
                least(${sql.lit(buckets)}, ${bucketSql('ceil', sql`i.value ->> 1`)}) as after_last) span
       cross join lateral (values (span.first, 1), (span.after_last, -1)) edge(bucket, change)
       where span.first < span.after_last),
    edges as (
      select lesson_id, part, bucket, sum(change)::int as change from pieces group by lesson_id, part, bucket),
    shown as (
      select s.lesson, s.place, own.id, own.title from lessons_seen s cross join lateral (
        select t.id, t.title from published_lessons_texts t where t.document_id = s.lesson
         order by ${languageOrder(sql`t.locale`, undefined, language)} limit 1) own),
    named as (
      select own.lesson, own.part, found.title, coalesce(found.place, 0)::int as place
        from (select distinct lesson_id as lesson, part from edges) own
        left join lateral (
          select nullif(p.value ->> 'title', '') as title, p.place
            from published_lessons_texts t
           cross join lateral jsonb_array_elements(case when jsonb_typeof(t.parts) = 'array' then t.parts else '[]' end)
              with ordinality p(value, place)
           where t.document_id = own.lesson and p.value ->> 'id' = own.part
           order by ${languageOrder(sql`t.locale`, undefined, language)} limit 1) found on true)
    select (select count(*)::int from people) as started,
           (select count(*)::int from people where last_activity > now() - interval '7 days') as active,
           (select count(*)::int from finished) as completed,
           (select percentile_cont(0.5) within group (order by seconds) from finished)::float8 as median_s,
           (select coalesce(json_agg(json_build_object('id', shown.id, 'title', shown.title,
                'started', coalesce(started.learners, 0), 'completed', coalesce(ended.learners, 0)) order by shown.place), '[]')
              from shown left join started on started.lesson_id = shown.lesson left join ended on ended.lesson_id = shown.lesson) as funnel,
           (select coalesce(json_agg(json_build_object('id', shown.id, 'part', edges.part, 'title', named.title, 'place', named.place,
                'bucket', edges.bucket, 'change', edges.change) order by shown.place, named.place, edges.part, edges.bucket), '[]')
              from edges join shown on shown.lesson = edges.lesson_id
              join named on named.lesson = edges.lesson_id and named.part = edges.part) as edges`)
  const { edges, ...otherFigures } = figures ?? {
    started: 0,
    active: 0,
    completed: 0,
    median_s: null,
    funnel: [],
    edges: [],
  }
  return { ...otherFigures, curves: curvesOf(edges) }
}
