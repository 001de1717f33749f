/** Text of a price cell: one price, or a lowest and a highest one, parsed as people write numbers. */
import { type FaultParams, labelOfCode, type Locale, resources, validateRecord } from '@dala/model'
import { formatNumber, parseNumber } from '../../lib/format.ts'
import { hasMessage, t } from '../../lib/i18n.ts'

export interface Prices {
  price: number | null
  price_max: number | null
}

export type PriceReading = { prices: Prices } | { problem: string }

/** Message for the rejection of a price by the model or by the server. */
export function rejectionMessage(code: string, params: FaultParams, fallback = ''): string {
  // A price of 0 or less probably means that there is no price.
  if (code === 'validation.above') return t('prices.aboveZero')
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label, params) : fallback
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Parses the text of a price cell: `3 400`, `3400,5`, `3 400–3 600`; an empty text is no price. */
export function readCell(text: string): PriceReading {
  const trimmedText = text.trim()
  if (trimmedText === '') return { prices: { price: null, price_max: null } }
  const [, lowText = trimmedText, highText] = /^(.+?)\s*[-–—]\s*(.+)$/.exec(trimmedText) ?? []
  const parsedPrices = { price: parseNumber(lowText), price_max: highText === undefined ? null : parseNumber(highText) }
  if (parsedPrices.price === null || (highText !== undefined && parsedPrices.price_max === null))
    return { problem: rejectionMessage('validation.number', {}) }
  const { values, issues } = validateRecord(resources.pricelists, parsedPrices, 'update', { asForm: true })
  const [issue] = issues
  if (issue) return { problem: rejectionMessage(issue.code, issue.params ?? {}) }
  const prices = { price: numberOf(values['price']), price_max: numberOf(values['price_max']) }
  if (prices.price !== null && prices.price_max !== null && prices.price_max < prices.price)
    return { problem: rejectionMessage('rule.ascending', {}) }
  return { prices }
}

/** Text of prices for display, with digit groups. */
export function showPrices(locale: Locale, { price, price_max }: Prices): string {
  if (price === null) return ''
  const lowerPrice = formatNumber(locale, price)
  return price_max === null ? lowerPrice : `${lowerPrice}–${formatNumber(locale, price_max)}`
}

/** Text of prices with digits only, so that every language can parse them. */
export function writePrices({ price, price_max }: Prices): string {
  if (price === null) return ''
  return price_max === null ? String(price) : `${price}-${price_max}`
}

/** Text of prices for editing: digits only, with the decimal sign of the language. */
export const editPrices = (locale: Locale, prices: Prices): string =>
  locale === 'en' ? writePrices(prices) : writePrices(prices).replaceAll('.', ',')

/** Formats price cells as a text block in the format of spreadsheets. */
export const writeBlock = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => line.join('\t')).join('\n')

/** Reads the lines and columns of a block copied from a spreadsheet; undefined for a single value. */
export function readBlock(text: string): string[][] | undefined {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const block = lines.map((line) => line.split('\t'))
  return block.length > 1 || (block[0]?.length ?? 0) > 1 ? block : undefined
}
