/** Report of new trading posts, of the number in each state, and of the decisions on posts and their edits. */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type Measure, minutesBetween, type ReportSource, type Sql } from '../measures.ts'

const postsTableSql = sql`tradinposts d join tradinposts_texts t on t.document_id = d.id and t.locale = d.source_locale`

const record = { resource: sql`'tradinposts'`, id: sql`d.id` }

/** SQL of the time before their end in which trading posts count as expiring. */
const expiringInterval = sql`interval '7 days'`

const decisionsTableSql = sql`post_decisions v join tradinposts d on d.id = v.document_id`
/** The post of a decision; a post may have several decisions. */
const decisionRecord = { ...record, part: sql`v.id`, person: sql`v.user_id` }

const refusalStates: Sql = sql`('rejected', 'needs_changes')`

/** SQL of whether a decision counts: it accepts or refuses, and was not taken back. */
const isDecided = sql`v.undone_at is null and v.to_state in ('processed', 'rejected', 'needs_changes')`

/** SQL of the time from which a decided post or edit waited; null for a post that was decided again. */
const waitStartSql = sql`(v.kept -> 'values' ->> 'waiting_since')::timestamptz`

export const trading: ReportSource = {
  measures: ({ filterSql: conditionOf }) => {
    const scopeSql = conditionOf({
      region: sql`d.region_id`,
      district: sql`d.district_id`,
      category: sql`d.tradingpostcategory_id`,
      type: sql`d.tradingposttype_id`,
    })
    const stateMeasure = (key: string, condition: Sql): Measure => ({
      key,
      from: postsTableSql,
      where: joinConditions(scopeSql, condition),
      record,
    })
    return [
      {
        key: 'posts',
        from: postsTableSql,
        where: scopeSql,
        at: sql`t.created_at`,
        record,
        dims: {
          type: sql`d.tradingposttype_id`,
          category: sql`d.tradingpostcategory_id`,
          region: sql`d.region_id`,
          delivery: sql`d.delivery`,
        },
      },
      stateMeasure('on_hold', sql`d.status = 'on_hold'`),
      stateMeasure('processed', sql`d.status = 'processed'`),
      stateMeasure('needs_changes', sql`d.status = 'needs_changes'`),
      stateMeasure('rejected', sql`d.status = 'rejected'`),
      stateMeasure('expiring', sql`d.status = 'processed' and d.expires_at < now() + ${expiringInterval}`),
      {
        key: 'renewed',
        from: sql`post_renewals v join tradinposts d on d.id = v.document_id`,
        where: scopeSql,
        at: sql`v.created_at`,
        record: decisionRecord,
        dims: {
          type: sql`d.tradingposttype_id`,
          category: sql`d.tradingpostcategory_id`,
          region: sql`d.region_id`,
        },
      },
      {
        key: 'decided',
        from: decisionsTableSql,
        where: joinConditions(scopeSql, isDecided),
        at: sql`v.created_at`,
        record: decisionRecord,
        dims: { outcome: sql`v.to_state`, subject: sql`v.subject` },
      },
      {
        key: 'decision_wait',
        from: decisionsTableSql,
        where: joinConditions(scopeSql, isDecided, sql`${waitStartSql} is not null`),
        at: sql`v.created_at`,
        record: decisionRecord,
        value: minutesBetween(waitStartSql, sql`v.created_at`),
      },
      // A refusal with two reasons counts in the rows of both. A reason in the words of the moderator has no row.
      {
        key: 'reasons',
        from: sql`${decisionsTableSql} cross join lateral unnest(case when v.reasons = '{}' then array[null] else v.reasons end) as given(code)
          left join moderationreasons m on m.code = given.code`,
        where: joinConditions(scopeSql, isDecided, sql`v.to_state in ${refusalStates}`),
        at: sql`v.created_at`,
        record: decisionRecord,
        dims: { reason: sql`m.id` },
      },
      {
        key: 'refused_again',
        from: decisionsTableSql,
        where: joinConditions(
          scopeSql,
          isDecided,
          sql`v.to_state in ${refusalStates}`,
          sql`exists (select 1 from post_decisions w where w.document_id = v.document_id and w.id < v.id
            and w.undone_at is null and w.to_state in ${refusalStates})`,
        ),
        at: sql`v.created_at`,
        record: decisionRecord,
      },
    ]
  },
  figures: { decision_median: { measure: 'decision_wait', of: 'median' } },
}
