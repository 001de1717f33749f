import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, relation, relations } from '../../fields/link-kinds.ts'
import { email, longText, rich, text } from '../../fields/text-kinds.ts'
import { yesNoField } from '../../fields/value-kinds.ts'
import { activeContent } from '../listed.ts'

/** A company of the sector: its activities, delivery areas and contacts. */
export const companies = defineResource({
  name: 'companies',
  wire: 'companies',
  screens: [{ path: 'companies', section: 'market', overview: true }],
  title: 'companyName',
  fields: {
    companyName: text({ required: true, message: 'validation.name' }),
    shortname: text(),
    slogan: localized(text()),
    shortdescription: localized(longText()),
    description: localized(longText()),
    full_description: localized(rich()),
    logo: picture(),
    address: localized(text({ required: true, message: 'validation.address' })),
    phone: text(),
    fax: text(),
    email: email(),
    website: text(),
    companycategory: relation('companycategories'),
    directions: relations('directions', { inverse: 'companies', required: true, message: 'validation.directions' }),
    delivery_regions: relations('regions'),
    region: relation('regions', { message: 'validation.region' }),
    district: relation('districts', { message: 'validation.district' }),
    // Only staff see the documents that a company was verified with, and its owner.
    patent: picture({ preset: 'patent', readableBy: 'admin' }),
    passport: picture({ preset: 'passport', readableBy: 'admin' }),
    owner: relation('users', { readableBy: 'admin' }),
    active: yesNoField({ default: true }),
  },
  list: {
    columns: ['companyName', 'companycategory', 'region', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'logo',
    subtitle: 'phone',
    extraFields: ['directions', 'createdAt'],
    search: ['companyName', 'shortname', 'shortdescription', 'description'],
    filters: ['active', 'companycategory', 'region', 'district'],
    sort: 'companyName',
  },
  form: {
    sections: [
      { name: 'main', fields: ['companyName', 'shortname', 'slogan', 'companycategory', 'directions', 'owner'] },
      { name: 'text', fields: ['shortdescription', 'description', 'full_description'] },
      { name: 'contacts', fields: ['phone', 'fax', 'email', 'website'] },
      { name: 'place', fields: ['address', 'region', 'district', 'delivery_regions'] },
      { name: 'show', fields: ['active'] },
    ],
    aside: ['logo', 'patent', 'passport'],
  },
  access: activeContent,
})
