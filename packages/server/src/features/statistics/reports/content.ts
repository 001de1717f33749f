/** Report of published content and its age, and of current, outdated and missing translations. */
import { sql } from '../../../db/sql.ts'
import type { Measure, ReportSource } from '../measures.ts'
import { contentTables } from './items.ts'

const days = sql`extract(epoch from now() - i.changed_at) / 86400`

const translations = (state: 'current' | 'outdated' | 'missing'): Measure => ({
  key: `translations_${state}`,
  from: sql`translations t`,
  where: sql`t.state = ${state}`,
  dims: { locale: sql`t.locale` },
})

export const content: ReportSource = {
  tables: contentTables,
  measures: () => [
    {
      key: 'published',
      from: sql`items i`,
      where: sql`i.published`,
      value: days,
      dims: {
        resource: sql`i.resource`,
        freshness: sql`case when ${days} < 30 then 'fresh' when ${days} < 180 then 'ageing' else 'old' end`,
      },
    },
    { key: 'drafts', from: sql`items i`, where: sql`not i.published`, dims: { resource: sql`i.resource` } },
    { key: 'changed', from: sql`items i`, at: sql`i.changed_at` },
    {
      key: 'wanted',
      from: sql`translations t`,
      value: sql`case when t.state = 'current' then 1 else 0 end`,
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
