/** The search over all resources. */
import type { Feature } from '../../domain/feature.ts'
import { registerSearch } from './routes.ts'

export const search: Feature = {
  name: 'search',
  register: registerSearch,
  describe: async () => (await import('./descriptions.ts')).searchDescriptions,
}
