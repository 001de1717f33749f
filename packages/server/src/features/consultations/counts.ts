/** Counts the consultations of each filter of the panel (contract §13), within the rows of the caller. */
import type { Caller, ConsultationCounts } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { runScoped } from '../../resources/read/scoped.ts'

/** Counts consultations in one statement; the result is cached until a consultation changes. */
export async function countsFor(
  { database, totals }: FeatureRoutes,
  caller: Caller,
  view: View,
): Promise<ConsultationCounts> {
  const consultations = resourceNamed('consultations')
  const key = totals.keyOf(parseList({}, consultations, caller, view), 'values')
  const keys = ['all', 'finished', 'replayed'].map((name) => `counts of ${name}: ${key}`)
  let [all, finished, replayed] = keys.map((name) => totals.get(name)?.total)
  if (all === undefined || finished === undefined || replayed === undefined) {
    const [row] = await runScoped(
      database,
      { resource: consultations, caller, view },
      ({ from, where, document }) => sql<Record<'all' | 'finished' | 'replayed', number>>`
      select count(*)::int as "all", count(${sql.ref(`${document}.finished_at`)})::int as finished,
             count(${sql.ref(`${document}.answered_at`)})::int as replayed
        from ${from} where ${where}`,
    )
    ;({ all, finished, replayed } = row ?? { all: 0, finished: 0, replayed: 0 })
    for (const [index, count] of [all, finished, replayed].entries()) totals.set(keys[index] ?? '', { total: count })
  }
  return { all, finished, unfinished: all - finished, replayed, unreplayed: all - replayed }
}
