/** Composes the home page of a caller: pending items, the week, and recent changes. */
import {
  type Caller,
  type HomeAnswer,
  type HomeGroup,
  type HomeGroupKey,
  homeGroups,
  homeGroupsOf,
  type HomeScope,
  homeScopesOf,
  type Locale,
  type PriceToday,
} from '@dala/model'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { today } from '../../domain/market/report-day.ts'
import { readHomeChanges } from './changes.ts'
import { type PriceReaders, readDay, readPrices } from './prices.ts'
import { type PutOffRow, readPutOffRows } from './put-off.ts'
import { type HomeRequest, readRows } from './rows.ts'
import { tallyGroups } from './tally.ts'
import { readOutdatedTexts, type ReadTranslations } from './translations.ts'
import { readAnswerWeek, readPriceWeek, type ComputeReport } from './week.ts'

/** Readers of other features, so that the home page shows the same numbers as theirs. */
export interface HomeReaders {
  prices: PriceReaders
  readTranslations: ReadTranslations
  computeReport: ComputeReport
}

export interface HomeRoutes extends FeatureRoutes, HomeReaders {}

export interface HomeQuery {
  caller: Caller
  scope: HomeScope
  locale: Locale
  onlyPutOff: boolean
}

type ReadGroup = Pick<HomeGroup, 'count' | 'rows' | 'all'> & Partial<Pick<HomeGroup, 'flagged' | 'missing'>>

/** Reads a part of the home page; a failure leaves the other parts as they are. */
async function readOrReportError<T>(
  readPart: () => Promise<T>,
  onError: (error: unknown) => void,
): Promise<T | undefined> {
  try {
    return await readPart()
  } catch (error) {
    onError(error)
    return undefined
  }
}

const earliestMoment = (moments: readonly (string | null)[]): string | null =>
  moments
    .filter((moment) => moment !== null)
    .toSorted((oneMoment, otherMoment) => Date.parse(oneMoment) - Date.parse(otherMoment))[0] ?? null

/**
 * Reads the home page of a caller.
 *
 * @param routes - The database and the reads of other features.
 * @param query - The caller, the scope, the language of names, and whether only postponed rows are read.
 * @param onError - Receives the failure of a part; the part is then marked as failed.
 * @returns The groups that are not empty, the most urgent rows of each, the week and the recent changes.
 */
export async function readHome(
  routes: HomeRoutes,
  { caller, scope, locale, onlyPutOff }: HomeQuery,
  onError: (error: unknown) => void,
): Promise<HomeAnswer> {
  const { database, prices, readTranslations, computeReport } = routes
  const scopes = homeScopesOf(caller)
  const keys = scopes.flatMap((homeScope) => homeGroupsOf(caller, homeScope))
  const [putOff, tallyOf] = await Promise.all([
    readPutOffRows(database, caller.id),
    tallyGroups(database, caller, keys),
  ])
  const request: HomeRequest = { caller, locale, putOff, onlyPutOff }
  const day = await readOrReportError(() => readDay(prices, database, caller, locale), onError)

  const readGroup = (key: HomeGroupKey): Promise<ReadGroup> => {
    if (key === 'prices') return readPriceGroup(routes, day, request)
    if (key === 'translations') return readOutdatedTexts(routes, readTranslations, request)
    const { count } = tallyOf(key)
    const rows = count > 0 && homeGroups[key].scope === scope ? readRows(routes, key, request) : Promise.resolve([])
    return rows.then((shownRows) => ({ count, rows: shownRows, all: homeGroups[key].all(caller.id) }))
  }
  const groups = await Promise.all(
    keys.map(async (key) => toGroup(key, caller, await readOrReportError(() => readGroup(key), onError))),
  )
  const countOf = (homeScope: HomeScope) => {
    const groupKeys = homeGroupsOf(caller, homeScope)
    const waitingCount = groups.filter(({ key }) => groupKeys.includes(key)).reduce((sum, { count }) => sum + count, 0)
    return Math.max(0, waitingCount - findPutOffRows(putOff, groupKeys).length)
  }
  const groupKeys = homeGroupsOf(caller, scope)
  const tallies = groupKeys.map(tallyOf)
  const [week, changes] = await Promise.all([
    readOrReportError(
      async () =>
        day?.progress
          ? readPriceWeek(routes, caller, day)
          : scopes.length > 0
            ? readAnswerWeek(routes, caller, computeReport)
            : null,
      onError,
    ),
    readOrReportError(() => readHomeChanges(routes, caller), onError),
  ])
  return {
    data: {
      scope,
      totals: Object.fromEntries(scopes.map((homeScope) => [homeScope, countOf(homeScope)])),
      putOff: findPutOffRows(putOff, groupKeys).length,
      late: tallies.reduce((sum, { late }) => sum + (late ?? 0), 0),
      oldest: earliestMoment(tallies.map(({ due }) => due)),
      groups: groups
        .filter(
          ({ key, failed: hasFailed, count, rows }) =>
            groupKeys.includes(key) && (hasFailed || (onlyPutOff ? rows.length > 0 : count > 0)),
        )
        .map((group) => ({ ...group, late: tallyOf(group.key).late, oldest: tallyOf(group.key).oldest })),
      week: week ?? null,
      changes: changes ?? null,
    },
    meta: { generated_at: new Date().toISOString(), date: today(database.calendar), zone: database.calendar.zone },
  }
}

const findPutOffRows = (putOff: readonly PutOffRow[], keys: readonly string[]) =>
  putOff.filter(({ group }) => keys.includes(group))

/** Reads the home page group of prices; a day that could not be read makes the group fail. */
function readPriceGroup(
  { prices, database }: HomeRoutes,
  day: PriceToday | undefined,
  request: HomeRequest,
): Promise<ReadGroup> {
  if (!day) return Promise.reject(new Error('The day of prices could not be read'))
  return readPrices(prices, database, day, request)
}

const toGroup = (key: HomeGroupKey, caller: Caller, groupReader: ReadGroup | undefined): HomeGroup => ({
  key,
  failed: groupReader === undefined,
  count: 0,
  late: null,
  oldest: null,
  flagged: 0,
  missing: 0,
  rows: [],
  all: homeGroups[key].all(caller.id),
  ...groupReader,
})
