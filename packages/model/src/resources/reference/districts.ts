import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer } from '../../fields/value-kinds.ts'
import { openReference } from '../listed.ts'

/** A district, or a city of district rank, in a region. Branches and price lists refer to it. */
export const districts = defineResource({
  name: 'districts',
  wire: 'districts',
  screens: [{ path: 'settings/districts', section: 'settings', group: 'geography' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    region: relation('regions', { inverse: 'districts', parent: true, message: 'validation.region' }),
    code: text({ unique: true }),
    type: choiceOf(['district', 'city', 'city_district'], { default: 'district' }),
    lat: decimalNumber({ digits: [9, 6], min: -90, max: 90, unit: 'degrees' }),
    lng: decimalNumber({ digits: [9, 6], min: -180, max: 180, unit: 'degrees' }),
    order: integer({ default: 0 }),
  },
  list: {
    columns: ['name', 'region', 'code', 'type', 'updatedAt'],
    search: ['name', 'code'],
    filters: ['region', 'type'],
    sort: 'name',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'region', 'type'] },
      { name: 'codes', fields: ['code', 'order'] },
      { name: 'place', fields: ['lat', 'lng'] },
    ],
  },
  access: openReference,
})
