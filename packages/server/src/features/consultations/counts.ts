/** Counts the consultations of each filter of the panel (contract §13), within the rows of the caller. */
import type { Caller, ConsultationCounts } from '@dala/model'
import { computedSql } from '../../behaviours/computed.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

/** Counts that change with consultations only, and are the same for all callers with the same rows. */
type StoredCounts = Record<'all' | 'finished' | 'replayed', number>
/** Counts of open cases, which depend on the caller and on the time. */
type OpenCounts = Record<'mine' | 'free' | 'overdue', number>

/** Counts by conditions of the contract, in one statement; cached until a consultation changes. */
async function storedCounts({ database, totals }: FeatureRoutes, caller: Caller, view: View): Promise<StoredCounts> {
  const consultations = resourceNamed('consultations')
  const key = totals.keyOf(parseList({}, consultations, caller, view), 'values')
  const keys = ['all', 'finished', 'replayed'].map((name) => `counts of ${name}: ${key}`)
  const [totalCount, finishedCount, replayedCount] = keys.map((name) => totals.get(name)?.total)
  if (totalCount !== undefined && finishedCount !== undefined && replayedCount !== undefined)
    return { all: totalCount, finished: finishedCount, replayed: replayedCount }
  const [row = { all: 0, finished: 0, replayed: 0 }] = await runScopedQuery(
    database,
    { resource: consultations, caller, view },
    ({ from, where, document }) => sql<StoredCounts>`
      select count(*)::int as "all", count(${sql.ref(`${document}.finished_at`)})::int as finished,
             count(${sql.ref(`${document}.answered_at`)})::int as replayed
        from ${from} where ${where}`,
  )
  for (const [index, count] of [row.all, row.finished, row.replayed].entries())
    totals.set(keys[index] ?? '', { total: count })
  return row
}

/** Counts the open cases in one statement. */
async function openCounts({ database }: FeatureRoutes, caller: Caller, view: View): Promise<OpenCounts> {
  const consultations = resourceNamed('consultations')
  const [row = { mine: 0, free: 0, overdue: 0 }] = await runScopedQuery(
    database,
    { resource: consultations, caller, view },
    ({ from, where, document }) => {
      const entry = { resource: consultations, document, text: document }
      const consultant = sql.ref(`${document}.consultant_id`)
      return sql<OpenCounts>`
        select count(*) filter (where ${consultant} = ${caller.id})::int as mine,
               count(*) filter (where ${consultant} is null)::int as free,
               count(*) filter (where ${computedSql(entry, 'overdue')})::int as overdue
          from ${from} where ${sql.ref(`${document}.finished_at`)} is null and ${where}`
    },
  )
  return row
}

/** Counts the consultations of each filter. */
export async function countConsultations(
  routes: FeatureRoutes,
  caller: Caller,
  view: View,
): Promise<ConsultationCounts> {
  const { all, finished, replayed } = await storedCounts(routes, caller, view)
  const openCasesSql = await openCounts(routes, caller, view)
  return { all, finished, unfinished: all - finished, replayed, unreplayed: all - replayed, ...openCasesSql }
}
