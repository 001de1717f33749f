/**
 * Prices over time and between districts: the codes and fixed numbers of series and changes (market §4, §5).
 */

/** Measures that reduce several prices to the value of one point. */
export const priceMeasures = ['median', 'min', 'max'] as const
export type PriceMeasure = (typeof priceMeasures)[number]

/** Days between a price and the earlier price that it is compared with. */
export const changeWindows = ['1', '7', '30', '365'] as const
export type ChangeWindow = (typeof changeWindows)[number]

/** Days by which a compared price may be older than its window. */
export const changeTolerance: Readonly<Record<ChangeWindow, number>> = { '1': 3, '7': 7, '30': 10, '365': 20 }

export const priceBands = ['steady', 'moving', 'sharp'] as const
export type PriceBand = (typeof priceBands)[number]

/** Percent from which a change is moving or sharp, unless the category of the product sets other values. */
export const usualBands = { moving: 3, sharp: 10 } as const

/** Reasons why a price change is missing and a dash is shown. */
export const changeGaps = ['no-value', 'carried', 'unconfirmed', 'other-unit', 'too-old', 'no-base'] as const
export type ChangeGap = (typeof changeGaps)[number]

/**
 * The seasonal judgement of a price by FAO's indicator of price anomalies: watch from 0.5, abnormal from 1.
 */
export const seasonLevels = ['usual', 'watch', 'abnormal'] as const
export type SeasonLevel = (typeof seasonLevels)[number]

export const priceExportFormats = ['xlsx', 'csv'] as const
export type PriceExportFormat = (typeof priceExportFormats)[number]

/** Maximum number of districts in the filters of price changes and of their exported file. */
export const maxOutlookDistricts = 60
/** Maximum number of lines in a price chart. */
export const maxPriceLines = 6
/** Maximum number of points in a line of a price chart. */
export const maxPricePoints = 800
/** Maximum number of years that a price series covers. */
export const maxPriceYears = 10
