/**
 * The contracts of progress in courses, for learners and for staff, and of certificates (e-learning §5, §7).
 */
import * as z from 'zod'
import type { Contracts } from './contract.ts'
import {
  data,
  day,
  id,
  languageKey,
  listRefusals,
  moment,
  oneOf,
  optionalIdKey,
  pagination,
  whole,
  answerWithMeta,
  writtenLanguageKey,
} from './parts.ts'

const group = 'Progress'
const percent = z.int().min(0).max(100)
const seconds = z.number().min(0)
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const learners = { authenticated: 'published', admin: 'published', 'super-admin': 'published', owner: 'published' }
const readRefusals = ['access.denied', 'record.not-found'] as const

const lessonPart = z.strictObject({
  part: z.string().describe('Id of the part; empty for the lesson itself'),
  percent,
  position_s: seconds,
  completed: z.boolean(),
})

const lessonProgress = z.strictObject({
  id,
  percent,
  /** Position of the lesson part that the learner used last. */
  position_s: seconds,
  part: z.string().describe('Part that was used last; empty for the lesson itself'),
  completed: z.boolean(),
  parts: z.array(lessonPart),
})

const courseProgress = z.strictObject({
  percent,
  completed_at: moment.nullable(),
  /** Number of the learner's certificate; null before the course was completed. */
  certificate: z.string().nullable(),
  /** All lessons of the course in order. */
  lessons: z.array(lessonProgress),
})

const learnerRow = z.strictObject({
  id,
  name: z.string(),
  region: z.string().nullable().describe('Name of the region in `locale`'),
  percent,
  started_at: moment,
  last_activity: moment,
  completed_at: moment.nullable(),
  /** Number of the certificate; null before the course was completed. */
  certificate: z.string().nullable(),
})

const learnerColumns = ['name', 'region', 'percent', 'started_at', 'last_activity', 'completed_at'] as const
const learnerSorts = learnerColumns.flatMap((column) => [`${column}:asc`, `${column}:desc`] as const)

const statistics = z.strictObject({
  started: whole,
  /** Learners with progress in the last 7 days. */
  active: whole,
  completed: whole,
  /** Median time from the first progress in the course to its completion, in seconds. */
  median_s: seconds.nullable(),
  funnel: z.array(z.strictObject({ id, title: z.string(), started: whole, completed: whole })),
  curves: z
    .array(
      z.strictObject({
        /** Id of the course's lesson. */
        id,
        part: z.string(),
        /** Title of the part; null for a part without one, and for the lesson itself. */
        title: z.string().nullable(),
        /** Position of the part in its lesson, from 1; 0 for the lesson itself. */
        place: whole,
        buckets: z.array(whole).length(20).describe('Learners who watched something of each 5 % of the video'),
      }),
    )
    .describe('Videos of known length that somebody watched'),
})

const deletionUsage = z.strictObject({
  learners: whole,
  completed: whole,
  attachments: whole,
  /** Number of files that texts and pictures of the drafts use. */
  files: whole,
  /** Number of texts of the record and of what is deleted with it. */
  translations: whole,
  /** Number of lessons of a course or of a group; 0 for a lesson. */
  lessons: whole,
})

const usageRoute = <const Name extends string>(name: Name, summary: string) =>
  ({
    group,
    id: `${name}.usage`,
    summary,
    details: 'Counts what a deletion concerns. Learners have progress in a published lesson of the record.',
    answers: { 200: answerWithMeta(deletionUsage) },
    refusals: readRefusals,
    roles: staff,
  }) as const

/** Maximum number of watched intervals in one call. */
const maxSentIntervals = 500

export const progressRoutes = {
  'POST /api/lessons/:id/progress': {
    group,
    id: 'lessons.progress',
    summary: 'Store the progress of the caller in a published lesson',
    details:
      'Repeating a call changes nothing. `ignored` counts impossible values, which change nothing: a position or an interval outside the video, an unknown part, and intervals that are longer than twice the time since the last progress and a minute. In a course with `in_order`, a lesson after the first incomplete one is 409 with the id of that one in `details.lesson`.',
    body: data({
      part: z.string().max(64).optional(),
      position_s: z.number().optional(),
      watched: z
        .array(z.tuple([z.number(), z.number()]))
        .max(maxSentIntervals)
        .optional(),
      opened: z.boolean().optional(),
      marked: z.boolean().optional(),
    }),
    answers: {
      200: answerWithMeta(
        z.strictObject({ lesson_percent: percent, course_percent: percent, completed: z.boolean(), ignored: whole }),
      ),
    },
    refusals: [...readRefusals, 'request.unprocessable', 'lesson.order'],
    roles: learners,
  },
  'GET /api/courses/:id/progress': {
    group,
    id: 'courses.progress',
    summary: 'Read the progress of the caller in a published course',
    query: z.object({
      locale: languageKey('Language of the lessons that ids name, as in the outline; English when absent'),
    }),
    answers: { 200: answerWithMeta(courseProgress) },
    refusals: readRefusals,
    roles: learners,
  },
  'GET /api/courses/:id/learners': {
    group,
    id: 'courses.learners',
    summary: 'List the learners of a course',
    details: 'People with progress in the course, those with the latest progress first when `sort` is absent.',
    query: z.object({
      locale: writtenLanguageKey('Language of the names of regions and of the headings of a file; English when absent'),
      sort: oneOf(learnerSorts, 'Column and direction'),
      format: oneOf(['json', 'xlsx'], 'xlsx for all rows as a sheet'),
    }),
    shared: ['search', 'pagination'],
    answers: {
      200: z.strictObject({ data: z.array(learnerRow), meta: z.strictObject({ pagination }) }),
    },
    refusals: [...listRefusals, 'record.not-found', 'validation.choice', 'server.busy', 'export.too-many'],
    roles: staff,
  },
  'GET /api/courses/:id/statistics': {
    group,
    id: 'courses.statistics',
    summary: 'Read the figures of the learners of a course',
    details: 'With `locale`, only progress that was made in that language counts.',
    query: z.object({
      locale: languageKey('Language in which the lessons were used'),
      titles: languageKey("Language of titles; the caller's language when absent"),
      region: optionalIdKey('Region of the learners'),
    }),
    answers: { 200: answerWithMeta(statistics) },
    refusals: [...readRefusals, 'query.value', 'validation.relation'],
    roles: staff,
  },
  'GET /api/lessons/:id/usage': usageRoute('lessons', 'Count what the deletion of a lesson concerns'),
  'GET /api/lessongroups/:id/usage': usageRoute('lessongroups', 'Count what the deletion of a group concerns'),
  'GET /api/courses/:id/usage': usageRoute('courses', 'Count what the deletion of a course concerns'),
} as const satisfies Contracts

export const certificateRoutes = {
  'GET /api/courses/:id/certificate': {
    group: 'Certificates',
    id: 'courses.certificate',
    summary: 'Download the certificate of the caller for a completed course',
    details: '404 before the caller has completed the course.',
    query: z.object({ locale: writtenLanguageKey("Language of the certificate; the caller's language when absent") }),
    answers: { 200: { media: { 'application/pdf': { type: 'string', format: 'binary' } } } },
    refusals: ['record.not-found', 'server.busy'],
  },
  'GET /api/courses/:id/learners/:learner/certificate': {
    group: 'Certificates',
    id: 'courses.learnerCertificate',
    summary: 'Download the certificate of a learner',
    details: '404 before the learner has completed the course.',
    query: z.object({ locale: writtenLanguageKey("Language of the certificate; the caller's language when absent") }),
    answers: { 200: { media: { 'application/pdf': { type: 'string', format: 'binary' } } } },
    refusals: [...readRefusals, 'server.busy'],
    roles: staff,
  },
  'GET /api/certificates/:number': {
    group: 'Certificates',
    id: 'certificates.get',
    summary: 'Check the number of a certificate',
    details: 'Small letters, spaces and hyphens are accepted. Unknown numbers count for the limit of an address.',
    open: true,
    query: z.object({ locale: languageKey('Language of the title of the course; English when absent') }),
    answers: { 200: answerWithMeta(z.strictObject({ name: z.string(), course: z.string(), date: day })) },
    refusals: ['record.not-found', 'auth.throttled'],
  },
} as const satisfies Contracts

export type ProgressBody = z.output<(typeof progressRoutes)['POST /api/lessons/:id/progress']['body']>['data']
export type CourseProgress = z.output<typeof courseProgress>
export type LessonProgress = z.output<typeof lessonProgress>
export type LearnerRow = z.output<typeof learnerRow>
export type LearnerSort = (typeof learnerSorts)[number]
export type CourseStatistics = z.output<typeof statistics>
export type DeletionUsage = z.output<typeof deletionUsage>
