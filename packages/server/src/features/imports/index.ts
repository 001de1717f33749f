/** Feature of imports, which turn sheets into records. */
import type { Feature } from '../../domain/feature.ts'
import { registerImports } from './routes.ts'

export const imports: Feature = {
  name: 'imports',
  registerRoutes: (app, context) => registerImports(app, { ...context, dataDir: context.settings.dataDir }),
  describeRoutes: async () => {
    const [{ importRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/imports'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts(importRoutes)
  },
}
