/**
 * Judges a price by earlier confirmed prices: how far it is from usual, and which typing slip explains it.
 */
import type { FaultParams } from '../errors/errors.ts'
import type { Locale } from '../locales.ts'

/** Number of confirmed prices that the usual price is computed from. */
export const historySize = 8
/**
 * Minimum number of prices in a district; otherwise the history of its region is used, then the country's.
 */
export const minPrices = 4
/** Number of consecutive days after which an unchanged price is flagged for a review. */
export const maxUnchangedDays = 14

/**
 * Least spread of usual prices, as a logarithm; without it every change of a steady price would be a warning.
 */
const minPriceSpread = 0.05
const reviewDeviation = 3.5
const confirmedDeviation = 6
/** A price this many times above or below the usual one needs a confirmation, whatever the spread. */
const confirmRatio = 5
/** Minimum number of neighbouring districts for a comparison of prices. */
const minNeighbourDistricts = 4
/** A short price history has no measurable spread: a corrected price within this ratio is plausible. */
const likelyRatio = 2
/** Scales the median deviation to the standard deviation of a normal distribution. */
const deviationScale = 1.4826

/** Base prices are stored with four decimal places. */
const storedStep = 0.0001

const tenfoldFactors = [10, 100, 1000] as const

export type PriceLevel = 'district' | 'region' | 'country'

/** The name of a unit by language; at least one language has a name. */
export type UnitName = Readonly<Partial<Record<Locale, string>>>

/** The history of a price before it is entered; all prices are per base unit. */
export interface PriceHistory {
  /**
   * Confirmed prices of published days, newest first: of the district, else of the region, else of the
   * country.
   */
  values: readonly number[]
  level: PriceLevel
  /** Consecutive days before this one on which the district had `values[0]` without a confirmation. */
  unchanged: number
  /** Confirmed prices of other districts in the region on the same day. */
  neighbours: readonly number[]
  /** Other units of the same kind as the price's unit, with the number of base units in each. */
  units: readonly { name: UnitName; factor: number }[]
}

/** A price as the user enters it. */
export interface EnteredPrice {
  price: number
  price_max: number | null
  /** Base units in the unit of the price; 1 for a unit that is never converted. */
  factor: number
}

export const priceFlagCodes = [
  'price.slip-more',
  'price.slip-less',
  'price.slip-unit',
  'price.far',
  'price.neighbours',
  'price.unchanged',
] as const
export type PriceFlagCode = (typeof priceFlagCodes)[number]

/** The reason why a price waits, stored as `flag`. All prices are in the unit of the price. */
export interface PriceFlag {
  /**
   * Severity of a flagged price. `look`: to be reviewed; `confirm`: accepted only with a note, and not
   * published before.
   */
  severity: 'look' | 'confirm'
  code: PriceFlagCode
  /**
   * The usual price, the number of prices that it is computed from and their level; absent without a history.
   */
  median?: number
  count?: number
  level?: PriceLevel
  /** Lowest and highest price of neighbouring districts on the same day. */
  neighbours?: { min: number; max: number }
  /** Factor of a slip of the decimal places, too much or too little. */
  factor?: number
  /** Unit that the entered price seems to be in. */
  unit?: UnitName
  /** Prices that the user probably meant. */
  suggestion?: { price: number; price_max: number | null }
}

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100

/** Returns the median of numbers in any order. */
function medianOf(values: readonly number[]): number {
  const sortedValues = values.toSorted((one, other) => one - other)
  const middleIndex = sortedValues.length / 2
  const [low = 0, high = low] = sortedValues.slice(Math.ceil(middleIndex) - 1, Math.floor(middleIndex) + 1)
  return (low + high) / 2
}

interface UsualPrice {
  /** Deviations of prices are computed in logarithms, so that a tenth and a tenfold are equally far. */
  median: number
  logSpread: number
}

function computeUsualPrice(values: readonly number[]): UsualPrice {
  const logarithms = values.map((value) => Math.log(value))
  const median = medianOf(logarithms)
  const deviation = medianOf(logarithms.map((value) => Math.abs(value - median)))
  return { median, logSpread: Math.max(deviationScale * deviation, minPriceSpread) }
}

const distanceFromUsual = (value: number, { median, logSpread: spread }: UsualPrice): number =>
  Math.abs(Math.log(value) - median) / spread
const ratioToUsual = (value: number, { median }: UsualPrice): number => Math.exp(Math.abs(Math.log(value) - median))

/**
 * Whether a price is usual: within the spread, or near enough where the history is too short for a spread.
 */
function isUsualPrice(value: number, referencePrice: UsualPrice, isShort: boolean): boolean {
  return isShort
    ? ratioToUsual(value, referencePrice) < likelyRatio
    : distanceFromUsual(value, referencePrice) < reviewDeviation
}

type TypingSlip = Pick<PriceFlag, 'code' | 'factor' | 'unit' | 'suggestion'>

/** Returns the slip that explains a price best: decimal places first, then another unit. */
function findTypingSlip(
  enteredPrice: EnteredPrice,
  { units }: PriceHistory,
  usualCellPrice: UsualPrice,
  isShort: boolean,
): TypingSlip | undefined {
  const { price, price_max, factor } = enteredPrice
  const makeCorrectedSlip = (times: number, slip: Omit<TypingSlip, 'suggestion'>): TypingSlip | undefined => {
    if (!isUsualPrice((price * times) / factor, usualCellPrice, isShort)) return undefined
    const suggestion = {
      price: roundToHundredths(price * times),
      price_max: price_max === null ? null : roundToHundredths(price_max * times),
    }
    return suggestion.price > 0 ? { ...slip, suggestion } : undefined
  }
  for (const times of tenfoldFactors) {
    const typingSlip =
      makeCorrectedSlip(1 / times, { code: 'price.slip-more', factor: times }) ??
      makeCorrectedSlip(times, { code: 'price.slip-less', factor: times })
    if (typingSlip) return typingSlip
  }
  for (const unit of units) {
    if (unit.factor === factor) continue
    const typingSlip = makeCorrectedSlip(factor / unit.factor, { code: 'price.slip-unit', unit: unit.name })
    if (typingSlip) return typingSlip
  }
  return undefined
}

/** Returns the slip of an upper price limit with shifted decimal places while the price itself is usual. */
function slipOfLimit({ price, price_max }: EnteredPrice): TypingSlip | undefined {
  if (price_max === null || price_max / price < confirmRatio) return undefined
  const times = tenfoldFactors.find(
    (tenfoldFactor) => price_max / tenfoldFactor >= price && price_max / tenfoldFactor < price * likelyRatio,
  )
  if (times === undefined) return { code: 'price.far' }
  return {
    code: 'price.slip-more',
    factor: times,
    suggestion: { price, price_max: roundToHundredths(price_max / times) },
  }
}

/** Compares a price with its neighbours, unless the district's own history supports the price. */
function isFarFromNeighbours(
  base: number,
  { values, level, neighbours }: PriceHistory,
  referencePrice: UsualPrice | undefined,
) {
  if (neighbours.length < minNeighbourDistricts) return false
  const isConfirmedByHistory =
    referencePrice &&
    level === 'district' &&
    values.length >= minPrices &&
    distanceFromUsual(base, referencePrice) < reviewDeviation / 2
  return !isConfirmedByHistory && distanceFromUsual(base, computeUsualPrice(neighbours)) >= confirmedDeviation
}

/**
 * Judges an entered price by its history.
 *
 * @param enteredPrice - The price, above 0.
 * @param history - Earlier confirmed prices.
 * @returns The reason why it waits for a review or a confirmation; undefined for a usual price.
 * @see market §4
 * @example
 * const history = { values: [120, 121, 119, 120], level: 'district', unchanged: 0, neighbours: [], units: [] } as const
 * judgePrice({ price: 1200, price_max: null, factor: 1 }, history)?.code // 'price.slip-more'
 */
export function judgePrice(enteredPrice: EnteredPrice, history: PriceHistory): PriceFlag | undefined {
  const { values, level, neighbours } = history
  const base = enteredPrice.price / enteredPrice.factor
  const convertToUnit = (value: number) => roundToHundredths(value * enteredPrice.factor)
  const usualPrice = values.length > 0 ? computeUsualPrice(values) : undefined
  const flagFields: Partial<PriceFlag> = {
    ...(usualPrice && { median: convertToUnit(Math.exp(usualPrice.median)), count: values.length, level }),
    ...(neighbours.length > 0 && {
      neighbours: { min: convertToUnit(Math.min(...neighbours)), max: convertToUnit(Math.max(...neighbours)) },
    }),
  }
  const flag = (severity: PriceFlag['severity'], slip: TypingSlip): PriceFlag => ({ ...flagFields, ...slip, severity })
  if (usualPrice) {
    const isShort = values.length < minPrices
    const [zScore, ratio] = [isShort ? 0 : distanceFromUsual(base, usualPrice), ratioToUsual(base, usualPrice)]
    const severity =
      zScore >= confirmedDeviation || ratio >= confirmRatio ? 'confirm' : zScore >= reviewDeviation ? 'look' : undefined
    if (severity)
      return flag(severity, findTypingSlip(enteredPrice, history, usualPrice, isShort) ?? { code: 'price.far' })
  }
  const limit = slipOfLimit(enteredPrice)
  if (limit) return flag('confirm', limit)
  if (isFarFromNeighbours(base, history, usualPrice)) return flag('look', { code: 'price.neighbours' })
  const isUnchanged = values[0] !== undefined && Math.abs(values[0] - base) < storedStep
  if (isUnchanged && history.unchanged + 1 >= maxUnchangedDays) return flag('look', { code: 'price.unchanged' })
  return undefined
}

/**
 * The parameters of a flag's message in a language.
 *
 * @example
 * paramsOfFlag({ unit: { en: 'tonne', uz: 'tonna' } }, 'uz') // { days: 14, unit: 'tonna' }
 */
export function paramsOfFlag({ factor, unit }: Pick<PriceFlag, 'factor' | 'unit'>, locale: Locale): FaultParams {
  const name = unit && (unit[locale] ?? Object.values(unit)[0])
  return { days: maxUnchangedDays, ...(factor !== undefined && { factor }), ...(name !== undefined && { unit: name }) }
}

/**
 * Returns the figures of a price range with swapped ends, in their right order.
 *
 * @example
 * swapRange({ price: 9, price_max: 5 }) // { price: 5, price_max: 9 }
 */
export const swapRange = ({ price, price_max }: { price: number; price_max: number }) => ({
  price: price_max,
  price_max: price,
})

/**
 * Tells whether a stored flag requires a confirmation; such a price is not published.
 *
 * @example
 * mustBeConfirmed({ state: 'check', flag: { severity: 'look' } }) // false
 */
export function mustBeConfirmed({ state, flag }: { state?: unknown; flag?: unknown }): boolean {
  return (
    state === 'check' && !(typeof flag === 'object' && flag !== null && 'severity' in flag && flag.severity === 'look')
  )
}
