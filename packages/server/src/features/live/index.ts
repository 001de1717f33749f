/** Feature of live events to open pages, and of the presence of users. */
import type { Feature } from '../../domain/feature.ts'
import { registerLiveUpdates } from './register.ts'

export const liveFeature: Feature = { name: 'live', hooks: registerLiveUpdates }
