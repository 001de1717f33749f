import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { link, longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** Additional material: an uploaded picture, video or document, or a document by link. */
export const attachments = defineResource({
  name: 'attachments',
  wire: 'attachments',
  screens: [{ path: 'attachments', section: 'content' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    file: relation('uploads'),
    link: link(),
    kind: choiceOf(['document', 'image', 'video', 'link'], { default: 'document' }),
    size: integer({ readOnly: true }),
    course: relation('courses'),
    lesson: relation('lessons'),
    ...orderedFields,
  },
  list: {
    columns: ['name', 'kind', 'course', 'lesson', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active', 'kind', 'course', 'lesson'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['name', 'description'] },
      { name: 'details', fields: ['kind', 'file', 'link', 'course', 'lesson'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
