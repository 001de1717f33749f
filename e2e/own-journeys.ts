/** Screens that need more than the test of their declaration. */
import type { Walk } from './walk.ts'
import { adviceJourneys } from './journeys/advice.ts'
import { auditJourney } from './journeys/audit.ts'
import { contentJourneys } from './journeys/content.ts'
import { learningJourneys } from './journeys/learning.ts'
import { marketJourneys } from './journeys/market.ts'
import { peopleJourneys } from './journeys/people.ts'
import { statisticsJourney } from './journeys/statistics.ts'

export type Journey = (walk: Walk) => Promise<void>

export const journeys: Readonly<Record<string, Journey>> = {
  ...peopleJourneys,
  audit: auditJourney,
  ...adviceJourneys,
  statistics: statisticsJourney,
  ...learningJourneys,
  ...marketJourneys,
  ...contentJourneys,
}
