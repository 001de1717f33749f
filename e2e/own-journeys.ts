/** Further end-to-end tests of screens, beyond the one that their declaration gives them. */
import { chooseScreens } from './choose-screens.ts'
import type { ScreenWalk } from './walk.ts'
import { adviceJourneys } from './journeys/advice.ts'
import { auditJourney } from './journeys/audit.ts'
import { contentJourneys } from './journeys/content.ts'
import { learningJourneys } from './journeys/learning.ts'
import { marketJourneys } from './journeys/market.ts'
import { peopleJourneys } from './journeys/people.ts'
import { statisticsJourney } from './journeys/statistics.ts'
import { screens } from './routes.ts'

export type OwnJourney = (walk: ScreenWalk) => Promise<void>

export const journeys: Readonly<Record<string, OwnJourney>> = {
  ...peopleJourneys,
  audit: auditJourney,
  ...adviceJourneys,
  statistics: statisticsJourney,
  ...learningJourneys,
  ...marketJourneys,
  ...contentJourneys,
}

/** Screens whose own test opens their addresses without the whole life of a record. */
const screensWithoutWalk = new Set([
  'about',
  'audit',
  'chats',
  'e-learning/lesson-groups-create',
  'pages',
  'people/staff',
  'people/users',
  'price-list',
  'settings/absences',
  'settings/routing-rules',
  'settings/trading-post-type',
  'statistics',
])

const ownPaths = Object.keys(journeys)

/** Screens whose test does more than open their addresses. */
export const chosenScreens = chooseScreens(
  screens,
  new Set(ownPaths),
  new Set(ownPaths.filter((path) => !screensWithoutWalk.has(path))),
)
