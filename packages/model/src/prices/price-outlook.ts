/** Prices over time and between districts: the wire types and the fixed numbers of series and changes (market §4, §5). */

/** The value of a point that stands for several prices. */
export const priceMeasures = ['median', 'min', 'max'] as const
export type PriceMeasure = (typeof priceMeasures)[number]

/** Days between a price and the one that it is compared with. */
export const changeWindows = ['1', '7', '30', '365'] as const
export type ChangeWindow = (typeof changeWindows)[number]

/** Days that a compared price may be older than its window says. */
export const changeTolerance: Readonly<Record<ChangeWindow, number>> = { '1': 3, '7': 7, '30': 10, '365': 20 }

export const priceBands = ['steady', 'moving', 'sharp'] as const
export type PriceBand = (typeof priceBands)[number]

/** Percent from which a change is moving, and sharp, where the category of the product sets nothing else. */
export const usualBands = { moving: 3, sharp: 10 } as const

/** Reasons for a dash in place of a change. */
export const changeGaps = ['no-value', 'carried', 'unconfirmed', 'other-unit', 'too-old', 'no-base'] as const
export type ChangeGap = (typeof changeGaps)[number]

/** The seasonal judgement of a price: FAO's indicator of price anomalies, from 0.5 and from 1. */
export const seasonLevels = ['usual', 'watch', 'abnormal'] as const
export type SeasonLevel = (typeof seasonLevels)[number]

export const priceExportFormats = ['xlsx', 'csv'] as const
export type PriceExportFormat = (typeof priceExportFormats)[number]

/** Lines of one chart. */
export const maxPriceLines = 6
/** Points of one line. */
export const maxPricePoints = 800
/** Years that one series covers. */
export const maxPriceYears = 10

interface Named {
  id: number
  name: string
}

export interface PricePoint {
  /** First day of the interval, `YYYY-MM-DD`. */
  t: string
  /** In the base unit; null where no price is known. */
  value: number | null
  /** Prices that the value stands for. */
  n: number
  /** All of them were carried over. */
  carried: boolean
  /** The interval is cut or not over, or a price of it is not published. */
  partial: boolean
}

/** One line of a chart: a district, a region, or the whole country. */
export interface PriceLine {
  district: Named | null
  region: Named | null
  points: PricePoint[]
}

export interface PriceSeries {
  product: Named
  /** The base unit of the values; null where the unit of the product has no base. */
  unit: Named | null
  lines: PriceLine[]
}

export interface PriceSeason {
  /** How far the growth is from that of the same month in past years, in standard deviations. */
  value: number
  level: SeasonLevel
  /** Past years that it was compared with. */
  years: number
}

export interface PriceChange {
  product: number
  district: number
  /** In the base unit. */
  value: number | null
  carried: boolean
  change_pct: number | null
  band: PriceBand | null
  /** The price that the value is compared with. */
  base: { value: number; date: string } | null
  /** Why there is no change. */
  gap: ChangeGap | null
  season: PriceSeason | null
}

export interface ChangedProduct extends Named {
  unit: Named | null
  /** Districts with a price of their own, neither carried nor waiting to be confirmed. */
  n: number
  low: number | null
  median: number | null
  high: number | null
  /** District ids of the lowest and the highest price. */
  low_district: number | null
  high_district: number | null
  /** The median of the changes. */
  change_pct: number | null
  band: PriceBand | null
}

export interface ChangedDistrict extends Named {
  region: number | null
  lat: number | null
  lng: number | null
}

export interface PriceChanges {
  date: string | null
  products: ChangedProduct[]
  districts: ChangedDistrict[]
  /** The furthest changes first. */
  rows: PriceChange[]
}

export interface PriceChangesMeta {
  window: number
  market_type: string
  /** Pairs of product and district. */
  total: number
  /** Those that have a price on the day, carried ones included. */
  priced: number
  bands: Record<PriceBand, number>
  /** There are more rows than the answer holds. */
  more: boolean
}
