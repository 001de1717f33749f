/** SQL of the counts of days as they are stored, from the facts. */
import { zonedMoment, zoneSql } from '../../../db/calendar.ts'
import { sql } from '../../../db/sql.ts'
import { casesSql } from '../count.ts'
import { addDays } from '../days.ts'
import type { DaySubject, Sql } from '../measures.ts'
import { type DayMeasure, dayFacts, dayMeasures } from './definitions.ts'
import { everyCase, sliceWithin, storedFilters } from './slices.ts'

/** Days from one to another, both included. */
export interface DayRange {
  first: string
  last: string
}

const rangeOf = ({ first, last }: DayRange) => ({ from: `${first} 00:00:00`, until: `${addDays(last, 1)} 00:00:00` })

/** Returns measures in groups with the same rows. */
function groupsOf(measures: readonly DayMeasure[]) {
  const groups = new Map<string, { keys: Set<string>; first: DayMeasure }>()
  for (const dayMeasure of measures) {
    const name = JSON.stringify([dayMeasure.dims, dayMeasure.filters, dayMeasure.isSorted])
    const group = groups.get(name) ?? { keys: new Set(), first: dayMeasure }
    group.keys.add(dayMeasure.measure.key)
    groups.set(name, group)
  }
  return [...groups.values()].map(({ keys, first }) => ({ ...first, keys: [...keys] }))
}

/** SQL of `cases`, all cases of the measures in a range of days. */
function casesOf(subject: DaySubject, measures: readonly DayMeasure[], range: DayRange): Sql {
  const columnsOf = ({ dims, filters }: DayMeasure) => [
    ...new Set([...dims, ...filters.map((filter) => storedFilters[filter])]),
  ]
  const dims = [...new Set(measures.flatMap(columnsOf))]
  return sql`${dayFacts[subject].tables},
    cases as materialized (
      select c.*, (c.at at time zone ${zoneSql})::date as day from (${sql.join(
        measures.map((dayMeasure) =>
          casesSql(dayMeasure.measure, { dims, needed: columnsOf(dayMeasure), ranges: [rangeOf(range)] }),
        ),
        sql` union all `,
      )}) c)`
}

/** SQL of the slices of a case: all, each dimension, and both within each filter that the case has a value for. */
function slicesSql({ dims, filters }: DayMeasure): Sql {
  const column = (name: string) => sql`c.${sql.ref(`d_${name}`)}`
  return sql.join([
    sql`(${everyCase}::text, '', null::text)`,
    ...dims.map((dim) => sql`(${dim}::text, '', ${column(dim)})`),
    ...filters.flatMap((filter) => [
      sql`(${sliceWithin(filter, everyCase)}::text, ${column(storedFilters[filter])}, null::text)`,
      ...dims.map((dim) => sql`(${sliceWithin(filter, dim)}::text, ${column(storedFilters[filter])}, ${column(dim)})`),
    ]),
  ])
}

/**
 * SQL of `fresh`, the rows of `report_counts` of a subject in a range of days. Lists have a fixed order, so that
 * equal facts make equal rows.
 */
export function freshCountsSql(subject: DaySubject, range: DayRange): Sql {
  const measures = dayMeasures(subject)
  const rows = groupsOf(measures).map((group) => {
    const { keys, isSorted, measure } = group
    const amounts = isSorted
      ? sql`array_agg(round(c.value * ${measure.units ?? 1}::int)::int order by c.value)`
      : sql`null::int[]`
    return sql`
      select c.measure, s.slice, s.within, c.day, s.id, count(*)::int as n, coalesce(sum(c.value), 0)::float8 as sum, ${amounts} as amounts
        from cases c cross join lateral (values ${slicesSql(group)}) as s(slice, within, id)
       where c.measure = any(${keys}::text[]) and s.within is not null group by c.measure, s.slice, s.within, c.day, s.id`
  })
  const order = sql`order by p.id collate "C" nulls first`
  return sql`${casesOf(subject, measures, range)},
    parts as (${sql.join(rows, sql` union all `)}),
    fresh as (
      select p.measure, p.slice, p.within, p.day, array_agg(p.id ${order}) as ids, array_agg(p.n ${order}) as cases, array_agg(p.sum ${order}) as sums,
             string_to_array(string_agg(array_to_string(p.amounts, ','), ',' ${order}), ',')::int[] as amounts
        from parts p group by p.measure, p.slice, p.within, p.day)`
}

/** SQL of the days of a range in which time alone will add a case, so that their counts are not final. */
export function openDaysSql(subject: DaySubject, range: DayRange): Sql {
  const openCaseSelects = dayMeasures(subject).flatMap(({ measure: { from, at, countsFrom, where } }) => {
    if (!countsFrom || !at) return []
    const { from: start, until } = rangeOf(range)
    return [
      sql`
      select (${at} at time zone ${zoneSql})::date as day from ${from}
       where ${where ?? sql`true`} and ${countsFrom} > now()
         and ${at} >= ${zonedMoment(start)} and ${at} < ${zonedMoment(until)}`,
    ]
  })
  return openCaseSelects.length > 0
    ? sql.join(openCaseSelects, sql` union `)
    : sql`select null::date as day where false`
}
