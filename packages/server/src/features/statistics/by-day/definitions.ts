/** The measures that are counted by day, with the rows that any report needs of them. */
import { reportHours, reports, type ReportKey, wholeReport } from '@dala/model'
import type { Calendar } from '../../../db/calendar.ts'
import { sql } from '../../../db/sql.ts'
import { casesSql } from '../count.ts'
import type { DaySubject, Measure, Sql } from '../measures.ts'
import { periodOf } from '../period.ts'
import { deskFacts } from '../reports/desk.ts'
import { measureContext, neededRows, reportSources } from '../sources.ts'
import { nameOfCounts } from './counted-days.ts'
import { type StoredFilter, storedFilters } from './slices.ts'

/** A measure of a subject, under the name by which its counts are stored. */
export interface DayMeasure {
  measure: Measure
  /** Dimensions whose rows are stored. */
  dims: readonly string[]
  /** Filters within which all cases and the rows of each dimension are stored too. */
  filters: readonly StoredFilter[]
  /** Whether the values are stored for medians and percentiles. */
  isSorted: boolean
}

/** Facts whose days are counted. */
interface DayFacts {
  /** SQL of common tables that the measures read. */
  tables: Sql
  /** SQL of a day or a time before which there is hardly a fact. */
  first: Sql
}

export const dayFacts: Readonly<Record<DaySubject, DayFacts>> = {
  desk: {
    tables: deskFacts,
    first: sql`select least((select min(created_at) from consultations), (select min(created_at) from room_steps))`,
  },
  prices: { tables: sql`no_facts as (select 1)`, first: sql`select min(date) from pricedates` },
}

/** A period for measures that do not depend on one. */
const anyPeriod = periodOf(
  { from: '2000-01-01', to: '2000-01-01', compare: 'none' },
  { day: '2000-01-02', time: '00:00:00' },
)

function findDayMeasures(): Map<DaySubject, DayMeasure[]> {
  const byName = new Map<string, DayMeasure & { subject: DaySubject }>()
  for (const key of Object.keys(reports) as ReportKey[]) {
    const [report, source] = [wholeReport(key), reportSources[key]]
    const rowsByMeasure = neededRows(report, source)
    for (const hours of reportHours) {
      const context = measureContext({
        report,
        query: { filters: {}, hours },
        period: anyPeriod,
        ownConsultant: undefined,
        isByDay: true,
      })
      for (const measure of source.measures(context)) {
        const { key: name, storedAs = name, byDay: subject } = measure
        if (!subject) continue
        const earlierMeasure = byName.get(storedAs)
        const { dims = [], isSorted = false } = rowsByMeasure.get(name) ?? {}
        byName.set(storedAs, {
          subject,
          measure: { ...measure, key: storedAs },
          dims: [...new Set([...(earlierMeasure?.dims ?? []), ...dims])].toSorted(),
          filters: (Object.keys(storedFilters) as StoredFilter[]).filter(
            (filter) =>
              (earlierMeasure?.filters.includes(filter) ?? false) ||
              (Object.hasOwn(report.filters, filter) && Object.hasOwn(measure.dims ?? {}, storedFilters[filter])),
          ),
          isSorted: (earlierMeasure?.isSorted ?? false) || isSorted,
        })
      }
    }
  }
  const bySubject = new Map<DaySubject, DayMeasure[]>()
  for (const { subject, ...dayMeasure } of byName.values())
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), dayMeasure])
  return bySubject
}

let measuresBySubject: ReadonlyMap<DaySubject, readonly DayMeasure[]> | undefined

/** Returns the measures of a subject that are counted by day, from the sources of all reports. */
export function dayMeasures(subject: DaySubject): readonly DayMeasure[] {
  measuresBySubject ??= findDayMeasures()
  return measuresBySubject.get(subject) ?? []
}

const names = new WeakMap<Calendar, string>()

/** Returns the name of the counts by day: it changes with a measure, the zone or the working hours. */
export function nameOfDayCounts(calendar: Calendar): string {
  const knownName = names.get(calendar)
  if (knownName !== undefined) return knownName
  const definitions = (Object.keys(dayFacts) as DaySubject[]).flatMap((subject) => [
    dayFacts[subject].tables,
    ...dayMeasures(subject).map(({ measure, dims, filters }) => {
      const columns = [...dims, ...filters.map((filter) => storedFilters[filter])]
      return casesSql(measure, { dims: columns, needed: columns, ranges: null })
    }),
    sql`${JSON.stringify(dayMeasures(subject).map(({ measure, dims, filters, isSorted }) => [measure.key, dims, filters, isSorted]))}`,
  ])
  const name = nameOfCounts(definitions, calendar)
  names.set(calendar, name)
  return name
}
