/** Feature of the home page of a user. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import type { HomeReaders } from './read-home.ts'
import { registerHome } from './routes.ts'

/**
 * Creates the feature of the home page.
 *
 * @param readers - Readers of other features, so that the page shows the same numbers as theirs.
 */
export function home(readers: HomeReaders): Feature {
  return {
    name: 'home',
    registerRoutes: (app, context) => registerHome(app, { ...context, ...readers }),
    describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/home')).homeRoutes),
  }
}
