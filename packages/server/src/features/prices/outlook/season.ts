/**
 * Computes the FAO indicator of price anomalies: growth compared with the same month of past years (market
 * §4).
 */
import type { PriceSeason } from '@dala/model'

/** Median price of a month. */
export interface MonthlyPrice {
  /** Month of the median price, `2026-03`. */
  month: string
  value: number
}

/**
 * Distances in months before the judged month of the prices that the seasonal measure needs in every year.
 */
export const seasonMonths = [0, 3] as const

/** Minimum number of past years with price growth that a mean and a deviation need. */
const minYears = 2
/** Maximum number of past years; older growth means little for a market of today. */
export const maxYears = 10
/** Weights of the quarterly and the yearly growth of a price. */
const weights = { quarter: 0.4, year: 0.6 } as const
/** Minimum deviation of monthly growth; without it, prices that hardly move would all be anomalies. */
const minDeviation = 0.005

const monthIndexOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

/** Computes the compound monthly growth over a number of months. */
function monthlyGrowth(prices: ReadonlyMap<number, number>, monthIndex: number, span: number): number | undefined {
  const [lastPrice, firstPrice] = [prices.get(monthIndex), prices.get(monthIndex - span)]
  return lastPrice === undefined || firstPrice === undefined ? undefined : (lastPrice / firstPrice) ** (1 / span) - 1
}

/** Compares the price growth up to a month with that of past years; newer years weigh more. */
function seasonalAnomaly(prices: ReadonlyMap<number, number>, monthIndex: number, span: number) {
  const now = monthlyGrowth(prices, monthIndex, span)
  const pastValues: number[] = []
  for (let year = maxYears; year >= 1; year -= 1) {
    const value = monthlyGrowth(prices, monthIndex - 12 * year, span)
    if (value !== undefined) pastValues.push(value)
  }
  if (now === undefined || pastValues.length < minYears) return undefined
  const computeWeight = (index: number) => index + 1
  const total = pastValues.reduce((sum, _value, index) => sum + computeWeight(index), 0)
  const meanValue = pastValues.reduce((sum, value, index) => sum + value * computeWeight(index), 0) / total
  const variance =
    pastValues.reduce((sum, value, index) => sum + (value - meanValue) ** 2 * computeWeight(index), 0) / total
  return { value: (now - meanValue) / Math.max(Math.sqrt(variance), minDeviation), years: pastValues.length }
}

/**
 * Rates the price of a month by its season.
 *
 * @param month - The month, `2026-03`.
 * @param prices - Monthly medians, in any order.
 * @returns The measure; null with fewer than two years to compare with.
 */
export function seasonOf(month: string, prices: readonly MonthlyPrice[]): PriceSeason | null {
  const valueByMonth = new Map(prices.map(({ month: name, value }) => [monthIndexOf(name), value]))
  const [quarter, year] = [
    seasonalAnomaly(valueByMonth, monthIndexOf(month), 3),
    seasonalAnomaly(valueByMonth, monthIndexOf(month), 12),
  ]
  if (!quarter) return null
  const combinedValue = year ? weights.quarter * quarter.value + weights.year * year.value : quarter.value
  const value = Math.round(combinedValue * 100) / 100
  return { value, level: value >= 1 ? 'abnormal' : value >= 0.5 ? 'watch' : 'usual', years: quarter.years }
}
