/** Texts for prices and price changes. */
import type { Locale } from '@dala/model'
import { formatDate, formatNumber, formatPercent, type Translate } from '../../../lib/format.ts'

/** Rounds a price: to a whole number when it is large, else to two decimals. */
const roundPrice = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100

/** Text of a price: "4 100", or a dash where there is no price. */
export const priceText = (locale: Locale, value: number | null): string =>
  value === null ? '–' : formatNumber(locale, roundPrice(value))

/** Text of a price change: "+12.5 %", "−3 %", "0 %". */
export function changeText(locale: Locale, change: number): string {
  const size = formatPercent(locale, Math.abs(change))
  return change > 0 ? `+${size}` : change < 0 ? `−${size}` : size
}

/** Text of an interval: a month by its number and year, other intervals by their first day. */
export function intervalText(day: string, interval: string): string {
  const date = formatDate(day)
  return interval === 'month' ? date.slice(3) : date
}

/** Unit of a price: "UZS for 1 kg". */
export const unitText = (t: Translate, unit: { name: string } | null): string =>
  unit ? t('prices.perUnit', { unit: unit.name }) : t('prices.noUnit')
