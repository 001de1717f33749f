/** Feature of bulk edits: requested, monitored, stopped and undone, with the rights and rules of each row. */
import type { Feature } from '../../domain/feature.ts'
import { registerBulkEdits } from './routes.ts'

export const bulkFeature: Feature = {
  name: 'bulk',
  registerRoutes: registerBulkEdits,
  describeRoutes: async () => {
    const [{ bulkRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/bulk'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts(bulkRoutes)
  },
}
