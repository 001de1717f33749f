import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture } from '../../fields/link-kinds.ts'
import { link, longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, moment } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** A banner of the apps, shown between two moments. */
export const sliders = defineResource({
  name: 'sliders',
  wire: 'sliders',
  screens: [{ path: 'settings/slider', section: 'settings', group: 'general' }],
  title: 'title',
  fields: {
    title: localized(text()),
    description: localized(longText()),
    image: picture({ required: true, preset: 'banner' }),
    link: link(),
    button_text: localized(text()),
    placement: choiceOf(['home', 'market', 'learning'], { default: 'home' }),
    starts_at: moment(),
    ends_at: moment(),
    ...orderedFields,
  },
  list: {
    columns: ['title', 'placement', 'starts_at', 'ends_at', 'order', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    search: ['title', 'description'],
    filters: ['active', 'placement'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'button_text', 'link'] },
      { name: 'period', fields: ['placement', 'starts_at', 'ends_at'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
