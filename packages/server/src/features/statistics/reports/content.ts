/** Report of published content and its age, and of current, outdated and missing translations. */
import { sql } from '../../../db/sql.ts'
import type { Measure, ReportSource } from '../measures.ts'
import { contentTables } from './items.ts'

const days = sql`extract(epoch from now() - i.changed_at) / 86400`

const translations = (state: 'current' | 'outdated' | 'missing'): Measure => ({
  key: `translations_${state}`,
  from: sql`translations t`,
  where: sql`t.state = ${state}`,
  record: translated,
  dims: { locale: sql`t.locale` },
})

const item = { resource: sql`i.resource`, id: sql`i.id` }
const translated = { resource: sql`t.resource`, id: sql`t.id` }

export const content: ReportSource = {
  tables: contentTables,
  measures: () => [
    {
      key: 'published',
      from: sql`items i`,
      where: sql`i.published`,
      value: days,
      record: item,
      dims: {
        resource: sql`i.resource`,
        freshness: sql`case when ${days} < 30 then 'fresh' when ${days} < 180 then 'ageing' else 'old' end`,
      },
    },
    {
      key: 'drafts',
      from: sql`items i`,
      where: sql`not i.published`,
      dims: { resource: sql`i.resource` },
      record: item,
    },
    { key: 'changed', from: sql`items i`, at: sql`i.changed_at`, record: item },
    {
      key: 'wanted',
      from: sql`translations t`,
      value: sql`case when t.state = 'current' then 1 else 0 end`,
      record: translated,
      dims: { locale: sql`t.locale` },
    },
    translations('current'),
    translations('outdated'),
    translations('missing'),
  ],
  figures: {
    untouched: { measure: 'published', of: 'median' },
    translated: { measure: 'wanted', of: 'share' },
  },
}
