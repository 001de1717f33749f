/** Work on many records at once. */
import type { Feature } from '../../domain/feature.ts'
import { registerBulk } from './routes.ts'

export const bulk: Feature = {
  name: 'bulk',
  register: registerBulk,
  describe: async () => (await import('./descriptions.ts')).bulkDescriptions,
}
