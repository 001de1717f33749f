/** Report of published content and its age, of its translations, and of its openings by readers. */
import { openedContent } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import { joinConditions, type Measure, type MeasureContext, type ReportSource, type Sql } from '../measures.ts'
import { contentTables } from './items.ts'

const days = sql`extract(epoch from now() - i.changed_at) / 86400`

const ofChosenLanguage = ({ filterSql: conditionOf }: MeasureContext): Sql => conditionOf({ locale: sql`t.locale` })

const translations = (context: MeasureContext, state: 'current' | 'outdated' | 'missing'): Measure => ({
  key: `translations_${state}`,
  from: sql`translations t`,
  where: joinConditions(ofChosenLanguage(context), sql`t.state = ${state}`),
  record: translatedRecord,
  dims: { locale: sql`t.locale` },
})

/** Measure of openings by day, of all kinds of content or of one, whose items are then rows of a table. */
const openings = ({ start }: MeasureContext, kind?: { key: string; resource: string; dim: string }): Measure => ({
  key: kind?.key ?? 'opens',
  from: sql`content_opens o`,
  where: kind ? sql`o.resource = ${kind.resource}` : sql`o.resource = any(${[...openedContent]}::text[])`,
  at: start(sql`o.day`),
  value: sql`o.opens`,
  dims: kind ? { [kind.dim]: sql`o.document_id` } : { opened: sql`o.resource` },
  record: { resource: sql`o.resource`, id: sql`o.document_id` },
})

const item = { resource: sql`i.resource`, id: sql`i.id` }
const translatedRecord = { resource: sql`t.resource`, id: sql`t.id` }

export const content: ReportSource = {
  tables: () => contentTables,
  measures: (context) => [
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
      where: ofChosenLanguage(context),
      value: sql`case when t.state = 'current' then 1 else 0 end`,
      record: translatedRecord,
      dims: { locale: sql`t.locale` },
    },
    translations(context, 'current'),
    translations(context, 'outdated'),
    translations(context, 'missing'),
    openings(context),
    openings(context, { key: 'opens_news', resource: 'news', dim: 'news' }),
    openings(context, { key: 'opens_courses', resource: 'courses', dim: 'course' }),
    {
      key: 'never_opened',
      from: sql`items i`,
      where: sql`i.published and i.resource = any(${[...openedContent]}::text[])
        and not exists (select 1 from content_opens o where o.resource = i.resource and o.document_id = i.id)`,
      record: item,
      dims: { opened: sql`i.resource` },
    },
  ],
  figures: {
    opens: { measure: 'opens', of: 'sum' },
    opens_news: { measure: 'opens_news', of: 'sum' },
    opens_courses: { measure: 'opens_courses', of: 'sum' },
    untouched: { measure: 'published', of: 'median' },
    translated: { measure: 'wanted', of: 'share' },
  },
}
