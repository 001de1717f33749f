/** Publishes, compares, discards and duplicates courses (e-learning §5). */
import { type Caller, type ErrorCode, fault, type Issue, type Locale } from '@dala/model'
import type { CourseCheck, CourseDiff, CourseProblem, WireCourseChange } from '@dala/model/api/learning'
import type { Queries, Transaction } from '../../db/database.ts'
import { changesBetween, type CourseChange } from '../../domain/learning/course-changes.ts'
import { type ContentRecord, readContent, titleOf } from '../../domain/learning/course-content.ts'
import { type PartMove, movesBetween, recordKey } from '../../domain/learning/moves.ts'
import { publishCourse } from '../../domain/learning/publication.ts'
import { notifyMissingTranslations } from '../../domain/learning/translation-notices.ts'
import { type ReadinessFinding, readinessOf, visibleLessonsOf } from '../../domain/learning/readiness.ts'
import { findMissingFiles, type StoredFiles } from './checks/missing-files.ts'
import { findRunningUploads } from './checks/running-uploads.ts'
import { findUnreachableVideos } from './checks/video-links.ts'
import { countLessonLearners } from './progress/usage.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import { plainText } from '../../resources/plain-text.ts'
import { updateEntry, type WriteContext } from '../../resources/write/write.ts'

const courses = resourceNamed('courses')

/** Maximum number of characters of a compared text. */
const comparedLength = 1_000

const textsOf = (records: readonly ContentRecord[]) => records.find(({ part }) => part === 'courses')?.texts ?? []

/**
 * Dependencies of a readiness check outside the records: the storage of files, and the check of video sites.
 */
export interface CheckParts {
  files: StoredFiles
  /** Whether the server asks video sites about linked videos. */
  videoChecks: boolean
}

/**
 * Checks a course in each language.
 *
 * @param runner - The database.
 * @param course - The key of the course.
 * @param parts - The storage of files and the setting of checks of videos.
 * @throws 503 when the storage does not answer.
 */
export async function checkCourse(
  runner: Pick<Queries, 'query'>,
  course: number,
  { files, videoChecks }: CheckParts,
): Promise<CourseCheck> {
  const records = await readContent(runner, course, 'draft')
  const publishedTexts = textsOf(await readContent(runner, course, 'published'))
  const languages = readinessOf(records, [
    ...(await findMissingFiles(runner, files, visibleLessonsOf(records))),
    ...(await findRunningUploads(runner, course)),
    ...(videoChecks ? await findUnreachableVideos(runner, course) : []),
  ])
  const visibleCount = visibleLessonsOf(records).length
  return {
    languages: languages.map(({ locale, lessons }) => {
      return {
        locale,
        lessons,
        visible: visibleCount,
        published: publishedTexts.some((text) => text.locale === locale),
      }
    }),
    errors: languages.flatMap(({ errors }) => errors),
    warnings: languages.flatMap(({ warnings }) => warnings),
  }
}

/** Error codes of problems that refuse a publication; an empty lesson counts as missing in its language. */
const issueCodes: Partial<Record<CourseProblem['code'], ErrorCode>> = {
  'course.no-title': 'course.no-title',
  'lesson.file-missing': 'lesson.file-missing',
  'lesson.upload-running': 'lesson.upload-running',
}

/**
 * Publishes a course in some languages.
 *
 * @param context - The author and the transaction, which holds the lock on the course.
 * @param course - The locked course.
 * @param languages - The languages.
 * @param missingFiles - Files that were found missing before the transaction, which does not wait for the storage.
 * @throws 422 `course.not-ready` with the errors of these languages, `course.no-language` for a language that
 *   the course does not have.
 */
export async function publishVersion(
  context: WriteContext & { trx: Transaction },
  { document, entry, values }: StoredEntry,
  languages: readonly Locale[],
  missingFiles: readonly ReadinessFinding[],
): Promise<void> {
  const { trx } = context
  const findings = [...missingFiles, ...(await findRunningUploads(trx, document))]
  const readyLanguages = readinessOf(await readContent(trx, document, 'draft'), findings)
  const chosenLanguages = readyLanguages.filter(({ locale }) => languages.includes(locale))
  if (chosenLanguages.length < new Set(languages).size) throw fault('course.no-language')
  const problems = chosenLanguages.flatMap(({ errors }) => errors)
  if (problems.length > 0) {
    const issues = problems.map(({ code, locale, file }): Issue => {
      const params = { locale, ...(file !== undefined && { file }) }
      return { path: ['locales'], code: issueCodes[code] ?? 'course.no-lesson', params }
    })
    throw fault('course.not-ready', { params: { count: problems.length }, issues, details: { problems } })
  }
  const state = values.state === 'published' ? {} : { state: 'published' }
  const publication = { ...state, published_at: new Date().toISOString() }
  await updateEntry({ ...context, isTrusted: true }, courses, entry, publication)
  trx.beforeCommit(() => publishCourse(trx, document, languages))
  trx.beforeCommit(() => notifyMissingTranslations(trx, document, context.author.caller.id))
}

/** Value as a comparison of versions shows it; links and structures are only named. */
function comparedValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return plainText(value).slice(0, comparedLength)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/**
 * Presents a change of a course to the caller, with titles in the caller's language where they exist in it.
 */
function presentChange({ kind, record, locale, text, fields }: CourseChange, language: Locale): WireCourseChange {
  const shownText = text ?? record.texts.find((recordText) => recordText.locale === language) ?? record.texts[0]
  const links = resourceNamed(record.part).fields
  const isLink = (name: string) => links[name]?.kind === 'relation' || links[name]?.kind === 'relations'
  return {
    kind,
    resource: record.part,
    record: Math.min(...record.texts.map((recordText) => recordText.id)),
    id: shownText?.id ?? 0,
    title: titleOf(shownText),
    locale,
    locales: record.texts.map((recordText) => recordText.locale),
    fields: fields.map(({ name, before, after }) => {
      return isLink(name)
        ? { name, before: null, after: null }
        : { name, before: comparedValue(before), after: comparedValue(after) }
    }),
  }
}

/**
 * Replaces changed positions by moves: a row dragged to the start changes the positions of all rows behind
 * it, but is the only one that moved.
 */
function addMoves(changes: readonly CourseChange[], moves: ReadonlyMap<string, PartMove>): CourseChange[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'changed' || change.locale !== null || change.record.part === 'courses') return [change]
    const moveKind = moves.get(recordKey(change.record))
    const otherFields = change.fields.filter(({ name }) => name !== 'position')
    const fields = moveKind ? [...otherFields, { name: 'position', ...moveKind }] : otherFields
    return fields.length > 0 ? [{ ...change, fields }] : []
  })
}

/** Compares the draft of a course with its publication. */
export async function compareCourse(
  runner: Pick<Queries, 'query'>,
  { language }: Caller,
  course: number,
): Promise<CourseDiff> {
  const publishedRecords = await readContent(runner, course, 'published')
  const drafts = await readContent(runner, course, 'draft')
  const remainingLessons = new Set(visibleLessonsOf(drafts).map(({ document }) => document))
  const isPublished = publishedRecords.some(
    ({ part, shared: sharedValues }) => part === 'courses' && sharedValues.state === 'published',
  )
  const lostLessons = isPublished
    ? visibleLessonsOf(publishedRecords).filter(({ document }) => !remainingLessons.has(document))
    : []
  const learnerCounts = lostLessons.length > 0 ? await countLessonLearners(runner, course) : new Map<number, never>()
  const publishedAt = publishedRecords.find(({ part }) => part === 'courses')?.shared.published_at
  return {
    published_at: typeof publishedAt === 'string' ? new Date(publishedAt).toISOString() : null,
    changes: addMoves(changesBetween(publishedRecords, drafts), movesBetween(publishedRecords, drafts)).map((change) =>
      presentChange(change, language),
    ),
    losses: lostLessons.flatMap(({ document, texts }) => {
      const shownText = texts.find((text) => text.locale === language) ?? texts[0]
      const counts = learnerCounts.get(document) ?? { learners: 0, completed: 0 }
      return shownText ? [{ id: shownText.id, title: titleOf(shownText), ...counts }] : []
    }),
  }
}
