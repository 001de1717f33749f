/** Feature of prices of a day, over time and between districts. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { DayNotices } from './day-notices.ts'
import { registerPriceOutlook, type SendPrices } from './outlook/routes.ts'
import { registerPrices } from './routes.ts'

export { readReview } from './review.ts'
export { readToday } from './today.ts'

/**
 * Makes the feature of prices.
 *
 * @param sendExport - Sends the rows of an export request as a file, within the limits of all exports.
 */
export function prices(sendExport: SendPrices): Feature {
  return {
    name: 'prices',
    registerRoutes(app, context) {
      registerPrices(app, context)
      registerPriceOutlook(app, { ...context, sendExport })
    },
    jobs({ database, logFailure }) {
      const notices = new DayNotices(database)
      notices.start(logFailure('notices of unpublished days failed'))
      return [notices]
    },
    describeRoutes: loadDescriptions(async () => {
      const [{ priceRoutes }, { priceDateRoutes }, { priceOutlookRoutes }] = await Promise.all([
        import('@dala/model/api/prices'),
        import('@dala/model/api/price-dates'),
        import('@dala/model/api/price-outlook'),
      ])
      return { ...priceRoutes, ...priceDateRoutes, ...priceOutlookRoutes }
    }),
  }
}
