/** The obstacles to publishing a price day, as the server counts them (market §5). */
import type { Locale } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** Query of a price day's obstacles to publishing; loaded again each time it is opened. */
export const reviewQuery = (pricedate: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', 'pricedates', 'review', pricedate, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/pricedates/:id/review', { params: { id: pricedate }, query: { locale }, signal }))
        .data,
    staleTime: 0,
    meta: { inPlace: true },
  })
