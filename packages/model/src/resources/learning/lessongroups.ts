import { defineResource } from '../../declaration/define-resource.ts'
import { localized, readOnly } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer } from '../../fields/value-kinds.ts'

/** A lesson group: a chapter of a course, with lessons in order. */
export const lessongroups = defineResource({
  name: 'lessongroups',
  wire: 'lessongroups',
  publishedCopies: true,
  screens: [{ path: 'e-learning/lesson-groups-create', section: 'learning', hidden: true }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    course: relation('courses', { required: true, inverse: 'lessongroups', onDelete: 'cascade', parent: true }),
    position: integer({ default: 0 }),
    state: choiceOf(['visible', 'hidden'], { default: 'visible' }),
    lessons: readOnly(relations('lessons', { inverse: 'lessongroup' })),
  },
  list: {
    columns: ['title', 'course', 'position', 'state', 'updatedAt'],
    search: ['title', 'description'],
    segments: 'state',
    filters: ['course', 'state'],
    sort: 'position',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description'] },
      { name: 'details', fields: ['course', 'position'] },
      { name: 'show', fields: ['state'] },
    ],
  },
  access: {
    read: { authenticated: { rows: { state: 'visible', course: { state: 'published' } } }, admin: true },
    write: 'admin',
  },
})
