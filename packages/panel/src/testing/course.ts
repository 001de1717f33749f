/** A course with its outline, for tests of its pages. */
import { owner } from './fake-api.ts'

/** Makes a lesson in the outline of a course. */
export const lesson = (id: number, title: string, lessonFields: object = {}) => ({
  id,
  title,
  locale: 'en',
  kind: 'single',
  state: 'visible',
  duration_s: 600,
  locales: ['en'],
  change: null,
  outdated_locales: [],
  problems: [],
  ...lessonFields,
})
const group = (id: number, title: string, lessons: object[]) => ({ id, title, locale: 'en', state: 'visible', lessons })
/** Outline of the course 7: two groups, the second one empty, and a lesson without a group. */
export const outline = {
  version: 5,
  groups: [group(1, 'Basics', [lesson(11, 'Water'), lesson(12, 'Soil')]), group(2, 'Field', [])],
  lessons: [
    lesson(13, 'Questions', {
      problems: [
        { locale: 'ru', code: 'lesson.empty' },
        { locale: 'en', code: 'lesson.video-unreachable' },
      ],
    }),
  ],
}
export const course = {
  id: 7,
  attributes: {
    title: 'Drip irrigation',
    description: '<p>About <b>pipes</b></p>',
    state: 'draft',
    version: 3,
    locale: 'en',
    updatedAt: '2026-03-01T10:00:00.000Z',
    lesson_count: 3,
    localizations: { data: [] },
  },
}
/** Answers of the API for the page of the tested course. */
export const answers = {
  'GET /api/users/me': owner,
  'GET /api/courses/7': { data: course, meta: {} },
  'GET /api/courses/7/outline': { data: outline, meta: {} },
}
export const refusal = (status: number, code: string, details: object) =>
  Response.json({ data: null, error: { status, name: 'X', message: 'No', code, details } }, { status })

/** The orders that were sent: lists of lessons, the ungrouped ones last. */
export const sentOrders = (calls: { method: string; path: string; body: unknown }[]) =>
  calls
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => {
      const { data } = body as { data: { version: number; groups: { lessons: number[] }[]; lessons: number[] } }
      return [data.version, ...data.groups.map(({ lessons }) => lessons), data.lessons]
    })
