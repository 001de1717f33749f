/** The total of a list as text. */
import type { Locale } from '@dala/model'
import type { Page } from '../api/resource-queries.ts'
import { formatNumber } from '../lib/format.ts'

/**
 * @param locale The language of the interface.
 * @param page A page of a list.
 * @returns The total of the list, marked when it is an estimate: "≈ 140,000".
 */
export const totalText = (locale: Locale, { total, isEstimate }: Pick<Page, 'total' | 'isEstimate'>): string =>
  `${isEstimate ? '≈ ' : ''}${formatNumber(locale, total)}`
