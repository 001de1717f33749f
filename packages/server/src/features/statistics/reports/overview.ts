/** Report of the cases that wait now, with the main figures of all other reports. */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type ReportSource } from '../measures.ts'
import { contentTables } from './items.ts'
import { asked, deskTables, due, finished, waiting } from './desk.ts'
import { activeLearners, lastActivity } from './learners.ts'
import { expectedMeasure } from './quotes.ts'

export const overview: ReportSource = {
  tables: (context) => sql`${contentTables}, ${deskTables(context)}`,
  measures: (context) => [
    ...waiting(context),
    asked(context),
    finished(context),
    due(context),
    expectedMeasure(context, 'expected'),
    {
      key: 'on_hold',
      from: sql`tradinposts d`,
      where: joinConditions(
        context.filterSql({ region: sql`d.region_id`, district: sql`d.district_id` }),
        sql`d.status = 'on_hold'`,
      ),
      record: { resource: sql`'tradinposts'`, id: sql`d.id` },
    },
    {
      key: 'stale_translations',
      from: sql`translations t`,
      where: sql`t.state <> 'current'`,
      record: { resource: sql`t.resource`, id: sql`t.id` },
    },
    activeLearners(context, lastActivity),
  ],
  figures: {
    oldest_wait: { measure: 'waiting', of: 'max' },
    within_target: { measure: 'due', of: 'share' },
    coverage: { measure: 'expected', of: 'share' },
  },
}
