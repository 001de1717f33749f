import { defineResource } from '../../declaration/define-resource.ts'
import { slug } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, translated } from '../../fields/value-kinds.ts'
import { orderedFields, namedList } from '../listed.ts'

/**
 * A unit of measure. `factor` converts to the base unit of its kind; without it the unit is never converted.
 */
export const units = defineResource({
  name: 'units',
  wire: 'units',
  screens: [{ path: 'settings/unit', section: 'settings', group: 'market' }],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    short: translated(),
    code: slug({ unique: true, slugFrom: 'name' }),
    kind: choiceOf(['mass', 'volume', 'count', 'area', 'length', 'time'], { default: 'count' }),
    factor: decimalNumber({ digits: [14, 6], min: 0, exclusiveMin: true }),
    ...orderedFields,
  },
  ...namedList({
    main: ['short', 'code'],
    columns: ['short', 'kind', 'factor'],
    search: ['code'],
    filters: ['kind'],
    details: ['kind', 'factor'],
  }),
})
