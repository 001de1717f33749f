/** Links to videos in lessons, and the last answers of their sites (e-learning §8). */
import { videoOf } from '@dala/model'
import type { VideoLink } from '@dala/model/api/learning'
import type { Queries } from '../../../db/database.ts'
import { sql, type Template } from '../../../db/sql.ts'
import type { ReadinessFinding } from '../../../domain/learning/readiness.ts'
import type { VideoAnswer } from './video-sites.ts'

/** Maximum length of a checked video address; addresses of the known sites are far shorter. */
const maxLength = 500

/** Pattern of addresses that may belong to a known video site; the model decides whether they do. */
const sitePattern = '^https://([a-z-]+[.])?(youtube|youtube-nocookie|youtu|vimeo)[.](com|be)/'

/** SQL of the time after which a video site is asked again: a week, or a day when it gave no answer. */
const isDueSql = sql`asked_at <= now() - case when checked_at >= asked_at then interval '7 days' else interval '1 day' end`

/**
 * SQL of the linked videos that lessons show, `lesson, locale, address`. The video of the source language
 * replaces a missing one (e-learning §4).
 */
const linksSql = (lessonCondition: Template<unknown>) => sql`
  select t.document_id as lesson, t.locale, shown.address
    from lessons d
    join lessons_texts t on t.document_id = d.id
    left join lessons_texts source on source.document_id = d.id and source.locale = d.source_locale
   cross join lateral (
     select coalesce(nullif(t.videourl, ''), source.videourl) as address where d.kind = 'single'
     union all
     select part ->> 'videourl'
       from jsonb_array_elements(case when d.kind = 'multi' and jsonb_typeof(t.parts) = 'array' then t.parts else '[]'::jsonb end) part) shown
   where ${lessonCondition} and length(shown.address) <= ${maxLength}::int and shown.address ~* ${sitePattern}`

/**
 * Finds lessons with a linked video that its site does not give.
 *
 * @param runner - The database or a transaction.
 * @param course - The key of the course.
 * @returns One problem for each lesson and language.
 */
export async function findUnreachableVideos(
  runner: Pick<Queries, 'query'>,
  course: number,
): Promise<ReadinessFinding[]> {
  const rows = await runner.query(sql<Pick<ReadinessFinding, 'lesson' | 'locale'>>`
    select distinct links.lesson, links.locale from (${linksSql(sql`d.course_id = ${course}`)}) links
      join video_links v on v.address = links.address where v.state = 'unreachable'`)
  return rows.map((row) => ({ ...row, code: 'lesson.video-unreachable' }))
}

/**
 * Reads the linked videos of a lesson on known sites, in all its languages.
 *
 * @param runner - The database.
 * @param lesson - The key of the lesson.
 * @param isCheckOn - Whether sites are asked.
 * @returns The links with the last answer of their site; `unknown` for all when sites are not asked.
 */
export async function readVideoLinks(
  runner: Pick<Queries, 'query'>,
  lesson: number,
  isCheckOn: boolean,
): Promise<VideoLink[]> {
  interface Row extends Pick<VideoLink, 'address'> {
    state: 'reachable' | 'unreachable' | null
    checked: string | null
    isAsked: boolean
  }
  const rows = await runner.query(sql<Row>`
    select distinct links.address, v.state, v.checked_at::text as checked, v.address is not null as "isAsked"
      from (${linksSql(sql`d.id = ${lesson}`)}) links
      left join video_links v on v.address = links.address order by links.address`)
  return rows
    .filter(({ address }) => videoOf(address)?.kind === 'player')
    .map(({ address, state, checked, isAsked }): VideoLink => {
      if (!isCheckOn || state === null)
        return { address, state: isCheckOn && !isAsked ? 'pending' : 'unknown', checked_at: null }
      return { address, state, checked_at: checked === null ? null : new Date(checked).toISOString() }
    })
}

/**
 * Claims addresses that are due, so that no other instance asks for them.
 *
 * @param runner - The database.
 * @param count - Maximum number of addresses.
 * @returns The addresses.
 */
export async function claimLinks(runner: Pick<Queries, 'query'>, count: number): Promise<string[]> {
  const rows = await runner.query(sql<{ address: string }>`
    insert into video_links (address)
    select distinct links.address from (${linksSql(sql`true`)}) links
      left join video_links v on v.address = links.address
     where v.address is null or ${isDueSql} order by links.address limit ${count}::int
    on conflict (address) do update set asked_at = excluded.asked_at
      where video_links.asked_at < excluded.asked_at - interval '1 hour'
    returning address`)
  return rows.map(({ address }) => address)
}

/** Stores the answer of a video site. Without an answer the former one stays. */
export async function storeAnswer(runner: Pick<Queries, 'query'>, address: string, answer: VideoAnswer): Promise<void> {
  if (answer === 'unknown') return
  await runner.query(
    sql`update video_links set state = ${answer}, checked_at = greatest(now(), asked_at) where address = ${address}`,
  )
}

/** Deletes answers about video addresses that no lesson has shown for a month. */
export async function forgetLinks(runner: Pick<Queries, 'query'>): Promise<void> {
  await runner.query(sql`delete from video_links where asked_at < now() - interval '30 days'`)
}
