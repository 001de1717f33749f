/** The contract of the outline of a course: its groups and lessons in order. */
import * as z from 'zod'
import { maxInteger } from '../../fields/value-kinds.ts'
import type { Contracts } from './contract.ts'
import { data, id, languageKey, locale, whole, withMeta } from './parts.ts'

const group = 'Courses'
const state = z.enum(['visible', 'hidden'])

/** Identifies the arrangement of a course's lessons, and changes with their positions. */
const version = whole.max(maxInteger).describe('Identifies the arrangement that was read')

const lesson = z.strictObject({
  id,
  /** Title of the lesson in the requested language, else in the first that exists. */
  title: z.string(),
  /** Language of the lesson's title. */
  locale,
  kind: z.enum(['single', 'multi']),
  state,
  /** Duration of the video file, else the minutes that were entered. */
  duration_s: whole.nullable(),
  locales: z.array(locale),
  outdated_locales: z.array(locale),
  /** Reasons that hide the lesson in a language. */
  problems: z.array(z.strictObject({ locale, code: z.enum(['lesson.empty']) })),
})

const lessonGroup = z.strictObject({ id, title: z.string(), locale, state, lessons: z.array(lesson).readonly() })

const outline = z.strictObject({
  version,
  groups: z.array(lessonGroup).readonly(),
  /** Lessons of the course without a group. */
  lessons: z.array(lesson).readonly(),
})

const query = z.object({ locale: languageKey('Language of titles; English when absent') })
const answers = { 200: withMeta(outline) }

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
} as const satisfies Contracts

export type Outline = z.output<typeof outline>
export type OutlineGroup = z.output<typeof lessonGroup>
export type OutlineLesson = z.output<typeof lesson>
