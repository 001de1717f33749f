/** Applies the hard checks of the write path to all prices of a sheet together (market §4). */
import { basePrice, type Locale, maxBasePrice } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { reportDay } from '../../../domain/market/report-day.ts'
import { type LinkTargets, isKnown, type LinkTarget } from '../names/directories.ts'
import { addIssue, isFaulty, type ColumnLetters, type WorkRow } from '../import-row.ts'

/** Columns of link targets that the rules of prices need. */
export const priceTargetColumns = { product: ['unit'], unit: ['kind', 'factor'], pricedate: ['date', 'state'] } as const

/** Returns the day of an imported price: the one that its row names, else that of the import. */
export function dayOfRow({ values }: WorkRow, day: string | undefined): string | undefined {
  const rowDay = values.get('pricedate')
  if (typeof rowDay === 'string') return rowDay
  return isKnown(rowDay) ? String(rowDay.details.date) : day
}

/** Returns the market of an imported price, retail by default. */
export const marketOfRow = ({ values }: WorkRow): string => {
  const market = values.get('market_type')
  return typeof market === 'string' ? market : 'retail'
}

/** Context of the rules of imported prices. */
export interface PriceContext {
  runner: Pick<Queries, 'query'>
  letters: ColumnLetters
  directories: ReadonlyMap<string, LinkTargets>
  /** Day of imported prices whose rows name no day. */
  day: string | undefined
  /** Language of the import of prices. */
  locale: Locale
}

/** Figures of a price; a change of one makes it a new price. */
export const figures = ['price', 'price_max', 'unit'] as const

/** Fills in the unit of a product when an imported row has none, and marks rows without a price as blank. */
export function fillPrices(directories: PriceContext['directories'], workRows: readonly WorkRow[]): void {
  for (const workRow of workRows) {
    const { values, givenTexts, state } = workRow
    const isEmpty = (givenTexts.price ?? '') === '' && (givenTexts.price_max ?? '') === ''
    if (isEmpty && !workRow.issues.some(({ field }) => field === 'price')) workRow.isBlank = true
    const product = values.get('product')
    if (values.has('unit') || (givenTexts.unit ?? '') !== '' || state || !isKnown(product)) continue
    const unit =
      typeof product.details.unit === 'number' ? directories.get('unit')?.of(product.details.unit) : undefined
    if (unit) values.set('unit', unit)
  }
}

/**
 * Checks imported prices for refusals of the write path: future days, units of another kind, too high prices,
 * corrections without a reason.
 */
export async function checkPrices(context: PriceContext, workRows: readonly WorkRow[]): Promise<void> {
  const [now] = await context.runner.query(sql<{ today: string }>`select ${reportDay} as today`)
  const { directories, letters } = context
  for (const workRow of workRows) {
    const { values, state, changed } = workRow
    if (workRow.isBlank) continue
    const day = dayOfRow(workRow, context.day)
    if (day !== undefined && now && day > now.today)
      addIssue(workRow, letters, {
        field: 'pricedate',
        code: 'price.future',
        params: { field: 'pricedate' },
        value: day,
      })
    const product = values.get('product')
    const unit = unitOf(workRow, directories)
    const usualPrice =
      isKnown(product) && typeof product.details.unit === 'number'
        ? directories.get('unit')?.of(product.details.unit)
        : undefined
    if (unit && usualPrice && unit.details.kind !== usualPrice.details.kind && !isFaulty(workRow, 'unit'))
      addIssue(workRow, letters, {
        field: 'unit',
        code: 'price.unit',
        params: { field: 'unit' },
        value: workRow.givenTexts.unit ?? unit.name,
        suggestion: { value: `#${usualPrice.id}`, label: usualPrice.name },
      })
    const price = values.get('price')
    if (typeof price === 'number' && (basePrice(price, unit?.details.factor) ?? 0) >= maxBasePrice)
      addIssue(workRow, letters, { field: 'price', code: 'price.too-high', params: { field: 'price' } })
    const isCorrection =
      state !== undefined && isPublished(workRow, context) && figures.some((name) => changed.includes(name))
    if (isCorrection && !hasNote(workRow))
      addIssue(workRow, letters, { field: 'note', code: 'state.reason', params: { field: 'note' } })
  }
}

/** Tells whether the price date of an imported row is published. */
export function isPublished(importedRow: WorkRow, { directories, day: defaultDay }: PriceContext): boolean {
  const pricedate = importedRow.values.get('pricedate')
  if (isKnown(pricedate)) return pricedate.details.state === 'published'
  const day = dayOfRow(importedRow, defaultDay)
  return day !== undefined && directories.get('pricedate')?.named(day)[0]?.details.state === 'published'
}

/** Tells whether an imported row has a reason for its price. */
export function hasNote({ values }: WorkRow): boolean {
  const note = values.get('note')
  return typeof note === 'string' && note.trim() !== ''
}

/** Returns the unit that an imported price will have. */
export function unitOf(
  { values, state }: WorkRow,
  directories: ReadonlyMap<string, LinkTargets>,
): LinkTarget | undefined {
  const rowUnit = values.get('unit')
  if (isKnown(rowUnit)) return rowUnit
  const storedUnit = state?.shared.unit
  return typeof storedUnit === 'number' ? directories.get('unit')?.of(storedUnit) : undefined
}
