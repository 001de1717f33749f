/** Text of a total: the number of records that match. */
import type { Locale } from '@dala/model'
import type { RowTotal } from '../api/resource-queries.ts'
import { formatNumber } from '../lib/format.ts'

/**
 * Writes the number of records that match as text.
 *
 * @param locale - The language of the interface.
 * @param total - The number of matches.
 * @returns The total, marked when it is an estimate: "≈ 140,000".
 */
export const totalText = (locale: Locale, { total, isEstimate }: RowTotal): string =>
  `${isEstimate ? '≈ ' : ''}${formatNumber(locale, total)}`
