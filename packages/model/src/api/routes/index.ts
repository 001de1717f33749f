/** The contracts of all routes outside the generic ones, for tests and for types; the panel imports types alone. */
import { homeRoutes } from './home.ts'
import { searchRoutes } from './search.ts'

export const contracts = {
  ...homeRoutes,
  ...searchRoutes,
}

/** The contracts by the names of their routes. */
export type Api = typeof contracts
