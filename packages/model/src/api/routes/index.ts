/**
 * The contracts of all routes except the generic ones, for tests and for types; the panel imports only types.
 */
import { authRoutes } from './auth.ts'
import { backupRoutes } from './backups.ts'
import { bulkRoutes } from './bulk.ts'
import { deskRoutes } from './chat/desk.ts'
import { messageRoutes } from './chat/messages.ts'
import { roomRoutes } from './chat/rooms.ts'
import { consultationRoutes } from './consultations.ts'
import { exportRoutes } from './exports.ts'
import { historyRoutes, recordRoutes } from './history.ts'
import { homeRoutes } from './home.ts'
import { importRoutes } from './imports.ts'
import { inboxRoutes } from './inbox.ts'
import { learningRoutes } from './learning.ts'
import { libraryRoutes } from './library.ts'
import { memoryRoutes } from './memory.ts'
import { openApiRoutes } from './openapi.ts'
import { auditRoutes, healthRoutes } from './operations.ts'
import { peopleRoutes } from './people.ts'
import { organisationRoutes } from './organisation.ts'
import { priceDateRoutes } from './price-dates.ts'
import { priceOutlookRoutes } from './price-outlook.ts'
import { priceRoutes } from './prices.ts'
import { certificateRoutes, progressRoutes } from './progress.ts'
import { pushRoutes } from './push.ts'
import { reportFileRoutes } from './report-files.ts'
import { reportScheduleRoutes } from './report-schedules.ts'
import { sharedPageRoutes, staffShareRoutes } from './report-shares.ts'
import { resumableRoutes } from './resumable.ts'
import { routingRoutes } from './routing.ts'
import { savedReportRoutes } from './saved-reports.ts'
import { searchRoutes } from './search.ts'
import { statisticsRoutes } from './statistics.ts'
import { systemRoutes } from './system.ts'
import { tradeRoutes } from './trade.ts'
import { uploadRoutes } from './uploads.ts'

export const contracts = {
  ...auditRoutes,
  ...authRoutes,
  ...backupRoutes,
  ...bulkRoutes,
  ...certificateRoutes,
  ...consultationRoutes,
  ...deskRoutes,
  ...exportRoutes,
  ...healthRoutes,
  ...historyRoutes,
  ...homeRoutes,
  ...importRoutes,
  ...inboxRoutes,
  ...learningRoutes,
  ...libraryRoutes,
  ...memoryRoutes,
  ...messageRoutes,
  ...openApiRoutes,
  ...organisationRoutes,
  ...peopleRoutes,
  ...priceDateRoutes,
  ...priceOutlookRoutes,
  ...priceRoutes,
  ...progressRoutes,
  ...pushRoutes,
  ...recordRoutes,
  ...reportFileRoutes,
  ...reportScheduleRoutes,
  ...resumableRoutes,
  ...roomRoutes,
  ...routingRoutes,
  ...savedReportRoutes,
  ...searchRoutes,
  ...sharedPageRoutes,
  ...staffShareRoutes,
  ...statisticsRoutes,
  ...systemRoutes,
  ...tradeRoutes,
  ...uploadRoutes,
}

/** Contracts of all routes by method and path. */
export type Api = typeof contracts
