/**
 * Reduces the figures of a report to what readers without an account may see: totals, and groups of at least
 * five cases that do not reveal smaller ones (statistics §7).
 */
import {
  minSharedCases,
  type ReportBreakdown,
  type ReportFigures,
  type ReportKey,
  type ReportMetric,
  type ReportPoint,
  type ReportRow,
  wholeReport,
  type ReportShare,
  sharedOthers,
} from '@dala/model'

/** The figures of a shared report. */
export interface SharedFigures extends ReportFigures {
  /** Keys of the figures that have fewer than five cases, whose values are left out. */
  few: readonly string[]
}

const isSmall = (cases: number): boolean => cases > 0 && cases < minSharedCases

/**
 * Chooses the groups of a table that must be hidden: those with fewer than five cases in a column, and further
 * ones, until no hidden group follows from the total of a column and the groups that are shown.
 *
 * @param columns - Cases of each group, by column.
 * @returns The places of the hidden groups; undefined where the table cannot be shown.
 * @example
 * groupsToHide([[3, 9, 20]]) // new Set([0, 1])
 */
export function groupsToHide(columns: readonly (readonly number[])[]): Set<number> | undefined {
  const hiddenGroups = new Set<number>()
  for (const cases of columns)
    for (const [groupIndex, caseCount] of cases.entries()) if (isSmall(caseCount)) hiddenGroups.add(groupIndex)
  /** Whether the total of a column reveals a hidden group. */
  const isRevealing = (cases: readonly number[]) => {
    const members = [...hiddenGroups].map((groupIndex) => cases[groupIndex] ?? 0).filter((caseCount) => caseCount > 0)
    if (members.length === 0) return false
    const sum = members.reduce((total, caseCount) => total + caseCount, 0)
    // Groups that are all known to be small follow from a sum at the bounds of what they can be.
    const isAtBound =
      members.every(isSmall) && (sum === members.length || sum === members.length * (minSharedCases - 1))
    return members.length < 2 || sum < minSharedCases || isAtBound
  }
  for (let column = columns.find(isRevealing); column; column = columns.find(isRevealing)) {
    const cases = column
    const smallestGroup = [...cases.keys()]
      .filter((groupIndex) => !hiddenGroups.has(groupIndex) && (cases[groupIndex] ?? 0) > 0)
      .toSorted((one, other) => (cases[one] ?? 0) - (cases[other] ?? 0))[0]
    if (smallestGroup === undefined) return undefined
    hiddenGroups.add(smallestGroup)
  }
  return hiddenGroups
}

class Reduction {
  readonly #figures: ReportFigures
  readonly #key: ReportKey
  readonly #few: ReadonlySet<string>

  constructor(figures: ReportFigures, key: ReportKey) {
    this.#figures = figures
    this.#key = key
    this.#few = new Set(
      figures.metrics.filter((metric) => isSmall(this.#casesOf(metric.key, metric))).map((metric) => metric.key),
    )
  }

  result(): SharedFigures {
    const { breakdowns } = this.#figures
    const dims = [...new Set(breakdowns.map(({ dim }) => dim))]
    // Each part is named: a part that reports gain later is left out until it is reduced here. Tables over time
    // and by the hour have too many small groups.
    return {
      stacks: [],
      matrices: [],
      metrics: this.#figures.metrics.map((metric) => this.#metric(metric)),
      series: this.#figures.series.flatMap(({ key, points }) => {
        const shownPoints = this.#points(key, points)
        return shownPoints ? [{ key, points: shownPoints }] : []
      }),
      breakdowns: dims.flatMap((dim) => this.#table(breakdowns.filter((breakdown) => breakdown.dim === dim))),
      few: [...this.#few],
    }
  }

  #isCount(metric: string): boolean {
    return wholeReport(this.#key).metrics[metric]?.unit === 'count'
  }

  /** Cases behind a value: of a count, at most the value itself. */
  #casesOf(metric: string, { value, n }: { value: number | null; n: number }): number {
    return this.#isCount(metric) && value !== null ? Math.min(n, Math.abs(value)) : n
  }

  #metric({ key, unit, value, n, partial }: ReportMetric): ReportMetric {
    const uncomparedFigure = { key, unit, partial, previous: null, change: null, change_kind: 'none' as const }
    return this.#few.has(key) ? { ...uncomparedFigure, value: null, n: 0 } : { ...uncomparedFigure, value, n }
  }

  /**
   * Points of a figure over time. Levels are left out, because their differences are groups, and so are
   * values without a number of cases.
   */
  #points(key: string, points: readonly ReportPoint[]): ReportPoint[] | undefined {
    if (this.#few.has(key) || !this.#isCount(key) || wholeReport(this.#key).metrics[key]?.level) return undefined
    const hiddenGroups = groupsToHide([points.map(({ value }) => value ?? 0)])
    const filledCount = points.filter(({ value }) => value).length
    if (!hiddenGroups || hiddenGroups.size * 2 > filledCount) return undefined
    return points.map((point, pointIndex) => {
      const uncomparedPoint = { ...point, previous: null, previous_t: null }
      return hiddenGroups.has(pointIndex) ? { ...uncomparedPoint, value: null, no_data: true } : uncomparedPoint
    })
  }

  /** The table of a dimension, whose hidden rows are one row together; none for rows of people. */
  #table(dimensionBreakdowns: readonly ReportBreakdown[]): ReportBreakdown[] {
    const declaredBreakdowns = wholeReport(this.#key).breakdowns
    const columns = dimensionBreakdowns.filter(
      ({ dim, metric }) =>
        !this.#few.has(metric) &&
        declaredBreakdowns.find((breakdown) => breakdown.dim === dim && breakdown.metric === metric)?.rows !== 'users',
    )
    const ids = [...new Set(columns.flatMap(({ rows }) => rows.map(({ id }) => id)))]
    /** Groups of a column in the order of all columns; the last one has no value of the dimension. */
    const sharesOf = ({ rows, not_set: notSet }: ReportBreakdown): (ReportShare | null)[] => [
      ...ids.map((id) => rows.find((row) => row.id === id) ?? null),
      notSet,
    ]
    const hiddenGroups = groupsToHide(
      columns.map((column) => sharesOf(column).map((share) => (share ? this.#casesOf(column.metric, share) : 0))),
    )
    const isFilled = (rowIndex: number) => columns.some((column) => (sharesOf(column)[rowIndex]?.n ?? 0) > 0)
    const shownRows = [...ids.keys(), ids.length].filter(
      (rowIndex) => isFilled(rowIndex) && !hiddenGroups?.has(rowIndex),
    )
    if (!hiddenGroups || shownRows.length === 0) return []
    return columns.map((column): ReportBreakdown => {
      const shares = sharesOf(column)
      const members = [...hiddenGroups].flatMap((rowIndex) => shares[rowIndex] ?? [])
      const othersRow: ReportRow = {
        id: sharedOthers,
        name: null,
        value: this.#isCount(column.metric) ? members.reduce((sum, { value }) => sum + (value ?? 0), 0) : null,
        previous: null,
        n: members.reduce((sum, { n }) => sum + n, 0),
      }
      const uncomparedRows = column.rows
        .filter(({ id }) => !hiddenGroups.has(ids.indexOf(id)))
        .map((row) => ({ ...row, previous: null }))
      const unsetCount = hiddenGroups.has(ids.length) ? null : column.not_set
      return {
        ...column,
        rows: hiddenGroups.size > 0 ? [...uncomparedRows, othersRow] : uncomparedRows,
        not_set: unsetCount && { ...unsetCount, previous: null },
        team: null,
      }
    })
  }
}

/**
 * Returns the figures of a report that readers without an account may see.
 *
 * @param figures - The figures, without a comparison.
 * @param key - The report.
 */
export const sharedFigures = (figures: ReportFigures, key: ReportKey): SharedFigures =>
  new Reduction(figures, key).result()
