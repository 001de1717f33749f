/** Turns tallies into the figures of a report: values, changes, lines and tables (statistics §5). */
import {
  type ChangeKind,
  minConclusiveCases,
  type ReportDeclaration,
  type ReportBreakdown,
  type ReportMatrix,
  type ReportMetric,
  type ReportPoint,
  type ReportShare,
  type ReportStack,
  type ReportUnit,
} from '@dala/model'
import { gapAfter, stackSlice, type CaseTally, type Tallies } from './count.ts'
import { figureOf, type Figure, type ReportSource } from './measures.ts'
import type { Period } from './period.ts'

interface Value {
  value: number | null
  n: number
}

const emptyTally: CaseTally = { n: 0, sum: 0, mean: null, median: null, p90: null, max: null }

/** Rounds a figure to two decimals, which is enough for shares and minutes. */
const roundFigure = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100)

type SimpleFigure = Extract<Figure, { of: unknown }>

/** Computes the value of a report's figure for a tally; null when there are too few cases. */
export function valueOf({ of, fewest = 1 }: SimpleFigure, tally: CaseTally = emptyTally): Value {
  const { n, sum, mean, median, p90, max } = tally
  if (of === 'count') return { value: n, n }
  if (of === 'sum') return { value: roundFigure(sum), n }
  // The value of a stock in a report is its sum: additions minus removals.
  if (of === 'level') return { value: roundFigure(sum), n: Math.max(0, Math.round(sum)) }
  if (n < fewest) return { value: null, n }
  const values = { share: mean === null ? null : mean * 100, mean, median, p90, max }
  return { value: roundFigure(values[of]), n }
}

/** Computes the change of a report's value (statistics §5). */
function computeChange(
  unit: ReportUnit,
  now: Value,
  earlierFigure: Value | null,
): { change: number | null; change_kind: ChangeKind } {
  const [value, earlierValue] = [now.value, earlierFigure?.value ?? null]
  if (value === null || earlierValue === null || earlierFigure === null) return { change: null, change_kind: 'none' }
  if (unit !== 'percent' && earlierValue === 0)
    return value === 0 ? { change: 0, change_kind: 'none' } : { change: null, change_kind: 'new' }
  const change = roundFigure(unit === 'percent' ? value - earlierValue : ((value - earlierValue) / earlierValue) * 100)
  if (Math.max(now.n, earlierFigure.n) < minConclusiveCases) return { change, change_kind: 'few' }
  return { change, change_kind: unit === 'percent' ? 'points' : 'percent' }
}

/** Figures of one report, computed from its tallies. */
export class Figures {
  readonly #report: ReportDeclaration
  readonly #source: ReportSource
  readonly #period: Period
  readonly #tallies: Tallies

  constructor(report: ReportDeclaration, source: ReportSource, period: Period, tallies: Tallies) {
    this.#report = report
    this.#source = source
    this.#period = period
    this.#tallies = tallies
  }

  #total(figure: Figure, span: 'now' | 'before'): Value {
    if ('measure' in figure) return valueOf(figure, this.#tallies.total(figure.measure, span))
    const [caseTotal, baseTotal] = [
      this.#total(figureOf(this.#source, figure.each), span),
      this.#total(figureOf(this.#source, figure.thousand), span),
    ]
    const value =
      caseTotal.value === null || !baseTotal.value ? null : roundFigure((caseTotal.value / baseTotal.value) * 1000)
    return { value, n: caseTotal.n }
  }

  metrics(): ReportMetric[] {
    const { before, partial } = this.#period
    return Object.entries(this.#report.metrics).map(([key, { unit, now: isNow, whole: isWhole }]) => {
      const figure = figureOf(this.#source, key)
      const now = this.#total(figure, 'now')
      const earlierTotal = before && !isNow ? this.#total(figure, 'before') : null
      return {
        key,
        value: now.value,
        unit,
        n: now.n,
        previous: earlierTotal?.value ?? null,
        ...computeChange(unit, now, earlierTotal),
        partial: partial && !isNow,
        ...(!isNow &&
          !isWhole &&
          'measure' in figure && {
            spark: this.#points(key).map(({ t, value, partial: isPart }) => ({ t, value, partial: isPart })),
          }),
      }
    })
  }

  series(): { key: string; points: ReportPoint[] }[] {
    return this.#report.series.map((key) => ({ key, points: this.#points(key) }))
  }

  #points(key: string): ReportPoint[] {
    const figure = figureOf(this.#source, key)
    if (!('measure' in figure)) return []
    const { buckets } = this.#period
    const [now, earlierLine] = [this.#line(figure, 'now'), this.#line(figure, 'before')]
    return buckets.map((bucket, index) => {
      const value = bucket.isAhead ? null : (now[index] ?? null)
      return {
        t: bucket.from,
        value,
        previous: bucket.isAhead || !bucket.before ? null : (earlierLine[index] ?? null),
        previous_t: bucket.before?.from ?? null,
        partial: bucket.partial,
        no_data: value === null,
      }
    })
  }

  /** Computes the values of a report figure's buckets; those of a stock are the level at the end of each. */
  #line(figure: SimpleFigure, span: 'now' | 'before'): (number | null)[] {
    const parts = this.#tallies.rows(figure.measure, span, 'bucket')
    const isStock = figure.of === 'level'
    const { buckets } = this.#period
    const changeIn = (number: number) => parts.get(String(number))?.sum ?? 0
    let runningLevel = isStock ? changeIn(-1) : 0
    return buckets.map((_bucket, index) => {
      if (!isStock) return valueOf(figure, parts.get(String(index))).value
      const level = runningLevel + changeIn(index)
      runningLevel = level + changeIn(gapAfter(buckets, index))
      return roundFigure(level)
    })
  }

  /**
   * Returns the rows of a report's dimension by id; null is "not set". Each of `codes` has a row even without
   * cases.
   */
  shares(dim: string, metric: string, codes: readonly string[] = []): Map<string | null, ReportShare> {
    const figure = this.#source.rowsOf?.[`${dim}.${metric}`] ?? figureOf(this.#source, metric)
    if (!('measure' in figure)) return this.#ratios(dim, figure)
    const isCompared = !this.#report.metrics[metric]?.now && !this.#source.rowsOf?.[`${dim}.${metric}`]
    const now = this.#tallies.rows(figure.measure, 'now', dim)
    const earlierRows = this.#tallies.rows(figure.measure, 'before', dim)
    const hasEarlierValues = this.#period.before !== null && isCompared
    const ids = new Set<string | null>([...codes, ...now.keys(), ...(hasEarlierValues ? earlierRows.keys() : [])])
    return new Map(
      [...ids].map((id) => {
        const { value, n } = valueOf(figure, now.get(id))
        return [id, { value, previous: hasEarlierValues ? valueOf(figure, earlierRows.get(id)).value : null, n }]
      }),
    )
  }

  /** Returns the rows of a ratio: the number of one measure per thousand of another, in the rows of the other. */
  #ratios(dim: string, { each, thousand }: Extract<Figure, { each: string }>): Map<string | null, ReportShare> {
    const [cases, bases] = [this.shares(dim, each), this.shares(dim, thousand)]
    const ratio = (caseCount: number | null | undefined, base: number | null) =>
      base ? roundFigure(((caseCount ?? 0) / base) * 1000) : null
    return new Map(
      [...bases].map(([id, base]) => {
        const caseShare = cases.get(id)
        const value = ratio(caseShare?.value, base.value)
        return [id, { value, previous: ratio(caseShare?.previous, base.previous), n: caseShare?.n ?? 0 }]
      }),
    )
  }

  /**
   * Returns a table of the report over time.
   *
   * @param breakdown - The table.
   * @param ids - The ids of its rows in the tallies, in the same order.
   */
  stack({ dim, metric, rows }: ReportBreakdown, ids: readonly string[]): ReportStack {
    const { buckets } = this.#period
    const figure = figureOf(this.#source, metric)
    const tallies =
      'measure' in figure ? this.#tallies.rows(figure.measure, 'now', stackSlice(dim)) : new Map<string, CaseTally>()
    const valuesOf = (id: string) => buckets.map((_bucket, index) => tallies.get(`${index} ${id}`)?.n ?? 0)
    const unsetValues = valuesOf('')
    return {
      dim,
      metric,
      intervals: buckets.map(({ from: t, partial, isAhead: isFuture }) => ({ t, partial, no_data: isFuture })),
      rows: rows.map(({ id, name }, index) => ({ id, name, values: valuesOf(ids[index] ?? '') })),
      not_set: unsetValues.some((value) => value > 0) ? unsetValues : null,
    }
  }

  matrices(): ReportMatrix[] {
    return (this.#report.matrices ?? []).map(({ dim, metric }) => {
      const figure = figureOf(this.#source, metric)
      const tallies =
        'measure' in figure ? this.#tallies.rows(figure.measure, 'now', dim) : new Map<string, CaseTally>()
      return {
        dim,
        metric,
        rows: [...tallies]
          .flatMap(([id, { n }]) => {
            const [weekday, hour] = (id ?? '').split(' ').map(Number)
            return weekday && hour !== undefined ? [{ weekday, hour, value: n }] : []
          })
          .toSorted((left, right) => left.weekday - right.weekday || left.hour - right.hour),
      }
    })
  }
}
