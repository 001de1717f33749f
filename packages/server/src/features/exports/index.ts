/** Lists as files. */
import type { Feature } from '../../domain/feature.ts'
import { described } from '../../http/contract-routes.ts'
import type { Exporter } from './exporter.ts'
import { registerExports } from './routes.ts'

export { Exporter } from './exporter.ts'

/**
 * Makes the feature.
 *
 * @param exporter - The sender of files, which other features may share: its limits are for all of them together.
 */
export function exportFiles(exporter: Exporter): Feature {
  return {
    name: 'exports',
    register: (app, context) => registerExports(app, context, exporter),
    describe: described(async () => (await import('@dala/model/api/exports')).exportRoutes),
  }
}
