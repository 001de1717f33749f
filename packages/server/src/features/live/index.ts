/** Messages to open pages as things happen, and who is there to receive them. */
import type { Feature } from '../../domain/feature.ts'
import { registerLive } from './register.ts'

export const live: Feature = { name: 'live', hooks: registerLive }
