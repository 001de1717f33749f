/** The sources of the reports, and the rows that each report needs of its measures. */
import { type ReportDeclaration, type ReportFilter, reportFilters, type ReportKey } from '@dala/model'
import { zonedMoment, zoneSql } from '../../db/calendar.ts'
import { textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { NeededRows } from './count.ts'
import { figureOf, type Figure, joinConditions, type MeasureContext, type ReportSource, type Sql } from './measures.ts'
import type { Period } from './period.ts'
import type { ReportQuery } from './read-query.ts'
import { consultants } from './reports/consultants.ts'
import { consultations } from './reports/consultations.ts'
import { content } from './reports/content.ts'
import { learning } from './reports/learning.ts'
import { overview } from './reports/overview.ts'
import { people } from './reports/people.ts'
import { prices } from './reports/prices.ts'
import { trading } from './reports/trading.ts'

/** How each report is counted. */
export const reportSources: Readonly<Record<ReportKey, ReportSource>> = {
  overview,
  consultations,
  consultants,
  content,
  prices,
  trading,
  learning,
  people,
}

/** SQL of the document of a wire id. */
function documentSql(name: string, id: number): Sql {
  const resource = resourceNamed(name)
  if (!resource.localized) return sql`${id}::int`
  return sql`(select f.document_id from ${sql.table(textTable(resource))} f where f.id = ${id}::int)`
}

/** SQL of what a report's filter compares: the document of a wire id, or a code. */
export function filterValueSql(
  { filters }: Pick<ReportDeclaration, 'filters'>,
  filter: ReportFilter,
  value: number | string,
): Sql {
  const target = filters[filter]
  return typeof target === 'string' && typeof value === 'number' ? documentSql(target, value) : sql`${value}::text`
}

/** SQL of whether a column holds the document of a wire id. */
export const isRecord = (column: Sql, name: string, id: number): Sql => sql`${column} = ${documentSql(name, id)}`

/** Returns the context that the measures of a report are built with. */
export function measureContext({
  report,
  query: { filters, hours },
  period,
  ownConsultant,
  isByDay,
}: {
  report: Pick<ReportDeclaration, 'filters'>
  query: Pick<ReportQuery, 'filters' | 'hours'>
  period: Period
} & Pick<MeasureContext, 'ownConsultant' | 'isByDay'>): MeasureContext {
  return {
    period,
    hours,
    filters: reportFilters.filter((name) => filters[name] !== undefined),
    ownConsultant,
    isByDay,
    moment: zonedMoment,
    start: (day) => sql`((${day})::timestamp at time zone ${zoneSql})`,
    filterSql: (columns) =>
      joinConditions(
        ...reportFilters.flatMap((filter) => {
          const [column, value] = [columns[filter], filters[filter]]
          return column === undefined || value === undefined
            ? []
            : [sql`${column} = ${filterValueSql(report, filter, value)}`]
        }),
      ),
  }
}

/** Returns the measures behind a figure. */
function measuresBehind(source: ReportSource, figure: Figure): string[] {
  if ('measure' in figure) return [figure.measure]
  return [figure.each, figure.thousand].flatMap((key) => measuresBehind(source, figureOf(source, key)))
}

/** Returns the rows that a report needs of each measure: those of its tables, its tables over time and its matrices. */
export function neededRows(
  { metrics, breakdowns, stacks = [], matrices = [] }: ReportDeclaration,
  source: ReportSource,
): Map<string, NeededRows> {
  const rowsByMeasure = new Map<string, { dims: Set<string>; stacks: Set<string>; isSorted: boolean }>()
  const rowsOf = (measure: string) => {
    const rows = rowsByMeasure.get(measure) ?? { dims: new Set(), stacks: new Set(), isSorted: false }
    rowsByMeasure.set(measure, rows)
    return rows
  }
  const note = (figure: Figure, dim?: string, isStack = false) => {
    for (const measure of measuresBehind(source, figure)) {
      const rows = rowsOf(measure)
      if (dim !== undefined) rows.dims.add(dim)
      if (dim !== undefined && isStack) rows.stacks.add(dim)
      if ('of' in figure && (figure.of === 'median' || figure.of === 'p90')) rows.isSorted = true
    }
  }
  for (const metric of Object.keys(metrics)) note(figureOf(source, metric))
  for (const { dim, metric } of [...breakdowns, ...matrices])
    note(source.rowsOf?.[`${dim}.${metric}`] ?? figureOf(source, metric), dim)
  for (const { dim, metric } of stacks) note(figureOf(source, metric), dim, true)
  return new Map(
    [...rowsByMeasure].map(([measure, { dims, stacks: stackedDims, isSorted }]) => [
      measure,
      { dims: [...dims].toSorted(), stacks: [...stackedDims].toSorted(), isSorted },
    ]),
  )
}
