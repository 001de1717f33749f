/** Journeys of the screens that need more than their declaration says; every other one is walked as declared. */
import type { Walk } from './walk.ts'

export const journeys: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {}
