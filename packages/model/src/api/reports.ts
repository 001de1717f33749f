/**
 * The reports of the statistics: figures, charts, tables and filters, for the server, the OpenAPI document
 * and the panel.
 */
import type { RoleType } from '../access/access.ts'
import { type Locale, locales } from '../locales.ts'
import type { ResourceName } from '../resources/index.ts'

/** The units of figures. A ratio is a number per thousand. */
export const reportUnits = ['count', 'percent', 'minutes', 'hours', 'days', 'rating', 'ratio'] as const
export type ReportUnit = (typeof reportUnits)[number]

export const reportIntervals = ['day', 'week', 'month'] as const
export type ReportInterval = (typeof reportIntervals)[number]

export const reportComparisons = ['previous', 'weekday', 'year', 'none'] as const
export type ReportComparison = (typeof reportComparisons)[number]

/** Periods relative to the present day in the report zone. */
export const reportPeriods = ['today', 'days7', 'days28', 'days90', 'month', 'last_month', 'quarter', 'year'] as const
export type ReportPeriod = (typeof reportPeriods)[number]

/**
 * Hours in which the times of replies are counted: all hours, or the working hours of the desk, in which its
 * targets are.
 */
export const reportHours = ['working', 'wall'] as const
export type ReportHours = (typeof reportHours)[number]

/** Columns of the records behind a figure, after the name of the record, in their usual order. */
export const recordColumns = ['at', 'id', 'value', 'person', 'resource'] as const
export type RecordColumn = (typeof recordColumns)[number]

/** The default period of a report. */
export const defaultPeriod: ReportPeriod = 'days28'

export const reportFilters = ['region', 'district', 'category', 'type', 'consultant', 'locale'] as const
export type ReportFilter = (typeof reportFilters)[number]

/** Values of a report's filters: ids of records, and for `locale` the code of a language. */
export type ReportFilterValues = { [F in ReportFilter]?: (F extends 'locale' ? Locale : number) | undefined }

/** Kinds of a figure's change: in per cent, in percentage points, from zero, on too few cases, or none. */
export const changeKinds = ['percent', 'points', 'new', 'few', 'none'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Cases below which a figure of a report is not conclusive (statistics §5). */
export const minConclusiveCases = 5

/** The longest period of a report, in years. */
export const maxReportYears = 5

/** First id of a saved report; smaller ids are those of the reports themselves. */
export const firstSavedReport = 1_000
/** Maximum number of a person's saved reports. */
export const maxSavedReports = 100
/** Maximum number of characters of a saved report's title. */
export const maxSavedTitle = 120
/** Roles that a saved report can be shared with; of the users, only consultants open reports. */
export const reportSharedRoles = ['authenticated', 'admin', 'super-admin', 'owner'] as const satisfies RoleType[]
export type ReportSharedRole = (typeof reportSharedRoles)[number]

interface MetricDeclaration {
  unit: ReportUnit
  /** Marks a figure that has only its present value, without a comparison. */
  now?: true
  /** Marks a figure that counts the level at the end of an interval, not the events in it. */
  level?: true
  /** Marks a figure that counts a case once in the whole period, so that it has no line over the period. */
  whole?: true
  /** Marks a figure without records: it counts cells of the price grid or days of the market. */
  unlisted?: true
}

export interface BreakdownDeclaration {
  dim: string
  /** Figure that the rows of a report's table add up to; several with one `dim` are columns of one table. */
  metric: string
  /** Source of the rows in a report's table: a resource, or codes in order. */
  rows: ResourceName | readonly string[]
  /** Filter that a report must have to show the table, which has too many rows without that filter. */
  within?: ReportFilter
  /** Marks rows that are ordered by the size of their value, whether it is above or below zero. */
  sortedBySize?: true
}

/** Figures, charts and tables of one subject. */
export interface ReportSection {
  metrics: Readonly<Record<string, MetricDeclaration>>
  /** Keys of the figures in the report's chart. */
  series: readonly string[]
  breakdowns: readonly BreakdownDeclaration[]
  /** Tables of the report that are also drawn over time, as stacked bars. */
  stacks?: readonly Pick<BreakdownDeclaration, 'dim' | 'metric'>[]
}

export interface ReportDeclaration extends ReportSection {
  /** Whether the report has times of replies, which are counted in working hours or in all hours. */
  hours?: true
  /** Resources whose changes can change the report's figures. */
  sources: readonly ResourceName[]
  /** Sources of the report's filters: a resource, or codes in order. */
  filters: Readonly<Partial<Record<ReportFilter, ResourceName | readonly string[]>>>
  /** Second subject of the report, which its screen shows below the first one with a heading. */
  section?: ReportSection
  /** Figures of the report by hour and weekday. */
  matrices?: readonly MatrixDeclaration[]
}

export interface MatrixDeclaration {
  dim: 'hour_weekday'
  metric: string
}

const count = { unit: 'count' } as const
const percent = { unit: 'percent' } as const
const minutes = { unit: 'minutes' } as const
const countNow = { unit: 'count', now: true } as const
const level = { unit: 'count', level: true } as const
const percentNow = { unit: 'percent', now: true } as const
const unlistedPercent = { unit: 'percent', unlisted: true } as const
const unlistedPercentNow = { unit: 'percent', now: true, unlisted: true } as const

/** The two desks where customers ask. */
const desks = ['consultation', 'chat'] as const
/** Filters of the reports of the two desks. */
const deskFilters = {
  region: 'regions',
  district: 'districts',
  category: 'consultationcategories',
  consultant: 'users',
  locale: locales,
} as const
/** The records of the two desks. */
const deskRecords = ['consultations', 'chatrooms'] as const

/** Content whose states and translations are counted. */
export const reportedContent = [
  'news',
  'pages',
  'about',
  'sliders',
  'faqs',
  'additionalinfos',
  'attachments',
  'partners',
  'branches',
  'companies',
  'courses',
  'lessons',
  'serviceposts',
  'tools',
] as const

/** Content whose items readers of the app open one by one; their openings are counted. */
export const openedContent = [
  'news',
  'pages',
  'companies',
  'courses',
  'lessons',
  'serviceposts',
  'tools',
] as const satisfies (typeof reportedContent)[number][]
export type OpenedContent = (typeof openedContent)[number]

const declaredReports = {
  overview: {
    sources: [...deskRecords, 'pricedates', 'pricelists', 'tradinposts', ...reportedContent],
    filters: { region: 'regions', district: 'districts' },
    metrics: {
      waiting: countNow,
      oldest_wait: { unit: 'minutes', now: true },
      asked: count,
      finished: count,
      within_target: percent,
      coverage: unlistedPercent,
      on_hold: countNow,
      stale_translations: countNow,
      learners_active: countNow,
    },
    series: ['asked', 'finished'],
    breakdowns: [
      { dim: 'region', metric: 'asked', rows: 'regions' },
      { dim: 'desk', metric: 'waiting', rows: desks },
    ],
  },
  consultations: {
    sources: deskRecords,
    hours: true,
    filters: deskFilters,
    metrics: {
      asked: count,
      answered: count,
      finished: count,
      reopened: count,
      backlog: level,
      reply_median: minutes,
      reply_p90: minutes,
      next_median: minutes,
      next_p90: minutes,
      within_target: percent,
      made_public: count,
    },
    series: ['asked', 'backlog'],
    breakdowns: [
      { dim: 'desk', metric: 'asked', rows: desks },
      { dim: 'desk', metric: 'answered', rows: desks },
      { dim: 'desk', metric: 'backlog', rows: desks },
      { dim: 'desk', metric: 'reply_median', rows: desks },
      { dim: 'desk', metric: 'within_target', rows: desks },
      { dim: 'desk', metric: 'made_public', rows: desks },
      { dim: 'category', metric: 'asked', rows: 'consultationcategories' },
      { dim: 'category', metric: 'made_public', rows: 'consultationcategories' },
      { dim: 'region', metric: 'asked', rows: 'regions' },
      { dim: 'language', metric: 'asked', rows: locales },
      { dim: 'age', metric: 'backlog', rows: ['hours4', 'day1', 'days3', 'older'] },
    ],
    stacks: [{ dim: 'category', metric: 'asked' }],
    matrices: [{ dim: 'hour_weekday', metric: 'asked' }],
  },
  consultants: {
    sources: deskRecords,
    hours: true,
    filters: deskFilters,
    metrics: {
      asked: count,
      answered: count,
      open_now: countNow,
      reply_median: minutes,
      next_median: minutes,
      within_target: percent,
      rating: { unit: 'rating' },
      handovers_out: count,
      handovers_in: count,
      online_hours: { unit: 'hours' },
    },
    series: ['answered'],
    breakdowns: [
      { dim: 'consultant', metric: 'asked', rows: 'users' },
      { dim: 'consultant', metric: 'answered', rows: 'users' },
      { dim: 'consultant', metric: 'open_now', rows: 'users' },
      { dim: 'consultant', metric: 'reply_median', rows: 'users' },
      { dim: 'consultant', metric: 'within_target', rows: 'users' },
      { dim: 'consultant', metric: 'rating', rows: 'users' },
      { dim: 'consultant', metric: 'handovers_out', rows: 'users' },
      { dim: 'consultant', metric: 'handovers_in', rows: 'users' },
      { dim: 'consultant', metric: 'online_hours', rows: 'users' },
      { dim: 'desk', metric: 'answered', rows: desks },
      { dim: 'desk', metric: 'open_now', rows: desks },
    ],
  },
  content: {
    sources: reportedContent,
    filters: { locale: locales },
    metrics: {
      published: countNow,
      drafts: countNow,
      changed: count,
      untouched: { unit: 'days', now: true },
      translated: percentNow,
      translations_current: countNow,
      translations_outdated: countNow,
      translations_missing: countNow,
    },
    series: ['changed'],
    breakdowns: [
      { dim: 'locale', metric: 'translated', rows: locales },
      { dim: 'locale', metric: 'translations_current', rows: locales },
      { dim: 'locale', metric: 'translations_outdated', rows: locales },
      { dim: 'locale', metric: 'translations_missing', rows: locales },
      { dim: 'resource', metric: 'published', rows: reportedContent },
      { dim: 'resource', metric: 'drafts', rows: reportedContent },
      { dim: 'freshness', metric: 'published', rows: ['fresh', 'ageing', 'old'] },
    ],
    section: {
      metrics: { opens: count, never_opened: countNow, opens_news: count, opens_courses: count },
      series: ['opens'],
      breakdowns: [
        { dim: 'opened', metric: 'opens', rows: openedContent },
        { dim: 'opened', metric: 'never_opened', rows: openedContent },
        { dim: 'news', metric: 'opens_news', rows: 'news' },
        { dim: 'course', metric: 'opens_courses', rows: 'courses' },
      ],
    },
  },
  prices: {
    sources: ['pricedates', 'pricelists', 'products'],
    filters: { region: 'regions', district: 'districts', category: 'productcategories' },
    metrics: {
      coverage: unlistedPercent,
      cells: { unit: 'count', unlisted: true },
      carried: unlistedPercent,
      late: unlistedPercent,
      market_days: { unit: 'count', unlisted: true },
      to_check: { unit: 'count', now: true, unlisted: true },
      corrected: { unit: 'count', unlisted: true },
      since_price: { unit: 'days', now: true, unlisted: true },
    },
    series: ['coverage', 'cells'],
    breakdowns: [
      { dim: 'region', metric: 'cells', rows: 'regions' },
      { dim: 'region', metric: 'coverage', rows: 'regions' },
      { dim: 'region', metric: 'since_price', rows: 'regions' },
      { dim: 'district', metric: 'cells', rows: 'districts', within: 'region' },
      { dim: 'district', metric: 'coverage', rows: 'districts', within: 'region' },
      { dim: 'category', metric: 'cells', rows: 'productcategories' },
      { dim: 'category', metric: 'coverage', rows: 'productcategories' },
      { dim: 'category', metric: 'since_price', rows: 'productcategories' },
    ],
    section: {
      metrics: {
        moved1: unlistedPercentNow,
        moved7: unlistedPercentNow,
        moved30: unlistedPercentNow,
        moved365: unlistedPercentNow,
        spread: unlistedPercentNow,
      },
      series: [],
      breakdowns: [
        { dim: 'product', metric: 'moved7', rows: 'products', sortedBySize: true },
        { dim: 'product', metric: 'moved1', rows: 'products', sortedBySize: true },
        { dim: 'product', metric: 'moved30', rows: 'products', sortedBySize: true },
        { dim: 'product', metric: 'moved365', rows: 'products', sortedBySize: true },
        { dim: 'product', metric: 'spread', rows: 'products' },
      ],
    },
  },
  trading: {
    sources: ['tradinposts'],
    filters: {
      region: 'regions',
      district: 'districts',
      category: 'tradingpostcategories',
      type: 'tradingposttypes',
    },
    metrics: {
      posts: count,
      renewed: count,
      on_hold: countNow,
      processed: countNow,
      needs_changes: countNow,
      rejected: countNow,
      expiring: countNow,
    },
    series: ['posts'],
    breakdowns: [
      { dim: 'type', metric: 'posts', rows: 'tradingposttypes' },
      { dim: 'type', metric: 'renewed', rows: 'tradingposttypes' },
      { dim: 'category', metric: 'posts', rows: 'tradingpostcategories' },
      { dim: 'region', metric: 'posts', rows: 'regions' },
      { dim: 'delivery', metric: 'posts', rows: ['true', 'false'] },
    ],
    stacks: [{ dim: 'type', metric: 'posts' }],
    section: {
      metrics: { decided: count, decision_median: minutes, reasons: count, refused_again: count },
      series: ['decided'],
      breakdowns: [
        { dim: 'outcome', metric: 'decided', rows: ['processed', 'needs_changes', 'rejected'] },
        { dim: 'subject', metric: 'decided', rows: ['post', 'edit'] },
        { dim: 'reason', metric: 'reasons', rows: 'moderationreasons' },
      ],
      stacks: [{ dim: 'outcome', metric: 'decided' }],
    },
  },
  learning: {
    sources: ['courses', 'lessongroups', 'lessons'],
    filters: {
      region: 'regions',
      district: 'districts',
      category: 'coursecategories',
      type: 'coursetypes',
      locale: locales,
    },
    metrics: {
      courses: countNow,
      courses_published: countNow,
      courses_changed: countNow,
      lessons: countNow,
      lessons_added: count,
      lesson_minutes: { unit: 'minutes', now: true },
    },
    series: ['lessons_added'],
    breakdowns: [
      { dim: 'category', metric: 'courses', rows: 'coursecategories' },
      { dim: 'coursetype', metric: 'courses', rows: 'coursetypes' },
      { dim: 'course_state', metric: 'courses', rows: ['draft', 'published', 'archived'] },
    ],
    section: {
      metrics: {
        starts: count,
        learners_active: countNow,
        completions: count,
        finish_median: { unit: 'days' },
        lessons_started: count,
        lesson_finished: percent,
        watched: percent,
      },
      series: ['starts', 'completions'],
      breakdowns: [
        { dim: 'course', metric: 'starts', rows: 'courses' },
        { dim: 'course', metric: 'completions', rows: 'courses' },
        { dim: 'course', metric: 'finish_median', rows: 'courses' },
        { dim: 'lesson', metric: 'lessons_started', rows: 'lessons' },
        { dim: 'lesson', metric: 'lesson_finished', rows: 'lessons' },
        { dim: 'lesson', metric: 'watched', rows: 'lessons' },
        { dim: 'language', metric: 'starts', rows: locales },
        { dim: 'language', metric: 'completions', rows: locales },
        { dim: 'region', metric: 'starts', rows: 'regions' },
        { dim: 'region', metric: 'completions', rows: 'regions' },
      ],
      stacks: [{ dim: 'language', metric: 'starts' }],
    },
  },
  people: {
    sources: ['users', ...deskRecords],
    filters: { region: 'regions', district: 'districts', locale: locales },
    metrics: {
      joined: count,
      users: level,
      seen: { unit: 'count', whole: true },
      consultants: countNow,
      consultants_ratio: { unit: 'ratio', now: true },
      asked_ratio: { unit: 'ratio' },
    },
    series: ['joined', 'users'],
    breakdowns: [
      { dim: 'region', metric: 'users', rows: 'regions' },
      { dim: 'region', metric: 'joined', rows: 'regions' },
      { dim: 'region', metric: 'seen', rows: 'regions' },
      { dim: 'region', metric: 'asked_ratio', rows: 'regions' },
      { dim: 'district', metric: 'users', rows: 'districts', within: 'region' },
      { dim: 'language', metric: 'users', rows: locales },
      { dim: 'language', metric: 'joined', rows: locales },
    ],
    stacks: [{ dim: 'region', metric: 'joined' }],
  },
} as const satisfies Readonly<Record<string, ReportDeclaration>>

export type ReportKey = keyof typeof declaredReports

/** Event of the socket: reports whose figures may have changed, until a time. */
export interface ReportsChanged {
  keys: readonly ReportKey[]
  data_through: string
}

export const reports: Readonly<Record<ReportKey, ReportDeclaration>> = declaredReports

/** Codes of each filter that selects no records. */
export const filterCodes: Readonly<Partial<Record<ReportFilter, readonly string[]>>> = Object.fromEntries(
  Object.values(reports).flatMap(({ filters }) =>
    Object.entries(filters).filter(([, target]) => typeof target !== 'string'),
  ),
)

/**
 * Returns the sections of a report: the report itself, and its second subject when it has one.
 *
 * @example
 * sectionsOf(reports.people) // [reports.people]
 */
export const sectionsOf = (report: ReportDeclaration): readonly ReportSection[] =>
  report.section ? [report, report.section] : [report]

/**
 * Returns a report with the figures, charts and tables of its second section among those of its first.
 *
 * @example
 * Object.keys(wholeReport('trading').metrics) // ['posts', …, 'decided', …]
 */
export function wholeReport(key: ReportKey): ReportDeclaration {
  const { section, ...report } = reports[key]
  if (!section) return report
  return {
    ...report,
    metrics: { ...report.metrics, ...section.metrics },
    series: [...report.series, ...section.series],
    breakdowns: [...report.breakdowns, ...section.breakdowns],
    stacks: [...(report.stacks ?? []), ...(section.stacks ?? [])],
  }
}

/**
 * Returns the message keys of the heading of a report's second section.
 *
 * @example
 * secondSectionLabel('trading') // ['statistics.sections.trading']
 */
export const secondSectionLabel = (report: ReportKey): readonly string[] => [`statistics.sections.${report}`]

/** Keys of a report's figures, for code that must compute each figure. */
export type MetricOf<K extends ReportKey> = keyof (typeof declaredReports)[K]['metrics'] & string

/**
 * Tells whether a text is the key of a report.
 *
 * @example
 * isReportKey('consultations') // true
 */
export function isReportKey(key: string): key is ReportKey {
  return Object.hasOwn(declaredReports, key)
}

/**
 * Returns the message keys of a report figure's name.
 *
 * @example
 * metricLabel('people', 'seen') // ['statistics.metrics.people.seen', 'statistics.metrics.seen']
 */
export const metricLabel = (report: ReportKey, key: string): readonly string[] => [
  `statistics.metrics.${report}.${key}`,
  `statistics.metrics.${key}`,
]
/**
 * Returns the message keys of the text that explains how a report's figure is counted.
 *
 * @example
 * metricExplanation('people', 'seen') // ['statistics.how.people.seen', 'statistics.how.seen']
 */
export const metricExplanation = (report: ReportKey, key: string): readonly string[] => [
  `statistics.how.${report}.${key}`,
  `statistics.how.${key}`,
]
/**
 * Returns the message keys of a report table's name.
 *
 * @example
 * dimensionLabel('region') // ['statistics.dims.region']
 */
export const dimensionLabel = (dim: string): readonly string[] => [`statistics.dims.${dim}`]

/**
 * Returns the message keys of a coded row in a report's table. Kinds of content have the names of their
 * lists.
 *
 * @example
 * dimensionRowLabel('resource', 'news') // ['news.many']
 */
export const dimensionRowLabel = (dim: string, code: string): readonly string[] =>
  dim === 'resource' || dim === 'opened' ? [`${code}.many`] : [`statistics.rows.${dim}.${code}`, `${dim}.${code}`]
