/**
 * Converts numbers, shares, durations and days to text, the same in the panel and in the files of the server.
 * Runtimes do not know kaa, and disagree about uz, so nothing here calls `Intl`.
 */
import type { MessageId } from '../labels/labels.ts'
import type { Locale } from '../locales.ts'
import { localeOf, type WrittenLocale } from './script/scripts.ts'
import { zoneOffset } from '../time/zone-offset.ts'

/** The translate function of a language, passed in so that formats need no catalogue. */
export type Translate = (id: MessageId, values?: Readonly<Record<string, string | number>>) => string

const noBreakSpace = '\u00A0'
const separators: Readonly<Record<Locale, { group: string; decimal: string }>> = {
  en: { group: ',', decimal: '.' },
  ru: { group: noBreakSpace, decimal: ',' },
  uz: { group: noBreakSpace, decimal: ',' },
  kaa: { group: noBreakSpace, decimal: ',' },
}

/**
 * Formats a number with the separators of a language; with `decimals` the fraction is rounded and padded to
 * that many digits.
 *
 * @example
 * formatNumber('en', 1904) // '1,904'
 */
export function formatNumber(locale: WrittenLocale, value: number, decimals?: number): string {
  if (!Number.isFinite(value)) return ''
  const { group, decimal } = separators[localeOf(locale)]
  const digits = decimals === undefined ? String(value) : value.toFixed(decimals)
  if (digits.includes('e')) return digits
  const [integerPart = '', fraction] = digits.replace('-', '').split('.')
  const groupedDigits = integerPart.replace(/\B(?=(\d{3})+$)/g, group)
  const sign = value < 0 && /[1-9]/.test(digits) ? '−' : ''
  return sign + groupedDigits + (fraction ? decimal + fraction : '')
}

/**
 * Formats a share, which has a space before its sign in all languages but English.
 *
 * @example
 * formatPercent('en', 12.5) // '12.5%'
 */
export function formatPercent(locale: WrittenLocale, value: number): string {
  return `${formatNumber(locale, value)}${locale === 'en' ? '' : noBreakSpace}%`
}

/**
 * Writes a number of at most two digits with a leading zero.
 *
 * @example
 * padTwo(5) // '05'
 */
export const padTwo = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats a calendar day; an empty text for anything else.
 *
 * @example
 * formatDay('2026-03-01') // '01.03.2026'
 */
export function formatDay(day: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  return parts ? `${parts[3]}.${parts[2]}.${parts[1]}` : ''
}

/**
 * Formats a moment as day and time in a zone; an empty text for an invalid moment.
 *
 * @throws `RangeError` for an unknown zone.
 * @example
 * formatMomentIn('2026-03-01T10:00:00.000Z', 'Asia/Tashkent') // '01.03.2026 15:00'
 */
export function formatMomentIn(value: string | Date, timeZone: string): string {
  const time = typeof value === 'string' ? Date.parse(value) : value.getTime()
  if (Number.isNaN(time)) return ''
  const localMoment = new Date(time + zoneOffset(timeZone)(time) * 60_000).toISOString()
  return `${formatDay(localMoment.slice(0, 10))} ${localMoment.slice(11, 16)}`
}

/**
 * Formats a duration in minutes; longer durations have coarser units.
 *
 * @example
 * formatDuration(t, 125) // '2 h 05 min', with the English translate function
 */
export function formatDuration(t: Translate, value: number): string {
  if (!Number.isFinite(value)) return ''
  const total = Math.max(0, Math.round(value))
  if (total < 60) return t('duration.minutes', { minutes: String(total) })
  const hours = Math.floor(total / 60)
  if (hours < 48) return t('duration.hours', { hours: String(hours), minutes: padTwo(total % 60) })
  const roundedMinutes = Math.round(value / 60)
  if (roundedMinutes >= 240) return t('unit.day', { count: Math.round(roundedMinutes / 24) })
  return t('duration.days', { days: String(Math.floor(roundedMinutes / 24)), hours: String(roundedMinutes % 24) })
}
