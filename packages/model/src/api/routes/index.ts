/** The contracts of all routes outside the generic ones, for tests and for types; the panel imports types alone. */
import { deskRoutes } from './chat-desk.ts'
import { messageRoutes } from './chat-messages.ts'
import { roomRoutes } from './chat-rooms.ts'
import { consultationRoutes } from './consultations.ts'
import { exportRoutes } from './exports.ts'
import { homeRoutes } from './home.ts'
import { inboxRoutes } from './inbox.ts'
import { learningRoutes } from './learning.ts'
import { priceDateRoutes } from './price-dates.ts'
import { priceOutlookRoutes } from './price-outlook.ts'
import { priceRoutes } from './prices.ts'
import { searchRoutes } from './search.ts'
import { statisticsRoutes } from './statistics.ts'
import { tradeRoutes } from './trade.ts'

export const contracts = {
  ...consultationRoutes,
  ...deskRoutes,
  ...exportRoutes,
  ...homeRoutes,
  ...inboxRoutes,
  ...learningRoutes,
  ...messageRoutes,
  ...priceDateRoutes,
  ...priceOutlookRoutes,
  ...priceRoutes,
  ...roomRoutes,
  ...searchRoutes,
  ...statisticsRoutes,
  ...tradeRoutes,
}

/** The contracts by the names of their routes. */
export type Api = typeof contracts
