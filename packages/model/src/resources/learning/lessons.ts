import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { link, longText, rich, text } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer, jsonField } from '../../fields/value-kinds.ts'

/** A lesson: one body with at most one video, or an ordered list of parts (e-learning §1). */
export const lessons = defineResource({
  name: 'lessons',
  wire: 'lessons',
  publishedCopies: true,
  screens: [
    {
      path: 'e-learning/lessons',
      section: 'learning',
      readPath: 'e-learning/lesson-seen',
      editPath: 'e-learning/lesson-seen',
      // Address of the list of one course's lessons.
      extraPaths: ['e-learning/lessons/$index'],
      overview: true,
      hidden: true,
    },
  ],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    content: localized(rich()),
    kind: choiceOf(['single', 'multi'], { default: 'single' }),
    course: relation('courses', { required: true, inverse: 'lessons', onDelete: 'cascade' }),
    lessongroup: relation('lessongroups', { inverse: 'lessons' }),
    position: integer({ default: 0 }),
    videourl: localized(link({ video: true })),
    link: localized(link()),
    duration_minutes: integer({ min: 0, unit: 'minutes' }),
    /**
     * Uploaded files of a lesson's video by their addresses, and the details that the server reads from the
     * video file.
     */
    video: jsonField({ keys: ['file', 'small', 'poster', 'duration_s', 'width', 'height', 'size'] }),
    /** Address of an uploaded file of subtitles in the lesson's language. */
    subtitles: localized(text({ unsearched: true })),
    parts: localized(jsonField()),
    attachments: relations('attachments'),
    complete_when: choiceOf(['opened', 'watched', 'marked'], { default: 'watched' }),
    watch_ratio: decimalNumber({ digits: [3, 2], default: 0.9, min: 0, max: 1 }),
    state: choiceOf(['visible', 'hidden'], { default: 'visible' }),
  },
  list: {
    columns: ['title', 'course', 'lessongroup', 'kind', 'position', 'state', 'updatedAt'],
    search: ['title', 'description'],
    segments: 'state',
    filters: ['course', 'lessongroup', 'kind', 'state'],
    sort: 'position',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description'] },
      {
        name: 'details',
        fields: ['course', 'lessongroup', 'kind', 'position', 'duration_minutes', 'complete_when', 'watch_ratio'],
      },
      { name: 'content', fields: ['content', 'parts', 'video', 'videourl', 'subtitles', 'link', 'attachments'] },
      { name: 'show', fields: ['state'] },
    ],
  },
  access: {
    read: {
      // A lesson is hidden together with its group and with its course.
      authenticated: {
        rows: {
          state: 'visible',
          course: { state: 'published' },
          $or: [{ lessongroup: { $null: true } }, { lessongroup: { state: 'visible' } }],
        },
      },
      admin: true,
    },
    write: 'admin',
  },
})
