/** The obstacles to publishing a day, as the server counts them (market §5). */
import type { Locale } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Market } from './price-grid.ts'

interface Named {
  id: number
  name: string
}

interface ReviewCell {
  product: Named
  district: Named
  region: number | null
  market_type: Market
  price: number | null
  prev: number | null
}

export interface Review {
  counts: Record<'expected' | 'entered' | 'confirm' | 'look' | 'missing' | 'carried', number>
  confirm: ReviewCell[]
  look: ReviewCell[]
  missing: ReviewCell[]
  carried: ReviewCell[]
  gaps: { district: Named; count: number }[]
}

/** The review of a day; counted anew each time it is asked for. */
export const reviewQuery = (pricedate: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', 'pricedates', 'review', pricedate, locale],
    queryFn: async ({ signal }) =>
      (await call<{ data: Review }>('GET', `/pricedates/${pricedate}/review`, { query: { locale }, signal })).data,
    staleTime: 0,
    meta: { inPlace: true },
  })
