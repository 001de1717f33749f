/** The contracts of all routes outside the generic ones, for tests and for types; the panel imports types alone. */
import { authRoutes } from './auth.ts'
import { bulkRoutes } from './bulk.ts'
import { historyRoutes, recordRoutes } from './history.ts'
import { homeRoutes } from './home.ts'
import { importRoutes } from './imports.ts'
import { openApiRoutes } from './openapi.ts'
import { auditRoutes, healthRoutes } from './operations.ts'
import { libraryRoutes } from './library.ts'
import { peopleRoutes } from './people.ts'
import { uploadRoutes } from './uploads.ts'

export const contracts = {
  ...authRoutes,
  ...bulkRoutes,
  ...historyRoutes,
  ...homeRoutes,
  ...importRoutes,
  ...openApiRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...peopleRoutes,
  ...libraryRoutes,
  ...recordRoutes,
  ...uploadRoutes,
}

/** The contracts by the names of their routes. */
export type Api = typeof contracts
