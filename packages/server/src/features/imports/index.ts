/** Sheets that become records. */
import type { Feature } from '../../domain/feature.ts'
import { registerImports } from './routes.ts'

export const imports: Feature = {
  name: 'imports',
  register: (app, context) => registerImports(app, { ...context, dataDir: context.settings.dataDir }),
  describe: async () => (await import('./descriptions.ts')).importDescriptions,
}
