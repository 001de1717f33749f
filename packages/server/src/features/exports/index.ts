/** Feature of exports, which send lists as files. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import type { Exporter } from './exporter.ts'
import { registerExports } from './routes.ts'

export { Exporter } from './exporter.ts'

/**
 * Creates the feature of exports.
 *
 * @param exporter - Sends the files. Other features may share it: its limits apply to all of them together.
 */
export function exportFiles(exporter: Exporter): Feature {
  return {
    name: 'exports',
    registerRoutes: (app, context) => registerExports(app, context, exporter),
    describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/exports')).exportRoutes),
  }
}
