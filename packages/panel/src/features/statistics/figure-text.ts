/** Text for the figures of a report: values with their units, and their changes (statistics §5). */
import type { Locale, ReportMetric, ReportUnit } from '@dala/model'
import { formatDuration, formatNumber, formatPercent, type Translate } from '../../lib/format.ts'

const minutesOfDay = 1_440

/** Rounds a figure of a report to one decimal, and large numbers to none. */
const roundForDisplay = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10
const shortNumber = (locale: Locale, value: number): string => formatNumber(locale, roundForDisplay(value))

/** Text of a figure: "12", "87.5%", "2 h 05 min", "4.3 of 5"; a phrase where there is no figure. */
export function figureText(t: Translate, locale: Locale, unit: ReportUnit, value: number | null): string {
  if (value === null) return t('statistics.noValue')
  switch (unit) {
    case 'percent':
      return formatPercent(locale, roundForDisplay(value))
    case 'minutes':
      return formatDuration(t, value)
    case 'days':
      return formatDuration(t, value * minutesOfDay)
    case 'rating':
      return t('statistics.ofFive', { value: shortNumber(locale, value) })
    default:
      return shortNumber(locale, value)
  }
}

export interface ChangeText {
  text: string
  direction: 'up' | 'down' | 'same' | 'unknown'
}

/** Text for the change of a figure since the previous period. */
export function changeText(t: Translate, locale: Locale, metric: ReportMetric): ChangeText {
  const { unit, change, change_kind: kind, previous } = metric
  const before = figureText(t, locale, unit, previous)
  if (kind === 'new') return { text: t('statistics.change.new'), direction: 'up' }
  if (kind === 'few') return { text: t('statistics.change.few', { previous: before }), direction: 'unknown' }
  if (change === null) return { text: t('statistics.change.none'), direction: 'unknown' }
  if (change === 0) return { text: t('statistics.change.same', { previous: before }), direction: 'same' }
  const size = Math.abs(change)
  const percentText =
    kind === 'points'
      ? t('statistics.points', { value: shortNumber(locale, size) })
      : formatPercent(locale, roundForDisplay(size))
  return change > 0
    ? { text: t('statistics.change.more', { change: percentText, previous: before }), direction: 'up' }
    : { text: t('statistics.change.less', { change: percentText, previous: before }), direction: 'down' }
}
