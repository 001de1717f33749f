/** Report of new trading posts by type, category, region and delivery, and of the number in each state. */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type Measure, type ReportSource, type Sql } from '../measures.ts'

const postsTableSql = sql`tradinposts d join tradinposts_texts t on t.document_id = d.id and t.locale = d.source_locale`

const record = { resource: sql`'tradinposts'`, id: sql`d.id` }

/** SQL of the time before their end in which trading posts count as expiring. */
const expiringInterval = sql`interval '7 days'`

export const trading: ReportSource = {
  measures: ({ narrowed }) => {
    const within = narrowed({ region: sql`d.region_id`, category: sql`d.tradingpostcategory_id` })
    const inState = (key: string, condition: Sql): Measure => ({
      key,
      from: postsTableSql,
      where: joinConditions(within, condition),
      record,
    })
    return [
      {
        key: 'posts',
        from: postsTableSql,
        where: within,
        at: sql`t.created_at`,
        record,
        dims: {
          type: sql`d.tradingposttype_id`,
          category: sql`d.tradingpostcategory_id`,
          region: sql`d.region_id`,
          delivery: sql`d.delivery`,
        },
      },
      inState('on_hold', sql`d.status = 'on_hold'`),
      inState('processed', sql`d.status = 'processed'`),
      inState('needs_changes', sql`d.status = 'needs_changes'`),
      inState('rejected', sql`d.status = 'rejected'`),
      inState('expiring', sql`d.status = 'processed' and d.expires_at < now() + ${expiringInterval}`),
    ]
  },
}
