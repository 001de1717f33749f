/** Prices over time and between districts: the words and the fixed numbers of series and changes (market §4, §5). */

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

/** Districts that the filters of changes and of a file may name. */
export const maxOutlookDistricts = 60
/** Lines of one chart. */
export const maxPriceLines = 6
/** Points of one line. */
export const maxPricePoints = 800
/** Years that one series covers. */
export const maxPriceYears = 10
