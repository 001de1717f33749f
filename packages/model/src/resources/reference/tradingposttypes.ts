import { defineResource } from '../../declaration/define-resource.ts'
import { choiceOf, translated } from '../../fields/value-kinds.ts'
import { orderedFields, namedList } from '../listed.ts'

/** The two types of trading posts (requirements §9): selling and purchase. */
export const tradingposttypes = defineResource({
  name: 'tradingposttypes',
  wire: 'tradingposttypes',
  screens: [{ path: 'settings/trading-post-type', section: 'settings', group: 'market' }],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    code: choiceOf(['selling', 'purchase'], { required: true, unique: true }),
    ...orderedFields,
  },
  ...namedList({ main: ['code'], columns: ['code'], search: [] }),
})
