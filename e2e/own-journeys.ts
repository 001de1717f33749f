/** Further end-to-end tests of screens, beyond the one that their declaration gives them. */
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
