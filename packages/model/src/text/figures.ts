/** Text for the figures of a report: values with their units, and their changes (statistics §5). */
import type { ReportMetric } from '../api/routes/statistics.ts'
import type { ReportInterval, ReportUnit } from '../api/reports.ts'
import { formatDay, formatDuration, formatNumber, formatPercent, type Translate } from './format.ts'
import type { WrittenLocale } from './script/scripts.ts'

const minutesOfDay = 1_440

/** Rounds a figure of a report to one decimal, and large numbers to none. */
const roundForDisplay = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10
const shortNumber = (locale: WrittenLocale, value: number): string => formatNumber(locale, roundForDisplay(value))

/**
 * Formats a figure with its unit: "12", "87.5%", "2 h 05 min", "36.5 h", "4.3 of 5"; a phrase where there is no figure.
 *
 * @example
 * figureText(t, 'en', 'percent', 87.5) // '87.5%'
 */
export function figureText(t: Translate, locale: WrittenLocale, unit: ReportUnit, value: number | null): string {
  if (value === null) return t('statistics.noValue')
  switch (unit) {
    case 'percent':
      return formatPercent(locale, roundForDisplay(value))
    case 'minutes':
      return formatDuration(t, value)
    // Hours of work are not put together into days.
    case 'hours':
      return t('statistics.hoursValue', { value: shortNumber(locale, value) })
    case 'days':
      return formatDuration(t, value * minutesOfDay)
    case 'rating':
      return t('statistics.ofFive', { value: shortNumber(locale, value) })
    default:
      return shortNumber(locale, value)
  }
}

/** The change of a figure as text, and its direction. */
export interface ChangeText {
  text: string
  direction: 'up' | 'down' | 'same' | 'unknown'
}

/**
 * Formats the change of a figure since the previous period.
 *
 * @example
 * changeText(t, 'en', metric).text // '20% more than 50', with a figure of 60
 */
export function changeText(t: Translate, locale: WrittenLocale, metric: ReportMetric): ChangeText {
  const { unit, change, change_kind: kind, previous } = metric
  const previousText = figureText(t, locale, unit, previous)
  if (kind === 'new') return { text: t('statistics.change.new'), direction: 'up' }
  if (kind === 'few') return { text: t('statistics.change.few', { previous: previousText }), direction: 'unknown' }
  if (change === null) return { text: t('statistics.change.none'), direction: 'unknown' }
  if (change === 0) return { text: t('statistics.change.same', { previous: previousText }), direction: 'same' }
  const size = Math.abs(change)
  const percentText =
    kind === 'points'
      ? t('statistics.points', { value: shortNumber(locale, size) })
      : formatPercent(locale, roundForDisplay(size))
  return change > 0
    ? { text: t('statistics.change.more', { change: percentText, previous: previousText }), direction: 'up' }
    : { text: t('statistics.change.less', { change: percentText, previous: previousText }), direction: 'down' }
}

/**
 * Formats an interval of a report by its first day: a month by its number and year.
 *
 * @example
 * intervalText('2026-03-01', 'month') // '03.2026'
 */
export function intervalText(day: string | null, interval: ReportInterval): string {
  const date = day === null ? '' : formatDay(day)
  return interval === 'month' ? date.slice(3) : date
}
