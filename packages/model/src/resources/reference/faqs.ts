import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { longText, rich } from '../../fields/text-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** A frequent question of farmers, with its answer. */
export const faqs = defineResource({
  name: 'faqs',
  wire: 'faqs',
  screens: [{ path: 'settings/faqs', section: 'settings', group: 'advisory' }],
  title: 'question',
  fields: {
    question: localized(longText({ required: true, message: 'validation.question' })),
    answer: localized(rich({ required: true, message: 'validation.answer' })),
    category: relation('consultationcategories'),
    ...orderedFields,
  },
  list: {
    columns: ['question', 'category', 'order', 'active', 'updatedAt'],
    search: ['question'],
    filters: ['active', 'category'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['question', 'answer'] },
      { name: 'details', fields: ['category'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
