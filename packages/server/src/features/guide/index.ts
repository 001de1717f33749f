/** Feature of the staff's guide. */
import type { Feature } from '../../domain/feature.ts'
import { registerGuide } from './serve.ts'

export const guide: Feature = { name: 'guide', registerRoutes: registerGuide }
