/** What the routes of a course's outline say of themselves. */
import { type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf } from '../../http/description.ts'

const id: JsonSchema = { type: 'integer', minimum: 1 }
const text: JsonSchema = { type: 'string' }
const locale: JsonSchema = { enum: [...locales] }
const state: JsonSchema = { enum: ['visible', 'hidden'] }
const version: JsonSchema = { type: 'integer', minimum: 0, description: 'Names the arrangement that was read' }

const lesson = exactly({
  id,
  title: text,
  locale,
  kind: { enum: ['single', 'multi'] },
  state,
  duration_s: { type: ['integer', 'null'], minimum: 0 },
  locales: listOf(locale),
  outdated_locales: listOf(locale),
  problems: listOf(exactly({ locale, code: { enum: ['lesson.empty'] } })),
})
const outline = exactly({
  version,
  groups: listOf(exactly({ id, title: text, locale, state, lessons: listOf(lesson) })),
  lessons: listOf(lesson),
})
const answers = { 200: json(exactly({ data: outline, meta: exactly({}) })) }
const group = 'Courses'
const query = [{ name: 'locale', description: 'Language of titles, English when absent', schema: locale }]

export const learningDescriptions: Descriptions = {
  'GET /api/courses/:id/outline': {
    group,
    id: 'courses.outline',
    summary: 'Read the outline of a course',
    details:
      'Groups in order with their lessons in order, then the lessons of no group; titles in the asked language, else in the first that there is. A lesson has a problem in each language in which it has nothing to show.',
    query,
    answers,
    refusals: ['access.denied', 'record.not-found'],
    roles: { authenticated: 'published', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'PUT /api/courses/:id/outline': {
    group,
    id: 'courses.reorder',
    summary: 'Put the groups and lessons of a course into order',
    details:
      'Names every group and every lesson of the course once, by the id of any of their languages. `version` is that of the outline that was read; when the stored one is another, 409 brings it in `details.current`.',
    query,
    body: json(
      exactly({
        data: exactly({ version, groups: listOf(exactly({ id, lessons: listOf(id) })), lessons: listOf(id) }),
      }),
    ),
    answers,
    refusals: ['access.denied', 'record.not-found', 'record.stale', 'request.unprocessable', 'course.outline'],
    roles: { admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
}
