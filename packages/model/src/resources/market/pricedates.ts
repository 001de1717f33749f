import { defineResource } from '../../declaration/define-resource.ts'
import { computedField, readOnly } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { longText } from '../../fields/text-kinds.ts'
import { choiceOf, day, moment, jsonField } from '../../fields/value-kinds.ts'

/** A day of prices: its cells are entered, checked and published together. */
export const pricedates = defineResource({
  name: 'pricedates',
  wire: 'pricedates',
  screens: [
    {
      path: 'price-list',
      section: 'market',
      labelPrefix: 'pricelist',
      overview: true,
      extraPaths: ['price-list/chart', 'price-list/changes', 'price-list/map', 'price-list/bulletin'],
    },
  ],
  title: 'date',
  fields: {
    date: day({ required: true, unique: true }),
    // The state of a price date is read-only: the calls submit, publish and reopen change it (market §5).
    state: readOnly(
      choiceOf(['draft', 'checking', 'published'], {
        default: 'draft',
        transitions: [
          { from: 'draft', to: 'checking', by: ['admin'] },
          { from: 'checking', to: 'published', by: ['admin'] },
          { from: 'published', to: 'draft', by: ['admin'] },
        ],
      }),
    ),
    /** Number of price cells that are expected, filled, carried and flagged (market §4). */
    coverage: computedField(jsonField()),
    published_at: readOnly(moment()),
    published_by: readOnly(relation('users')),
    /** Districts where nothing was sold on the day, so their prices are not missing (market §8). */
    no_market: relations('districts'),
    note: longText(),
  },
  list: {
    columns: ['date', 'state', 'coverage', 'published_by', 'published_at'],
    segments: 'state',
    search: ['note'],
    filters: ['state'],
    sort: 'date:desc',
  },
  form: { sections: [{ name: 'main', fields: ['date', 'no_market', 'note'] }] },
  access: { read: { authenticated: { rows: { state: 'published' } }, admin: true }, write: 'admin' },
})
