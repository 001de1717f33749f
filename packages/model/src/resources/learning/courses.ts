import { defineResource } from '../../declaration/define-resource.ts'
import { computedField, localized, readOnly } from '../../fields/field.ts'
import { countOf, picture, relation, relations } from '../../fields/link-kinds.ts'
import { link, rich, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, yesNoField } from '../../fields/value-kinds.ts'
import { orderedFields } from '../listed.ts'

/** A course of lessons, some of them in groups (docs/spec/e-learning.md). */
export const courses = defineResource({
  name: 'courses',
  wire: 'courses',
  publishedCopies: true,
  screens: [
    {
      path: 'e-learning',
      section: 'learning',
      labelPrefix: 'elearning',
      overview: true,
      editPath: 'e-learning/course-detail',
      readPath: 'e-learning',
      // Progress of the learners of one course.
      extraPaths: ['e-learning/progress/$index'],
    },
  ],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(rich()),
    image: picture({ preset: 'image' }),
    coursecategory: relation('coursecategories'),
    coursetype: relation('coursetypes'),
    author: relation('users'),
    lessongroups: readOnly(relations('lessongroups', { inverse: 'course' })),
    lessons: readOnly(relations('lessons', { inverse: 'course' })),
    lesson_count: countOf('lessons', 'course'),
    in_order: yesNoField({ default: false }),
    duration_minutes: computedField(integer({ unit: 'minutes' })),
    videourl: localized(link({ video: true })),
    tags: relations('tags'),
    state: choiceOf(['draft', 'published', 'archived'], {
      default: 'draft',
      transitions: [
        { from: 'draft', to: 'published', by: ['admin'] },
        { from: 'published', to: 'draft', by: ['admin'] },
        { from: 'draft', to: 'archived', by: ['admin'] },
        { from: 'published', to: 'archived', by: ['admin'] },
        { from: 'archived', to: 'draft', by: ['admin'] },
      ],
    }),
    published_at: moment({ readOnly: true }),
    changed_since_publish: computedField(yesNoField()),
    order: orderedFields.order,
  },
  list: {
    columns: ['title', 'coursecategory', 'coursetype', 'state', 'lesson_count', 'duration_minutes', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    segments: 'state',
    search: ['title'],
    filters: ['state', 'coursecategory', 'coursetype', 'author'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'videourl'] },
      { name: 'details', fields: ['coursecategory', 'coursetype', 'author', 'tags', 'in_order'] },
      { name: 'show', fields: ['state', 'order'] },
    ],
    aside: ['image'],
  },
  access: { read: { authenticated: { rows: { state: 'published' } }, admin: true }, write: 'admin' },
})
