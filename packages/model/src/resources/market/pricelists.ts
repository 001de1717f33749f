import { defineResource } from '../../declaration/define-resource.ts'
import { computedField, readOnly } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, jsonField, yesNoField } from '../../fields/value-kinds.ts'

/**
 * One price of a product in a district on a day, retail or wholesale. A missing quote has no record; a price
 * is never 0.
 */
export const pricelists = defineResource({
  name: 'pricelists',
  wire: 'pricelists',
  title: 'price',
  listedBy: 'pricedate',
  uniqueTogether: [['product', 'district', 'pricedate', 'market_type']],
  orderedPairs: [['price', 'price_max']],
  fields: {
    product: relation('products', { required: true }),
    district: relation('districts', { required: true, message: 'validation.district' }),
    region: readOnly(relation('regions')),
    pricedate: relation('pricedates', { required: true }),
    price: decimalNumber({ digits: [14, 2], min: 0, exclusiveMin: true, unit: 'money' }),
    price_max: decimalNumber({ digits: [14, 2], min: 0, exclusiveMin: true, unit: 'money' }),
    unit: relation('units', { required: true }),
    /** Price of one base unit, converted by the unit's factor. */
    price_base: readOnly(decimalNumber({ digits: [14, 4], unit: 'money' })),
    market_type: choiceOf(['retail', 'wholesale'], { default: 'retail' }),
    currency: text({ default: 'UZS' }),
    origin: readOnly(choiceOf(['entered', 'carried', 'imported'], { default: 'entered' })),
    state: readOnly(choiceOf(['ok', 'check', 'confirmed'], { default: 'ok' })),
    flag: readOnly(jsonField()),
    /** Whether the price was entered after its day, such as last week's figure today (market §8). */
    late: computedField(yesNoField()),
    note: longText(),
    author: readOnly(relation('users', { setToCaller: 'always' })),
  },
  list: {
    columns: ['product', 'district', 'pricedate', 'price', 'price_max', 'unit', 'market_type', 'state', 'updatedAt'],
    search: ['note'],
    segments: 'state',
    filters: ['product', 'region', 'district', 'pricedate', 'market_type', 'origin', 'state'],
    sort: 'updatedAt:desc',
  },
  form: {
    sections: [
      { name: 'main', fields: ['product', 'district', 'pricedate', 'market_type'] },
      { name: 'price', fields: ['price', 'price_max', 'unit', 'currency'] },
      { name: 'details', fields: ['note'] },
    ],
  },
  access: { read: { authenticated: { rows: { pricedate: { state: 'published' } } }, admin: true }, write: 'admin' },
})
