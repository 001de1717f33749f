/** Readiness of a course for its publication, by language (e-learning §6). */
import { type Locale, locales } from '@dala/model'
import type { CourseProblem } from '@dala/model/api/learning'
import { type ContentRecord, type ContentText, titleOf } from './course-content.ts'

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''

const textIn = (record: ContentRecord, locale: Locale) => record.texts.find((text) => text.locale === locale)

/**
 * Returns whether a lesson shows a text, a video or parts in a language. The video of its source language
 * counts.
 */
function hasContent(lesson: ContentRecord, { values }: ContentText): boolean {
  const source = textIn(lesson, lesson.sourceLocale)
  const { video } = lesson.shared
  return (
    isFilled(values.content) ||
    isFilled(values.videourl) ||
    isFilled(source?.values.videourl) ||
    (typeof video === 'object' && video !== null) ||
    (Array.isArray(values.parts) && values.parts.length > 0)
  )
}

/** Returns the lessons that learners see: visible ones, outside hidden groups. */
export function visibleLessonsOf(records: readonly ContentRecord[]): ContentRecord[] {
  const hiddenGroups = new Set(
    records
      .filter(({ part, shared: sharedValues }) => part === 'lessongroups' && sharedValues.state !== 'visible')
      .map(({ document }) => document),
  )
  return records.filter(
    ({ part, shared: sharedValues }) =>
      part === 'lessons' &&
      sharedValues.state === 'visible' &&
      !hiddenGroups.has(Number(sharedValues.lessongroup ?? 0)),
  )
}

/** A problem of a lesson outside its records: a missing file, a running upload, or an unreachable video. */
export interface ReadinessFinding {
  /** Key of the lesson's document. */
  lesson: number
  /** The language that has the problem; null for all languages of the lesson. */
  locale: Locale | null
  code: 'lesson.file-missing' | 'lesson.upload-running' | 'lesson.video-unreachable'
  /** Name of the file that is missing or still uploading. */
  file?: string
}

/** The readiness of a course in one language. */
export interface LanguageReadiness {
  locale: Locale
  /** Number of the course's visible lessons with content in the language. */
  lessons: number
  /** Problems that prevent publishing the language. */
  errors: CourseProblem[]
  warnings: CourseProblem[]
}

/**
 * Checks a course in each of its languages.
 *
 * @param records - The drafts of the course.
 * @param findings - Further problems of its lessons.
 * @returns The languages of the course in the order of the product.
 */
export function readinessOf(
  records: readonly ContentRecord[],
  findings: readonly ReadinessFinding[] = [],
): LanguageReadiness[] {
  const course = records.find(({ part }) => part === 'courses')
  const lessons = visibleLessonsOf(records)
  return locales.flatMap((locale): LanguageReadiness[] => {
    const ownText = course && textIn(course, locale)
    if (!ownText) return []
    const problem = (code: CourseProblem['code'], lesson?: ContentRecord): CourseProblem => {
      const shownText = lesson && (textIn(lesson, locale) ?? lesson.texts[0])
      return { lesson: shownText?.id ?? null, title: titleOf(shownText ?? ownText), locale, code }
    }
    const describeFinding = (lesson: ContentRecord, isError: boolean) =>
      findings
        .filter((finding) => finding.lesson === lesson.document && (finding.locale ?? locale) === locale)
        .filter(({ code }) => (code !== 'lesson.video-unreachable') === isError)
        .map(({ code, file }) => ({ ...problem(code, lesson), ...(file !== undefined && { file }) }))
    const shownLessons = lessons.filter((lesson) => {
      const text = textIn(lesson, locale)
      return text !== undefined && hasContent(lesson, text)
    })
    return [
      {
        locale,
        lessons: shownLessons.length,
        errors: [
          ...(isFilled(ownText.values.title) ? [] : [problem('course.no-title')]),
          ...(shownLessons.length > 0 ? [] : [problem('course.no-lesson')]),
          ...lessons.flatMap((lesson) => {
            const text = textIn(lesson, locale)
            if (text === undefined) return []
            return [
              ...(hasContent(lesson, text) ? [] : [problem('lesson.empty', lesson)]),
              ...describeFinding(lesson, true),
            ]
          }),
        ],
        warnings: lessons.flatMap((lesson) => {
          const text = textIn(lesson, locale)
          if (!text) return [problem('lesson.untranslated', lesson)]
          return [...(text.isOutdated ? [problem('lesson.outdated', lesson)] : []), ...describeFinding(lesson, false)]
        }),
      },
    ]
  })
}
