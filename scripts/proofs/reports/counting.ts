/** Computes the values of a report's figures from plain cases: totals, intervals and rows (statistics §5). */
import type { ReportFilter } from '@dala/model'
import {
  ageOf,
  type CaseFigure,
  type DimId,
  type PlainAggregate,
  type PlainCase,
  type PlainFigure,
  spreadsOf,
} from './cases.ts'
import type { PlainInterval, PlainPeriod, TimeRange } from './period.ts'

/** A value with the number of cases behind it. */
export interface Counted {
  value: number | null
  n: number
}

/** Returns a quantile by linear interpolation. */
function quantile(values: readonly number[], share: number): number {
  const sortedValues = values.toSorted((left, right) => left - right)
  const rank = (sortedValues.length - 1) * share
  const [low = 0, high = 0] = [sortedValues[Math.floor(rank)], sortedValues[Math.ceil(rank)]]
  return low + (high - low) * (rank - Math.floor(rank))
}

/** Returns a figure of the cases of one row of a table. */
const rowFigure = (figure: CaseFigure, dim: string, id: DimId): CaseFigure => ({
  ...figure,
  cases: figure.cases.filter(({ dims }) => (dims[dim] ?? null) === id),
})

/** The documents and codes that a query narrows its cases to. */
export type FilterKeys = Readonly<Partial<Record<ReportFilter, number | string | null>>>

/** Counts the figures of one query. */
export class PlainCounts {
  readonly #filters: FilterKeys
  readonly #period: PlainPeriod
  readonly #present: number
  readonly #narrowed = new Map<readonly PlainCase[], readonly PlainCase[]>()

  constructor(filters: FilterKeys, period: PlainPeriod, presentMoment: number) {
    this.#filters = filters
    this.#period = period
    this.#present = presentMoment
  }

  #within(cases: readonly PlainCase[]): readonly PlainCase[] {
    const cachedCases = this.#narrowed.get(cases)
    if (cachedCases) return cachedCases
    const filterEntries = Object.entries(this.#filters) as [ReportFilter, number | string | null][]
    const matchingCases = cases.filter(({ about }) =>
      filterEntries.every(([name, key]) => about[name] === undefined || about[name] === key),
    )
    this.#narrowed.set(cases, matchingCases)
    return matchingCases
  }

  /** Returns the cases of a span that a figure counts; cases without a time belong to the present only. */
  #casesIn(cases: readonly PlainCase[], span: TimeRange, isPresent: boolean): readonly PlainCase[] {
    const casesInSpan = this.#within(cases).filter(({ at, isCounted }) => {
      if (isCounted && !isCounted(this.#present, span)) return false
      return at === undefined ? isPresent : at >= span.from && at < span.until
    })
    if (casesInSpan[0]?.distinct === undefined) return casesInSpan
    return [...new Map(casesInSpan.map((distinctCase) => [distinctCase.distinct, distinctCase])).values()]
  }

  #aggregate(aggregateKind: PlainAggregate, minCount: number, cases: readonly PlainCase[]): Counted {
    const values = cases.map(({ value }) => value?.(this.#present) ?? 1)
    const caseCount = values.length
    const sum = values.reduce((total, value) => total + value, 0)
    if (aggregateKind === 'count') return { value: caseCount, n: caseCount }
    if (aggregateKind === 'sum') return { value: sum, n: caseCount }
    if (caseCount < minCount) return { value: null, n: caseCount }
    if (aggregateKind === 'median' || aggregateKind === 'p90')
      return { value: quantile(values, aggregateKind === 'median' ? 0.5 : 0.9), n: caseCount }
    if (aggregateKind === 'max') return { value: Math.max(...values), n: caseCount }
    return { value: (sum / caseCount) * (aggregateKind === 'share' ? 100 : 1), n: caseCount }
  }

  /** Counts the cases of a level that are open at a time. */
  #level(cases: readonly PlainCase[], endTime: number): Counted {
    const changes = this.#within(cases).flatMap(({ moves = [] }) => moves.filter(({ at }) => at < endTime))
    const sum = changes.reduce((total, { change }) => total + change, 0)
    return { value: sum, n: Math.max(0, sum) }
  }

  #count(figure: PlainFigure, span: TimeRange, isPresent: boolean): Counted {
    if ('part' in figure) {
      const [partCount, wholeCount] = [
        this.#count(figure.part, span, isPresent),
        this.#count(figure.whole, span, isPresent),
      ]
      return { value: wholeCount.value ? ((partCount.value ?? 0) / wholeCount.value) * 1_000 : null, n: partCount.n }
    }
    const { cases, of, fewest = 1 } = figure
    return of === 'level'
      ? this.#level(cases, span.until)
      : this.#aggregate(of, fewest, this.#casesIn(cases, span, isPresent))
  }

  /** Counts a figure in the period of the query. */
  now(figure: PlainFigure): Counted {
    return this.#count(figure, this.#period.now, true)
  }

  /** Counts a figure in the earlier period; undefined without one. */
  before(figure: PlainFigure): Counted | undefined {
    return this.#period.before ? this.#count(figure, this.#period.before, false) : undefined
  }

  /** Counts a figure in an interval, as far as it has passed. */
  at(figure: PlainFigure, interval: PlainInterval): Counted {
    const { now } = this.#period
    return this.#count(figure, { from: interval.from, until: Math.min(interval.until, now.until) }, false)
  }

  /** Counts a figure in the days that an interval is compared with. */
  atBefore(figure: PlainFigure, { before }: PlainInterval): Counted | undefined {
    const formerPeriod = this.#period.before
    if (!before || !formerPeriod) return undefined
    return this.#count(figure, { from: before.from, until: Math.min(before.until, formerPeriod.until) }, false)
  }

  /** Returns the figures of all rows of a table. */
  rows(figure: PlainFigure, dim: string): Map<DimId, PlainFigure> {
    const cases = 'part' in figure ? [...figure.part.cases, ...figure.whole.cases] : figure.cases
    const ids = new Set(cases.map(({ dims }) => dims[dim] ?? null))
    return new Map(
      [...ids].map((id) => [
        id,
        'part' in figure
          ? { part: rowFigure(figure.part, dim, id), whole: rowFigure(figure.whole, dim, id) }
          : rowFigure(figure, dim, id),
      ]),
    )
  }

  /** Returns the cases of a level that are open at the end of the period, by their age then. */
  ages(cases: readonly (PlainCase & { opened?: number })[]): PlainFigure {
    const { until } = this.#period.now
    const openCases = cases.flatMap((plainCase) => {
      const moves = (plainCase.moves ?? []).filter(({ at }) => at < until)
      const sum = moves.reduce((total, { change }) => total + change, 0)
      return sum > 0
        ? [{ about: plainCase.about, dims: { ...plainCase.dims, age: ageOf(plainCase.opened ?? 0, until) } }]
        : []
    })
    return { cases: openCases, of: 'count' }
  }

  /** Returns the spreads of prices among the cells within the filters. */
  spreads(newest: readonly PlainCase[]): PlainFigure {
    return { cases: spreadsOf(this.#within(newest)), of: 'median' }
  }
}
