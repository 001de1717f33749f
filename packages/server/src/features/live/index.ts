/** Feature of live events to open pages, and of the presence of users. */
import type { Feature } from '../../domain/feature.ts'
import { registerLive } from './register.ts'

export const live: Feature = { name: 'live', hooks: registerLive }
