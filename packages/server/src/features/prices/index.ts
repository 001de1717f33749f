/** Prices of a day, over time and between districts. */
import type { Feature } from '../../domain/feature.ts'
import { registerPriceOutlook, type SendPrices } from './outlook/routes.ts'
import { registerPrices } from './routes.ts'

export { readReview } from './review.ts'
export { readToday } from './today.ts'

/**
 * Makes the feature.
 *
 * @param sendExport - Sends the rows of an order as a file, within the limits of all exports.
 */
export function prices(sendExport: SendPrices): Feature {
  return {
    name: 'prices',
    register(app, context) {
      registerPrices(app, context)
      registerPriceOutlook(app, { ...context, sendExport })
    },
    describe: async () => {
      const [{ priceDescriptions }, { priceOutlookDescriptions }] = await Promise.all([
        import('./descriptions.ts'),
        import('./outlook/descriptions.ts'),
      ])
      return { ...priceDescriptions, ...priceOutlookDescriptions }
    },
  }
}
