/** Reads the outline of a course: groups in order with their lessons in order (e-learning §5). */
import { createHash } from 'node:crypto'
import { type Caller, type Locale, locales } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { draftChangeSql } from '../../domain/learning/draft-change.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { isReader } from '../../resources/read/published.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { languageOrder } from '../../resources/read/sql-entry.ts'
import { findUnreachableVideos } from './checks/video-links.ts'

/** Record of the outline with the key of its document, which the server never sends. */
export interface PlacedRow {
  document: number
  /** Document of the lesson's group; null for a lesson without a group, and for a group. */
  group: number | null
  position: number
}

/** Outline of a course with the keys of its records. */
export interface StoredOutline {
  outline: Outline
  groups: readonly PlacedRow[]
  lessons: readonly PlacedRow[]
}

const lessons = resourceNamed('lessons')
const lessongroups = resourceNamed('lessongroups')

type GroupRow = Omit<OutlineGroup, 'lessons'> & Omit<PlacedRow, 'group'>

type ShownValues = 'id' | 'title' | 'locale' | 'kind' | 'state' | 'duration_s' | 'change'

interface LessonRow extends PlacedRow, Pick<OutlineLesson, ShownValues> {
  languages: readonly Locale[] | null
  outdated: readonly Locale[] | null
  empty: readonly Locale[] | null
}

/** Sorts language codes in the product's order of languages. */
const inLocaleOrder = (codes: readonly Locale[] | null): Locale[] => locales.filter((locale) => codes?.includes(locale))

function presentLesson(
  { id, title, locale, kind, state, duration_s, change, languages, outdated, empty }: LessonRow,
  unreachableLanguages: readonly Locale[],
) {
  return {
    id,
    title,
    locale,
    kind,
    state,
    duration_s,
    change,
    locales: inLocaleOrder(languages),
    outdated_locales: inLocaleOrder(outdated),
    problems: [
      ...inLocaleOrder(empty).map((language) => ({ locale: language, code: 'lesson.empty' as const })),
      ...inLocaleOrder(unreachableLanguages).map((language) => ({
        locale: language,
        code: 'lesson.video-unreachable' as const,
      })),
    ],
  }
}

/**
 * Computes the version of an outline from a hash of its arrangement; equal versions by chance are improbable.
 */
function versionOf(groups: readonly PlacedRow[], members: readonly PlacedRow[]): number {
  const outlineOrder = [groups.map(({ document }) => document), members.map(({ document, group }) => [document, group])]
  return createHash('sha256').update(JSON.stringify(outlineOrder)).digest().readUInt32BE(0) >>> 1
}

interface OutlineOptions {
  preview?: true
  videoChecks?: boolean
}

/**
 * Reads the outline of a course, limited to the lessons and groups that the caller may see. A language of a
 * lesson is incomplete when it has neither text nor video nor parts; a video of the source language replaces
 * a missing one (content-model §4, e-learning §4).
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param course - The key of the course.
 * @param locale - The language of titles.
 * @param options - Whether the drafts are read as they would be published, and whether sites of videos are
 *   asked.
 * @returns The tree with the keys of its records.
 * @throws 403 when the caller may read no lessons.
 */
export async function readOutline(
  runner: Queries,
  caller: Caller,
  course: number,
  locale: Locale,
  { preview, videoChecks = false }: OutlineOptions = {},
): Promise<StoredOutline> {
  // Learners and previews see no comparison of the draft with the publication.
  const change = preview || isReader(caller) ? sql`null::text` : draftChangeSql('l', course)
  const order = languageOrder(sql`t.locale`, undefined, locale)
  const groups = await runScopedQuery(
    runner,
    {
      resource: lessongroups,
      caller,
      view: authoriseCaller(lessongroups, 'list', caller),
      ...(preview && { preview }),
    },
    ({ from, where, document }) => sql<GroupRow>`
      with reached as (select distinct ${sql.ref(`${document}.id`)} as id from ${from} where ${where} and ${sql.ref(`${document}.course_id`)} = ${course})
      select g.id as document, g.position, shown.id, shown.title, shown.locale, g.state
        from reached join lessongroups g on g.id = reached.id
        cross join lateral (select t.* from lessongroups_texts t where t.document_id = g.id order by ${order} limit 1) shown
       order by g.position, g.id`,
  )
  const members = await runScopedQuery(
    runner,
    { resource: lessons, caller, view: authoriseCaller(lessons, 'list', caller), ...(preview && { preview }) },
    ({ from, where, document }) => sql<LessonRow>`
      with reached as (select distinct ${sql.ref(`${document}.id`)} as id from ${from} where ${where} and ${sql.ref(`${document}.course_id`)} = ${course})
      select l.id as document, l.lessongroup_id as "group", l.position, shown.id, shown.title, shown.locale, l.kind, l.state,
             coalesce(case when jsonb_typeof(l.video -> 'duration_s') = 'number' then round((l.video ->> 'duration_s')::numeric) end, l.duration_minutes::numeric * 60) as duration_s,
             ${change} as change, every.languages, every.outdated, every.empty
        from reached join lessons l on l.id = reached.id
        cross join lateral (select t.* from lessons_texts t where t.document_id = l.id order by ${order} limit 1) shown
        cross join lateral (
          select json_agg(t.locale) as languages,
                 json_agg(t.locale) filter (where t.locale <> l.source_locale and t.seen_changes < l.source_changes) as outdated,
                 json_agg(t.locale) filter (where not (
                   coalesce(t.content, '') <> '' or coalesce(t.videourl, '') <> '' or coalesce(source.videourl, '') <> ''
                   or coalesce(jsonb_typeof(l.video) = 'object', false)
                   or coalesce(jsonb_typeof(t.parts) = 'array' and jsonb_array_length(t.parts) > 0, false))) as empty
            from lessons_texts t
            left join lessons_texts source on source.document_id = l.id and source.locale = l.source_locale
           where t.document_id = l.id) every
       order by l.position, l.id`,
  )

  const unreachableLinks = videoChecks && !isReader(caller) ? await findUnreachableVideos(runner, course) : []
  const unreachableIn = ({ document }: PlacedRow) =>
    unreachableLinks.flatMap((unreachableLink) =>
      unreachableLink.lesson === document && unreachableLink.locale !== null ? [unreachableLink.locale] : [],
    )
  const groupDocuments = new Set(groups.map(({ document }) => document))
  const groupPlaces = groups.map(({ document, position }) => ({ document, group: null, position }))
  const lessonPlaces = members.map(({ document, group, position }) => {
    return { document, group: group !== null && groupDocuments.has(group) ? group : null, position }
  })
  const lessonsOf = (group: number | null) =>
    members.flatMap((row, index) =>
      lessonPlaces[index]?.group === group ? presentLesson(row, unreachableIn(row)) : [],
    )
  return {
    outline: {
      version: versionOf(groupPlaces, lessonPlaces),
      groups: groups.map(({ document, id, title, locale: shownLocale, state }) => {
        return { id, title, locale: shownLocale, state, lessons: lessonsOf(document) }
      }),
      lessons: lessonsOf(null),
    },
    groups: groupPlaces,
    lessons: lessonPlaces,
  }
}
