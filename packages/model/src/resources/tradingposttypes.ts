import { defineResource } from '../define-resource.ts'
import { choiceOf, translated } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** The two types of trading posts (spec §9): selling and purchase, with their words. */
export const tradingposttypes = defineResource({
  name: 'tradingposttypes',
  wire: 'tradingposttypes',
  screens: [{ path: 'settings/trading-post-type', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    code: choiceOf(['selling', 'purchase'], { required: true, unique: true }),
    ...listed,
  },
  list: {
    columns: ['name', 'code', 'order', 'active', 'updatedAt'],
    search: ['name'],
    filters: ['active'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'code'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
