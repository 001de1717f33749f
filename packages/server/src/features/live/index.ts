/** The live feature: events to open pages, and presence of users. */
import type { Feature } from '../../domain/feature.ts'
import { registerLive } from './register.ts'

export const live: Feature = { name: 'live', hooks: registerLive }
