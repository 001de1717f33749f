/** The contract of courses beyond their records: the outline, publishing, previews and duplicates. */
import * as z from 'zod'
import { maxInteger } from '../../fields/value-kinds.ts'
import type { Contracts } from './contract.ts'
import {
  data,
  entryOf,
  id,
  languageKey,
  locale,
  moment,
  optionalData,
  recordAnswer,
  whole,
  answerWithMeta,
} from './parts.ts'

const group = 'Courses'
const visibilityState = z.enum(['visible', 'hidden'])

/**
 * Version of a course's outline: it identifies the arrangement of the lessons and changes with their
 * positions.
 */
const version = whole.max(maxInteger).describe('Identifies the arrangement that was read')

const lesson = z.strictObject({
  id,
  /** Title of the lesson in the requested language, else in the first that exists. */
  title: z.string(),
  /** Language of the lesson's title. */
  locale,
  kind: z.enum(['single', 'multi']),
  state: visibilityState,
  /** Duration of the lesson's video file, else the minutes that were entered. */
  duration_s: whole.nullable(),
  /**
   * Whether the lesson is new or has other values than in the last publication, apart from its position; null
   * for learners, and in a course that was never published.
   */
  change: z.enum(['new', 'changed']).nullable(),
  locales: z.array(locale),
  outdated_locales: z.array(locale),
  /**
   * Languages in which the lesson has nothing to show, and for staff those in which the site of a video does
   * not give it.
   */
  problems: z.array(z.strictObject({ locale, code: z.enum(['lesson.empty', 'lesson.video-unreachable']) })),
})

const lessonGroup = z.strictObject({
  id,
  title: z.string(),
  locale,
  state: visibilityState,
  lessons: z.array(lesson).readonly(),
})

const outline = z.strictObject({
  version,
  groups: z.array(lessonGroup).readonly(),
  /** Lessons of the course without a group. */
  lessons: z.array(lesson).readonly(),
})

/** A problem of a course's readiness: a reason against publishing a language, or a warning for its author. */
const problem = z.strictObject({
  /** Id of the lesson with the problem; null where the course itself has it. */
  lesson: id.nullable(),
  title: z.string(),
  locale,
  code: z.enum([
    'course.no-title',
    'course.no-lesson',
    'lesson.empty',
    'lesson.file-missing',
    'lesson.upload-running',
    'lesson.untranslated',
    'lesson.outdated',
    'lesson.video-unreachable',
  ]),
  /** Name of the missing file, or of the one that is being uploaded. */
  file: z.string().optional(),
})

const courseCheck = z.strictObject({
  /** The languages of the course. */
  languages: z.array(
    z.strictObject({
      locale,
      /** Number of the course's visible lessons with a text or a video in the language. */
      lessons: whole,
      /** Number of all visible lessons of the course. */
      visible: whole,
      /** Whether learners see the course in the language. */
      published: z.boolean(),
    }),
  ),
  errors: z.array(problem),
  warnings: z.array(problem),
})

/** A link to a video of a lesson on a known site, with the last answer of the site. */
const videoLink = z.strictObject({
  address: z.string(),
  /**
   * `pending` before the first request to the video site; `unknown` when the site gave no answer, or is not
   * asked.
   */
  state: z.enum(['reachable', 'unreachable', 'pending', 'unknown']),
  /** Time of the video site's last answer. */
  checked_at: moment.nullable(),
})

/**
 * A value in a comparison of a course's versions: texts without markup and cut; null for links and
 * structures.
 */
const comparedValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

const courseChange = z.strictObject({
  kind: z.enum(['added', 'removed', 'changed']),
  resource: z.enum(['courses', 'lessongroups', 'lessons']),
  /** Id of the changed record's oldest text, which is equal in all changes of the record. */
  record: id,
  id,
  title: z.string(),
  /** Language of a course's change; null for values of all languages and for whole records. */
  locale: locale.nullable(),
  /** Languages of a course's record that was added or removed. */
  locales: z.array(locale),
  fields: z.array(z.strictObject({ name: z.string(), before: comparedValue, after: comparedValue })),
})

const courseDiff = z.strictObject({
  /** Time of the course's last publication; null before the first. */
  published_at: moment.nullable(),
  changes: z.array(courseChange),
  /** Lessons that learners see now and will not see after the publication. */
  losses: z.array(
    z.strictObject({
      id,
      title: z.string(),
      /** Numbers of learners with progress in the lesson, and of those who have completed it. */
      learners: whole,
      completed: whole,
    }),
  ),
})

const step = data({ version: whole.max(maxInteger).describe('Version of the course that was read') })
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const stepRefusals = ['access.denied', 'record.not-found', 'record.stale', 'request.unprocessable'] as const
const languages = z.array(locale).min(1).max(4)

const query = z.object({ locale: languageKey('Language of titles; English when absent') })
const answers = { 200: answerWithMeta(outline) }

export const learningRoutes = {
  'GET /api/courses/:id/outline': {
    group,
    id: 'courses.outline',
    summary: 'Read the outline of a course',
    details:
      'Groups are in order with their lessons in order, followed by the lessons without a group. Titles are in the requested language, or in the first that exists. A lesson has a problem in each language in which it has nothing to show.',
    query,
    answers,
    refusals: ['access.denied', 'record.not-found'],
    roles: { authenticated: 'published', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'PUT /api/courses/:id/outline': {
    group,
    id: 'courses.reorder',
    summary: 'Reorder the groups and lessons of a course',
    details:
      'The body contains every group and every lesson of the course once, by the id of any of its languages. `version` is that of the outline that was read; if the stored version differs, 409 returns it in `details.current`.',
    query,
    body: data({
      version,
      groups: z.array(z.object({ id, lessons: z.array(id) })),
      lessons: z.array(id),
    }),
    answers,
    refusals: ['access.denied', 'record.not-found', 'record.stale', 'request.unprocessable', 'course.outline'],
    roles: { admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'GET /api/courses/:id/check': {
    group,
    id: 'courses.check',
    summary: 'Check a course before publishing',
    details:
      'Errors prevent the publication of their language only. Files that lessons name are looked up in the storage; when it does not answer, the answer is 503. A video behind a link that its site does not give is a warning.',
    answers: { 200: answerWithMeta(courseCheck) },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'GET /api/courses/:id/diff': {
    group,
    id: 'courses.diff',
    summary: 'Compare the draft of a course with its publication',
    details: 'Texts are compared without markup and cut at 1,000 characters.',
    answers: { 200: answerWithMeta(courseDiff) },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'POST /api/courses/:id/publish': {
    group,
    id: 'courses.publish',
    summary: 'Publish a course in some languages',
    details:
      'Learners see the present groups, lessons and texts of these languages at once; other languages stay as they were published before. Errors of the check in one of the languages refuse the publication, with the same list in `details.problems`.',
    body: data({
      locales: languages.describe('Languages to publish'),
      version: whole.max(maxInteger).describe('Version of the course that was read'),
    }),
    answers: { 200: recordAnswer('courses') },
    refusals: [...stepRefusals, 'course.not-ready', 'course.no-language'],
    roles: staff,
  },
  'POST /api/courses/:id/unpublish': {
    group,
    id: 'courses.unpublish',
    summary: 'Withdraw a course from learners',
    body: step,
    answers: { 200: recordAnswer('courses') },
    refusals: [...stepRefusals, 'state.step'],
    roles: staff,
  },
  'POST /api/courses/:id/archive': {
    group,
    id: 'courses.archive',
    summary: 'Archive a course',
    body: step,
    answers: { 200: recordAnswer('courses') },
    refusals: [...stepRefusals, 'state.step'],
    roles: staff,
  },
  'POST /api/courses/:id/discard': {
    group,
    id: 'courses.discard',
    summary: 'Return the draft of a course to its publication',
    details:
      'Texts, places and states become those that were published; later groups, lessons and translations move to the trash, and deleted ones return from it. Texts in languages that were never published stay.',
    body: step,
    answers: { 200: recordAnswer('courses') },
    refusals: [...stepRefusals, 'course.unpublished', 'course.discard'],
    roles: staff,
  },
  'GET /api/courses/:id/preview': {
    group,
    id: 'courses.preview',
    summary: 'Read a course as a learner would after a publication',
    details: 'The record and the outline are made of the draft, with the rights of a learner.',
    query,
    answers: { 200: answerWithMeta(z.strictObject({ course: entryOf('courses'), outline })) },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'GET /api/lessons/:id/preview': {
    group,
    id: 'lessons.preview',
    summary: 'Read a lesson as a learner would after a publication',
    details: 'The record is made of the draft, with the rights of a learner, and stores no progress.',
    shared: ['fields', 'populate', 'relatedLocale'],
    answers: { 200: recordAnswer('lessons') },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'GET /api/lessons/:id/video-links': {
    group,
    id: 'lessons.videoLinks',
    summary: 'Read whether the linked videos of a lesson can be played',
    details:
      'Links to YouTube and Vimeo in all languages of the lesson and its parts. The sites are asked in the background: after a lesson is saved, and weekly.',
    answers: { 200: answerWithMeta(z.array(videoLink)) },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'POST /api/lessons/:id/duplicate': {
    group,
    id: 'lessons.duplicate',
    summary: 'Duplicate a lesson',
    details:
      'The duplicate is the last lesson of the group, or of the course, that is named; without one it is the last of the same group. It has the files of the lesson.',
    body: optionalData({
      target_course: id.optional(),
      target_group: id.nullable().optional(),
      locales: languages.optional(),
    }),
    answers: { 200: recordAnswer('lessons') },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable', 'course.no-language', 'rule.whole'],
    roles: staff,
  },
  'DELETE /api/lessongroups/:id/with-lessons': {
    group,
    id: 'lessongroups.removeWithLessons',
    summary: 'Delete a group and its lessons in all languages',
    details:
      'Restoring the group restores its lessons too. The generic deletion of a group moves its lessons behind the lessons without a group.',
    answers: { 200: answerWithMeta(z.strictObject({ id, lessons: whole.describe('Number of deleted lessons') })) },
    refusals: ['access.denied', 'record.not-found', 'record.in-use'],
    roles: staff,
  },
  'POST /api/courses/:id/duplicate': {
    group,
    id: 'courses.duplicate',
    summary: 'Duplicate a course with its groups and lessons',
    details: 'The duplicate is a draft.',
    body: optionalData({ locales: languages.optional() }),
    answers: { 200: recordAnswer('courses') },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable', 'course.no-language'],
    roles: staff,
  },
} as const satisfies Contracts

export type CourseCheck = z.output<typeof courseCheck>
export type CourseProblem = z.output<typeof problem>
export type VideoLink = z.output<typeof videoLink>
export type CourseDiff = z.output<typeof courseDiff>
export type WireCourseChange = z.output<typeof courseChange>
export type Outline = z.output<typeof outline>
export type OutlineGroup = z.output<typeof lessonGroup>
export type OutlineLesson = z.output<typeof lesson>
