/**
 * Makes one neutral document from the answer of a report, which sheets, PDFs and pages show: their numbers
 * cannot differ (statistics §7).
 */
import {
  changeText,
  dimensionLabel,
  dimensionRowLabel,
  figureText,
  formatDay,
  formatMomentIn,
  formatNumber,
  formatPercent,
  intervalText,
  isLocale,
  localeNames,
  metricExplanation,
  metricLabel,
  padTwo,
  type ReportBreakdown,
  type ReportFigures,
  type ReportHours,
  type ReportKey,
  type ReportMeta,
  type ReportMetric,
  type ReportPart,
  type ReportPoint,
  type ReportRow,
  type ReportShare,
  type ReportUnit,
  sharedOthers,
  type Translate,
  wholeReport,
  type WrittenLocale,
} from '@dala/model'
import { firstLabel, hasLabel, translatorOf } from '../../resources/labels.ts'

type DocumentUnit = ReportUnit | 'points'

/** Cell of a document's table: a text, a day, or a number, the latter with the text that readers see. */
export type DocumentCell =
  | null
  | { text: string }
  | { day: string; shown: string }
  | { value: number; unit: DocumentUnit; shown: string }

interface DocumentColumn {
  title: string
  /** Whether the column has names or remarks, which take more space than numbers. */
  isText: boolean
  /** Unit of all numbers in the document's column, for files whose numbers have no unit. */
  unit?: DocumentUnit
  /** Whether the column is only for files whose numbers have no unit. */
  isForSheets?: true
}

export interface DocumentChart {
  points: readonly ReportPoint[]
  unit: ReportUnit
  variant: 'bars' | 'line'
  isCompared: boolean
  /** Text of a value at the axis of the chart. */
  valueText: (value: number) => string
  dayText: (day: string) => string
}

export interface DocumentTable {
  part: ReportPart
  title: string
  columns: readonly DocumentColumn[]
  rows: readonly { cells: readonly DocumentCell[]; isTotal?: true }[]
  chart?: DocumentChart
}

export interface ReportDocument {
  locale: WrittenLocale
  title: string
  /** Circumstances of the report, each with its name. */
  lines: readonly { name: string; text: string }[]
  /** Days of the report, for the head of each page. */
  period: string
  filters: string
  zone: string
  /** Time and author of the report, for the foot of each page. */
  authorLine: string
  tables: readonly DocumentTable[]
}

/** The computed figures of a report. */
export interface ReportContents {
  figures: ReportFigures
  meta: ReportMeta
}

/** The circumstances of a document that the figures of the report do not contain. */
export interface DocumentContext {
  key: ReportKey
  title: string
  /** Names of the filters and of the records chosen in them. */
  filters: readonly { name: string; text: string }[]
  /** Hours in which a report with times of replies counts them. */
  hours?: ReportHours
  /** Name of the person who makes the document; null where it is not named. */
  by: string | null
  locale: WrittenLocale
  parts: readonly ReportPart[]
  /** Keys of the figures whose values are left out because they have too few cases. */
  few?: readonly string[]
}

/** Settings of a report that have lines of their own in the document. */
const ownLines: ReadonlySet<string> = new Set(['from', 'to', 'compare_from', 'compare_to', 'compare', 'tz'])

/** Maximum number of columns of a table over time, as on the page: rows beyond them share a column. */
const maxStackColumns = 6
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
const hours = Array.from({ length: 24 }, (_, hour) => hour)

class DocumentMaker {
  readonly #contents: ReportContents
  readonly #context: DocumentContext
  readonly #t: Translate

  constructor(contents: ReportContents, context: DocumentContext) {
    this.#contents = contents
    this.#context = context
    this.#t = translatorOf(context.locale)
  }

  document(): ReportDocument {
    const { meta } = this.#contents
    const { locale, title, filters, hours, by, parts } = this.#context
    const t = this.#t
    const period = `${formatDay(meta.from)}–${formatDay(meta.to)}`
    const zoneKey = `statistics.files.zones.${meta.tz}`
    const zone = hasLabel(zoneKey) ? t(zoneKey) : meta.tz
    const creationText = formatMomentIn(meta.generated_at, meta.tz)
    const filtersText =
      filters.map(({ name, text }) => `${name}: ${text}`).join(' · ') || t('statistics.files.noFilters')
    const tables: Readonly<Record<ReportPart, () => readonly DocumentTable[]>> = {
      figures: () => [this.#metrics()],
      series: () => [...this.#series(), ...this.#stacks(), ...this.#matrices()],
      breakdowns: () => this.#breakdowns(),
      definitions: () => [this.#definitions()],
    }
    return {
      locale,
      title,
      lines: [
        { name: t('statistics.period'), text: period },
        { name: t('statistics.compare'), text: this.#comparison() },
        ...this.#settings(),
        ...(hours === undefined ? [] : [{ name: t('statistics.hours'), text: t(`statistics.hoursOf.${hours}`) }]),
        { name: t('list.filters'), text: filtersText },
        { name: t('statistics.files.zone'), text: zone },
        { name: t('statistics.files.made'), text: creationText },
        ...(by === null ? [] : [{ name: t('statistics.files.by'), text: by }]),
      ],
      period,
      filters: `${t('list.filters')}: ${filtersText}`,
      zone: `${t('statistics.files.zone')}: ${zone}`,
      authorLine: [creationText, by ?? ''].filter(Boolean).join(' · '),
      tables: (Object.keys(tables) as ReportPart[])
        .filter((partName) => parts.includes(partName))
        .flatMap((partName) => tables[partName]()),
    }
  }

  get #isCompared(): boolean {
    return this.#contents.meta.compare !== 'none'
  }

  #comparison(): string {
    const { compare_from: from, compare_to: to, compare } = this.#contents.meta
    if (from === null || to === null) return this.#t(`statistics.compares.${compare}`)
    return `${formatDay(from)}–${formatDay(to)}`
  }

  /** Further settings of the report that the catalogues name: the interval, and others that a report has. */
  #settings(): { name: string; text: string }[] {
    return Object.entries(this.#contents.meta).flatMap(([key, value]) => {
      const names = [`statistics.${key}s.${value}`, `statistics.${key}.${value}`]
      if (ownLines.has(key) || !hasLabel(`statistics.${key}`) || !names.some(hasLabel)) return []
      const { locale } = this.#context
      return [{ name: firstLabel(locale, [`statistics.${key}`]), text: firstLabel(locale, names) }]
    })
  }

  #name(metric: string): string {
    return firstLabel(this.#context.locale, metricLabel(this.#context.key, metric))
  }

  #unit(metric: string): ReportUnit {
    return wholeReport(this.#context.key).metrics[metric]?.unit ?? 'count'
  }

  #cell(unit: ReportUnit, value: number | null | undefined): DocumentCell {
    if (value === null || value === undefined) return null
    return { value, unit, shown: figureText(this.#t, this.#context.locale, unit, value) }
  }

  #numbers(title: string, unit?: DocumentUnit): DocumentColumn {
    return { title, isText: false, ...(unit && { unit }) }
  }

  #metrics(): DocumentTable {
    const t = this.#t
    const { locale, key } = this.#context
    const changes = this.#isCompared
    return {
      part: 'figures',
      title: t('statistics.figures'),
      columns: [
        { title: t('statistics.files.figure'), isText: true },
        this.#numbers(t('statistics.files.value')),
        { title: t('statistics.files.unit'), isText: true, isForSheets: true },
        ...(changes
          ? [this.#numbers(t('statistics.legend.previous')), this.#numbers(t('statistics.files.change'))]
          : []),
        this.#numbers(t('statistics.files.cases')),
        { title: t('statistics.files.note'), isText: true },
      ],
      rows: this.#contents.figures.metrics.map((metric) => {
        const { key: name, unit, value, previous, n, partial } = metric
        const isCurrentOnly = wholeReport(key).metrics[name]?.now === true
        const note = isCurrentOnly ? t('statistics.now') : partial ? t('statistics.legend.partial') : ''
        const cases = unit === 'count' || value === null ? null : { value: n, unit: 'count' as const }
        return {
          cells: [
            { text: this.#name(name) },
            this.#cell(unit, value) ?? {
              text: t(this.#context.few?.includes(name) ? 'statistics.shares.few' : 'statistics.noValue'),
            },
            { text: unitText(t, unit) },
            ...(changes ? [this.#cell(unit, previous), isCurrentOnly ? null : this.#change(metric)] : []),
            cases && { ...cases, shown: formatNumber(locale, n) },
            { text: note },
          ],
        }
      }),
    }
  }

  #change(metric: ReportMetric): DocumentCell {
    const { change, change_kind: kind } = metric
    const { locale } = this.#context
    if (change === null || (kind !== 'percent' && kind !== 'points'))
      return { text: changeText(this.#t, locale, metric).text }
    const size = Math.round(Math.abs(change) * 10) / 10
    const sign = size === 0 ? '' : change > 0 ? '+' : '−'
    return kind === 'percent'
      ? { value: change, unit: 'percent', shown: sign + formatPercent(locale, size) }
      : {
          value: change,
          unit: 'points',
          shown: sign + this.#t('statistics.points', { value: formatNumber(locale, size) }),
        }
  }

  #series(): DocumentTable[] {
    const t = this.#t
    const { locale, key } = this.#context
    const { figures, meta } = this.#contents
    return figures.series.map(({ key: metric, points }) => {
      const unit = this.#unit(metric)
      const dayCell = (day: string | null): DocumentCell =>
        day === null ? null : { day, shown: intervalText(day, meta.interval) }
      return {
        part: 'series' as const,
        title: this.#name(metric),
        columns: [
          this.#numbers(t('statistics.period')),
          this.#numbers(t('statistics.legend.value'), unit),
          ...(this.#isCompared
            ? [
                this.#numbers(t('statistics.legend.previous'), unit),
                this.#numbers(t('statistics.files.earlierInterval')),
              ]
            : []),
          { title: t('statistics.files.note'), isText: true },
        ],
        rows: points.map((point) => ({
          cells: [
            dayCell(point.t),
            this.#cell(unit, point.value),
            ...(this.#isCompared ? [this.#cell(unit, point.previous), dayCell(point.previous_t)] : []),
            point.partial ? { text: t('statistics.legend.partial') } : null,
          ],
        })),
        chart: {
          points,
          unit,
          variant: unit === 'count' && !wholeReport(key).metrics[metric]?.level ? ('bars' as const) : ('line' as const),
          isCompared: this.#isCompared,
          valueText: (value: number) => figureText(t, locale, unit, value),
          dayText: (day: string) => intervalText(day, meta.interval),
        },
      }
    })
  }

  /** Tables of a dimension over time: a row for each interval, with columns for the largest rows. */
  #stacks(): DocumentTable[] {
    const t = this.#t
    const { figures, meta } = this.#contents
    const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
    return figures.stacks.map(({ dim, metric, intervals, rows, not_set: notSet }) => {
      const unit = this.#unit(metric)
      const filledRows = rows
        .filter(({ values }) => sumOf(values) > 0)
        .toSorted((left, right) => sumOf(right.values) - sumOf(left.values))
      const room = maxStackColumns - (notSet ? 1 : 0)
      const shownRows = filledRows.slice(0, filledRows.length > room ? room - 1 : room)
      const mergedRows = filledRows.slice(shownRows.length)
      const columns = [
        ...shownRows.map((row) => ({
          title: this.#rowName(dim, row),
          valueOf: (index: number) => row.values[index] ?? 0,
        })),
        ...(mergedRows.length > 0
          ? [
              {
                title: t('statistics.otherRows'),
                valueOf: (index: number) => sumOf(mergedRows.map(({ values }) => values[index] ?? 0)),
              },
            ]
          : []),
        ...(notSet ? [{ title: t('statistics.notSet'), valueOf: (index: number) => notSet[index] ?? 0 }] : []),
      ]
      return {
        part: 'series' as const,
        title: this.#tableName(metric, dim),
        columns: [
          this.#numbers(t('statistics.period')),
          ...columns.map(({ title }) => this.#numbers(title, unit)),
          { title: t('statistics.files.note'), isText: true },
        ],
        rows: intervals.map(({ t: day, partial, no_data: isAhead }, index) => ({
          cells: [
            { day, shown: intervalText(day, meta.interval) },
            ...columns.map(({ valueOf }) => (isAhead ? null : this.#cell(unit, valueOf(index)))),
            partial ? { text: t('statistics.legend.partial') } : null,
          ],
        })),
      }
    })
  }

  /** Tables of a figure by hour and weekday. */
  #matrices(): DocumentTable[] {
    const t = this.#t
    return this.#contents.figures.matrices.map(({ dim, metric, rows }) => ({
      part: 'series' as const,
      title: this.#tableName(metric, dim),
      columns: [
        { title: t('field.time'), isText: true },
        ...weekdays.map((day) => this.#numbers(t(`date.weekday.${day}`), this.#unit(metric))),
      ],
      rows: hours.map((hour) => ({
        cells: [
          { text: `${padTwo(hour)}:00–${padTwo((hour + 1) % 24)}:00` },
          ...weekdays.map((day) =>
            this.#cell(
              this.#unit(metric),
              rows.find((hourRow) => hourRow.hour === hour && hourRow.weekday === day)?.value ?? 0,
            ),
          ),
        ],
      })),
    }))
  }

  #tableName(metric: string, dim: string): string {
    const { locale } = this.#context
    return this.#t('statistics.tableName', { name: this.#name(metric), dim: firstLabel(locale, dimensionLabel(dim)) })
  }

  #breakdowns(): DocumentTable[] {
    const { breakdowns } = this.#contents.figures
    return [...new Set(breakdowns.map(({ dim }) => dim))].map((dim) =>
      this.#breakdown(
        dim,
        breakdowns.filter((breakdown) => breakdown.dim === dim),
      ),
    )
  }

  /** Table of a dimension: its rows, those without a value of the dimension, the total, and the team's median. */
  #breakdown(dim: string, columns: readonly ReportBreakdown[]): DocumentTable {
    const t = this.#t
    const { metrics } = this.#contents.figures
    const rows = new Map<ReportRow['id'], ReportRow>()
    for (const column of columns) for (const row of column.rows) if (!rows.has(row.id)) rows.set(row.id, row)
    const [firstColumn] = columns
    const hasEarlierValues =
      this.#isCompared && columns.length === 1 && [...rows.values()].some(({ previous }) => previous !== null)
    const hasNotSet = columns.some(({ not_set: share }) => share !== null)
    const shares = (name: string, shareOf: (column: ReportBreakdown) => ReportShare | null) => ({
      cells: [
        { text: name },
        ...columns.map((column) => {
          const [unit, share] = [this.#unit(column.metric), shareOf(column)]
          return this.#cell(unit, share === null && unit === 'count' ? 0 : share?.value)
        }),
        ...(hasEarlierValues && firstColumn
          ? [this.#cell(this.#unit(firstColumn.metric), shareOf(firstColumn)?.previous)]
          : []),
      ],
    })
    const sums = (
      name: string,
      valueOf: (column: ReportBreakdown) => number | null | undefined,
      hasPrevious = true,
    ) => ({
      isTotal: true as const,
      cells: [
        { text: name },
        ...columns.map((column) => this.#cell(this.#unit(column.metric), valueOf(column))),
        ...(hasEarlierValues && firstColumn
          ? [hasPrevious ? this.#cell(this.#unit(firstColumn.metric), metricOf(firstColumn.metric)?.previous) : null]
          : []),
      ],
    })
    const metricOf = (metric: string) => metrics.find(({ key }) => key === metric)
    const title = firstLabel(this.#context.locale, dimensionLabel(dim))
    return {
      part: 'breakdowns',
      title,
      columns: [
        { title, isText: true },
        ...columns.map(({ metric }) => this.#numbers(this.#name(metric), this.#unit(metric))),
        ...(hasEarlierValues && firstColumn
          ? [this.#numbers(t('statistics.legend.previous'), this.#unit(firstColumn.metric))]
          : []),
      ],
      rows: [
        ...[...rows.values()].map((row) =>
          shares(this.#rowName(dim, row), (column) => column.rows.find(({ id }) => id === row.id) ?? null),
        ),
        ...(hasNotSet ? [shares(t('statistics.notSet'), (column) => column.not_set)] : []),
        ...(rows.size > 1 || hasNotSet ? [sums(t('list.total'), ({ metric }) => metricOf(metric)?.value)] : []),
        ...(columns.some(({ team }) => team !== null)
          ? [sums(t('statistics.teamMedian'), ({ team }) => team, false)]
          : []),
      ],
    }
  }

  #rowName(dim: string, { id, name }: Pick<ReportRow, 'id' | 'name'>): string {
    if (id === sharedOthers) return this.#t('statistics.shares.others')
    if (typeof id === 'number') return name ?? this.#t('statistics.removedPerson')
    return isLocale(id) ? localeNames[id] : firstLabel(this.#context.locale, dimensionRowLabel(dim, id))
  }

  #definitions(): DocumentTable {
    const t = this.#t
    const { key, locale } = this.#context
    return {
      part: 'definitions',
      title: t('statistics.files.definitions'),
      columns: [
        { title: t('statistics.files.figure'), isText: true },
        { title: t('statistics.files.definitions'), isText: true },
      ],
      rows: this.#contents.figures.metrics.map((metric) => ({
        cells: [{ text: this.#name(metric.key) }, { text: firstLabel(locale, metricExplanation(key, metric.key)) }],
      })),
    }
  }
}

/** Text of a unit in the heading or the column of a sheet; empty for a plain number. */
export function unitText(t: Translate, unit: DocumentUnit): string {
  if (unit === 'count') return ''
  return unit === 'percent' ? '%' : t(`statistics.files.units.${unit}`)
}

/**
 * Makes the document of a report.
 *
 * @param contents - The figures of the report and their circumstances, as its route answers them.
 * @param context - The language, the title, the filters by name, and the parts of the document.
 */
export const reportDocument = (contents: ReportContents, context: DocumentContext): ReportDocument =>
  new DocumentMaker(contents, context).document()
