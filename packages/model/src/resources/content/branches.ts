import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, relation } from '../../fields/link-kinds.ts'
import { email, text } from '../../fields/text-kinds.ts'
import { decimalNumber } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** An office of the service in a district. */
export const branches = defineResource({
  name: 'branches',
  wire: 'branches',
  screens: [{ path: 'branches', section: 'content' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    address: localized(text({ required: true, message: 'validation.address' })),
    region: relation('regions', { required: true, message: 'validation.region' }),
    district: relation('districts', { required: true, message: 'validation.district' }),
    phone: text(),
    email: email(),
    working_hours: localized(text()),
    lat: decimalNumber({ digits: [9, 6], min: -90, max: 90, unit: 'degrees' }),
    lng: decimalNumber({ digits: [9, 6], min: -180, max: 180, unit: 'degrees' }),
    head: relation('users'),
    image: picture({ preset: 'image' }),
    ...orderedFields,
  },
  list: {
    columns: ['name', 'region', 'district', 'address', 'active'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    subtitle: 'phone',
    search: ['name', 'address'],
    filters: ['active', 'region', 'district'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'head'] },
      { name: 'place', fields: ['region', 'district', 'address', 'working_hours', 'lat', 'lng'] },
      { name: 'contacts', fields: ['phone', 'email'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
