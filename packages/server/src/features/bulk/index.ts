/** Bulk edits: requested, monitored, stopped and undone; each row keeps its rights and rules. */
import type { Feature } from '../../domain/feature.ts'
import { registerBulk } from './routes.ts'

export const bulk: Feature = {
  name: 'bulk',
  register: registerBulk,
  describe: async () => {
    const [{ bulkRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/bulk'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts(bulkRoutes)
  },
}
