/**
 * Converts numbers, dates and lists to text. No other code may call `Intl` or `toLocale…`. Formats that files
 * of the server share are in the model.
 */
import { formatDay, formatMomentIn, formatNumber, type Locale, padTwo, type Translate } from '@dala/model'
import { compareByAlphabet } from './alphabets.ts'

export { formatDuration, formatNumber, formatPercent, type Translate } from '@dala/model'

/**
 * The language whose plural rule the runtime provides. Browsers do not know kaa and would use the language of
 * the operating system instead; kaa and uz distinguish one from other like English.
 */
export const pluralLanguage: Readonly<Record<Locale, 'en' | 'ru'>> = { en: 'en', ru: 'ru', uz: 'en', kaa: 'en' }

/** Parses a number as users of the four languages type it: "1 904,5" and "1,904.5" are the same. */
export function parseNumber(text: string): number | null {
  const compactText = text.replace(/[\s\u00A0\u202F']/g, '').replace('−', '-')
  const normalized = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(compactText)
    ? compactText.replaceAll(',', '')
    : compactText.replace(',', '.')
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(normalized) ? Number(normalized) : null
}

/** Text of a date, from a `date` field (`2026-03-01`) or a moment in the user's zone → `01.03.2026`. */
export function formatDate(value: string | Date | null | undefined): string {
  const day = typeof value === 'string' ? formatDay(value) : ''
  if (day) return day
  const moment = toMoment(value)
  return moment
    ? `${padTwo(moment.getDate())}.${padTwo(moment.getMonth() + 1)}.${String(moment.getFullYear()).padStart(4, '0')}`
    : ''
}

/** Text of a moment in the user's zone: `01.03.2026 15:00`. */
export function formatDateTime(value: string | Date | null | undefined): string {
  const moment = toMoment(value)
  return moment ? `${formatDate(moment)} ${formatTime(moment)}` : ''
}

/** Text of a moment in a given zone: `01.03.2026 15:00`. */
export function formatDateTimeIn(value: string | Date | null | undefined, timeZone: string): string {
  const moment = toMoment(value)
  return moment ? formatMomentIn(moment, timeZone) : ''
}

/** Text of a moment's time in the user's zone: `15:00`. */
export function formatTime(value: string | Date | null | undefined): string {
  const moment = toMoment(value)
  return moment ? `${padTwo(moment.getHours())}:${padTwo(moment.getMinutes())}` : ''
}

function toMoment(value: string | Date | null | undefined): Date | null {
  if (value === null || value === undefined || value === '') return null
  const moment = typeof value === 'string' ? new Date(value) : value
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** Parses a typed date: `1.3.2026` or `01.03.2026` → `2026-03-01`; null for a day that does not exist. */
export function parseDate(text: string): string | null {
  const parts = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text.trim())
  if (!parts) return null
  const [day, month, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`
}

/** Parses a typed time: `9`, `9:05`, `0905` or `9.05` → `09:05`; null for a time that does not exist. */
export function parseTime(text: string): string | null {
  const parts = /^(\d{1,2})(?:[:. ]?(\d{2}))?$/.exec(text.trim())
  if (!parts) return null
  const [hours, minutes] = [Number(parts[1]), Number(parts[2] ?? 0)]
  return hours < 24 && minutes < 60 ? `${padTwo(hours)}:${padTwo(minutes)}` : null
}

/** Day of a moment (`2026-03-01`) in the user's zone. */
export function dayOfMoment(value: string): string | null {
  const moment = toMoment(value)
  return moment ? dateToDay(moment) : null
}

/** Converts a day and a time in the user's zone to the moment in UTC; null when the day does not exist. */
export function toMomentText(day: string, time: string): string | null {
  const date = dayToDate(day)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  if (!date || dateToDay(date) !== day) return null
  date.setHours(hours, minutes)
  return date.toISOString()
}

/** Midnight of a calendar day in the user's zone, as a `Date` for calendars. */
export function dayToDate(day: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  return parts ? new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) : undefined
}
/** Calendar day of a moment (`Date`) in the user's zone. */
export function dateToDay(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
}

/** Text of a number of bytes: "12 KB", "3.4 MB", "1.9 GB". */
export function formatBytes(t: Translate, locale: Locale, value: number): string {
  if (value >= 1e9) return t('unit.gigabytes', { size: formatNumber(locale, value / 1e9, 1) })
  return value >= 1e6
    ? t('unit.megabytes', { size: formatNumber(locale, value / 1e6, 1) })
    : t('unit.kilobytes', { size: formatNumber(locale, Math.max(value > 0 ? 1 : 0, Math.round(value / 1000))) })
}

/** Text of a transfer rate: "120 KB/s". */
export function formatSpeed(t: Translate, locale: Locale, bytesASecond: number): string {
  return t('unit.aSecond', { amount: formatBytes(t, locale, bytesASecond) })
}

const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** Names of months as they are written without a day, January first. */
export function monthNames(t: Translate): string[] {
  return months.map((month) => t(`date.month.${month}`))
}

/** Names of weekdays, Monday first. */
export function weekdayNames(t: Translate, width: 'full' | 'short' = 'full'): string[] {
  return weekdays.map((day) => t(width === 'full' ? `date.weekday.${day}` : `date.weekdayShort.${day}`))
}

/** Text of a long date: "5 ноября 2026", "2026-jıl 5-noyabr". */
export function formatLongDate(t: Translate, value: string | Date | null | undefined): string {
  const moment = typeof value === 'string' ? (dayToDate(value) ?? toMoment(value)) : toMoment(value)
  const month = moment ? months[moment.getMonth()] : undefined
  if (!moment || !month) return ''
  return t('date.format.long', {
    day: moment.getDate(),
    month: t(`date.monthInDate.${month}`),
    year: String(moment.getFullYear()),
  })
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Text of a past moment: "5 minutes ago" up to a week back, then the date. */
export function formatRelative(t: Translate, value: string | Date, now: Date = new Date()): string {
  const moment = toMoment(value)
  if (!moment) return ''
  const age = now.getTime() - moment.getTime()
  if (age < -minute || age >= 7 * day) return formatDate(moment)
  if (age < minute) return t('date.now')
  if (age < hour) return t('date.minutesAgo', { count: Math.floor(age / minute) })
  if (age < day) return t('date.hoursAgo', { count: Math.floor(age / hour) })
  return t('date.daysAgo', { count: Math.floor(age / day) })
}

/** Text of a moment for narrow lists: `15:00` today, `01.03` this year, else `01.03.2026`. */
export function formatClock(value: string | Date | null | undefined, now: Date = new Date()): string {
  const moment = toMoment(value)
  if (!moment) return ''
  const date = formatDate(moment)
  if (date === formatDate(now)) return formatTime(moment)
  return moment.getFullYear() === now.getFullYear() ? date.slice(0, 5) : date
}

/**
 * Text of the time since a moment, in its largest whole unit and at least one minute: "5 min", "2 h", "3
 * days".
 */
export function formatSpan(t: Translate, startTime: string | Date, now: Date = new Date()): string {
  const moment = toMoment(startTime)
  if (!moment) return ''
  const age = now.getTime() - moment.getTime()
  if (age < hour) return t('date.spanMinutes', { count: Math.max(1, Math.floor(age / minute)) })
  if (age < day) return t('date.spanHours', { count: Math.floor(age / hour) })
  return t('date.spanDays', { count: Math.floor(age / day) })
}

/** Text of a list: "a, b and c" with the conjunction of the language. */
export function formatList(t: Translate, items: readonly string[]): string {
  const lastItem = items.at(-1)
  if (lastItem === undefined || items.length < 2) return lastItem ?? ''
  return t('list.and', { items: items.slice(0, -1).join(', '), last: lastItem })
}

const collators = { en: new Intl.Collator('en', { numeric: true }), ru: new Intl.Collator('ru', { numeric: true }) }

/** Compares two texts for sorting: by the runtime for en and ru, by our own alphabets for uz and kaa. */
export function compareText(locale: Locale, left: string, right: string): number {
  return locale === 'en' || locale === 'ru'
    ? collators[locale].compare(left, right)
    : compareByAlphabet(locale, left, right)
}

/** Name of the user's time zone. */
export function readerZone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone
}
