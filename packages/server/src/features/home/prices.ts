/** Reads today's flagged and missing prices from the prices workspace. */
import { type Caller, homeGroups, type HomeGroup, type HomeRow, type Locale, type PriceToday } from '@dala/model'
import type { PriceReview } from '@dala/model/api/price-dates'
import type { Database } from '../../db/database.ts'
import { resourceNamed, viewOfResource, type View } from '../../resources/attributes.ts'
import { type HomeRequest, emptyRow } from './rows.ts'

/** Readers that the prices workspace provides. */
export interface PriceReaders {
  readToday: (database: Database, caller: Caller, view: View, locale: Locale) => Promise<PriceToday>
  readReview: (
    database: Database,
    request: { caller: Caller; view: View; id: number; locale: Locale },
    maxShownRows: { cells: number; districts: number },
  ) => Promise<PriceReview>
}

/** Reads the prices of today for the home page; `undefined` for callers who may not write prices. */
export async function readDay(
  { readToday }: PriceReaders,
  database: Database,
  caller: Caller,
  locale: Locale,
): Promise<PriceToday | undefined> {
  const view = viewOfResource(resourceNamed('pricedates'), caller, 'update')
  return view && readToday(database, caller, view, locale)
}

type PriceGroup = Pick<HomeGroup, 'count' | 'flagged' | 'missing' | 'rows' | 'all'>

/**
 * Reads the flagged and missing prices of today.
 *
 * @param readers - Reads of the prices workspace.
 * @param database - The database.
 * @param day - The day of today.
 * @param request - The caller, and the rows that the caller has postponed.
 * @returns The numbers of the day's page, the flagged prices as one row and then districts with gaps.
 */
export async function readPrices(
  { readReview }: PriceReaders,
  database: Database,
  day: PriceToday,
  { caller, locale, putOff, onlyPutOff }: HomeRequest,
): Promise<PriceGroup> {
  const listLink = homeGroups.prices.all(caller.id)
  const { progress } = day
  const emptyGroup: PriceGroup = { count: 0, flagged: 0, missing: 0, rows: [], all: listLink }
  if (!progress || progress.state === 'published') return emptyGroup
  const putOffByRef = new Map(putOff.filter(({ group }) => group === 'prices').map(({ ref, until }) => [ref, until]))
  const visibleRows = (rows: readonly HomeRow[]) =>
    rows
      .filter(({ ref }) => putOffByRef.has(ref) === onlyPutOff)
      .slice(0, onlyPutOff ? putOffByRef.size : homeGroups.prices.rows)
      .map((row) => ({ ...row, putOffUntil: putOffByRef.get(row.ref) ?? null }))
  const id = progress.pricedate
  // A home page row of prices is postponed for its day only: the row of the next day has another name.
  const refOf = (district: number) => `${day.date}/${district}`
  const gap = (district: { id: number; name: string }, region: number | null, count: number): HomeRow => ({
    ...emptyRow,
    ref: refOf(district.id),
    id: district.id,
    kind: 'district',
    title: district.name,
    count,
    pricedate: id,
    region,
  })
  if (id === null) {
    const rows = progress.districts.map(({ id: district, name, count }) => gap({ id: district, name }, null, count))
    return { ...emptyGroup, count: progress.missing, missing: progress.missing, rows: visibleRows(rows) }
  }
  const view = viewOfResource(resourceNamed('pricedates'), caller, 'update') ?? {}
  const shownLimits = { cells: 1, districts: homeGroups.prices.rows + putOffByRef.size }
  const { counts, confirm, look, gaps } = await readReview(database, { caller, view, id, locale }, shownLimits)
  const flaggedCount = counts.confirm + counts.look
  const cell = confirm[0] ?? look[0]
  const question: HomeRow[] =
    flaggedCount > 0
      ? [
          {
            ...emptyRow,
            ref: refOf(0),
            id,
            kind: 'flagged',
            title: cell?.product.name ?? null,
            place: cell?.district.name ?? null,
            count: flaggedCount,
            pricedate: id,
            region: cell?.region ?? null,
          },
        ]
      : []
  return {
    count: flaggedCount + counts.missing,
    flagged: flaggedCount,
    missing: counts.missing,
    rows: visibleRows([...question, ...gaps.map(({ district, region, count }) => gap(district, region, count))]),
    all: { path: `price-list/${id}`, search: {} },
  }
}
