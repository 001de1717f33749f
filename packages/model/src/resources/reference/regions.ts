import { defineResource } from '../../declaration/define-resource.ts'
import { localized, readOnly } from '../../fields/field.ts'
import { relations } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer } from '../../fields/value-kinds.ts'
import { openReference } from '../listed.ts'

/** A region of Uzbekistan, including the Republic of Karakalpakstan and the city of Tashkent. */
export const regions = defineResource({
  name: 'regions',
  wire: 'regions',
  screens: [{ path: 'settings/regions', section: 'settings', group: 'geography' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    code: text({ unique: true }),
    iso: text(),
    type: choiceOf(['region', 'republic', 'city'], { default: 'region' }),
    lat: decimalNumber({ digits: [9, 6], min: -90, max: 90, unit: 'degrees' }),
    lng: decimalNumber({ digits: [9, 6], min: -180, max: 180, unit: 'degrees' }),
    order: integer({ default: 0 }),
    districts: readOnly(relations('districts', { inverse: 'region' })),
  },
  list: { columns: ['name', 'code', 'type', 'updatedAt'], search: ['name', 'code'], filters: ['type'], sort: 'order' },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'type'] },
      { name: 'codes', fields: ['code', 'iso', 'order'] },
      { name: 'place', fields: ['lat', 'lng'] },
    ],
  },
  access: openReference,
})
