import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, pictures, relation } from '../../fields/link-kinds.ts'
import { link, longText, rich, text } from '../../fields/text-kinds.ts'
import { choiceOf, day, decimalNumber, integer } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** An offer of finance or of a business service; `section` selects its screen. */
export const serviceposts = defineResource({
  name: 'serviceposts',
  wire: 'serviceposts',
  screens: [
    {
      path: 'agri-finance',
      section: 'market',
      labelPrefix: 'agrifinance',
      fixedValues: { section: 'finance' },
      list: { columns: ['title', 'servicecategory', 'company', 'amount_max', 'rate', 'active', 'updatedAt'] },
    },
    {
      path: 'agri-business',
      section: 'market',
      labelPrefix: 'agribusiness',
      fixedValues: { section: 'business' },
      // Loan terms do not apply to posts of business services.
      form: {
        sections: [
          { name: 'text', fields: ['title', 'description', 'content'] },
          { name: 'details', fields: ['servicecategory', 'company', 'region', 'starts_at', 'ends_at'] },
          { name: 'price', fields: ['amount_min', 'amount_max'] },
          { name: 'contacts', fields: ['phone', 'link'] },
          { name: 'show', fields: ['active', 'order'] },
        ],
        aside: ['image', 'attachments'],
      },
    },
  ],
  title: 'title',
  orderedPairs: [['amount_min', 'amount_max']],
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    content: localized(rich()),
    image: picture({ preset: 'image' }),
    servicecategory: relation('servicecategories'),
    section: choiceOf(['finance', 'business'], { required: true }),
    company: relation('companies'),
    link: link(),
    phone: text(),
    amount_min: decimalNumber({ digits: [14, 2], min: 0, unit: 'money' }),
    amount_max: decimalNumber({ digits: [14, 2], min: 0, unit: 'money' }),
    /** Interest rate in per cent a year. */
    rate: decimalNumber({ digits: [5, 2], min: 0, unit: 'percentAYear' }),
    term_months: integer({ min: 0, unit: 'months' }),
    region: relation('regions'),
    starts_at: day(),
    ends_at: day(),
    attachments: pictures(),
    ...orderedFields,
  },
  list: {
    columns: ['title', 'servicecategory', 'company', 'region', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    subtitle: 'phone',
    search: ['title', 'description'],
    filters: ['active', 'servicecategory', 'region'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'content'] },
      { name: 'details', fields: ['servicecategory', 'company', 'region'] },
      { name: 'terms', fields: ['amount_min', 'amount_max', 'rate', 'term_months', 'starts_at', 'ends_at'] },
      { name: 'contacts', fields: ['phone', 'link'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image', 'attachments'],
  },
  access: activeContent,
})
