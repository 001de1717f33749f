/**
 * Saves cells of the price table: each is accepted or refused individually, all in one transaction (market
 * §5).
 */
import {
  type Fault,
  fault,
  type Issue,
  maxInteger,
  messageOf,
  paramsOfFlag,
  type PriceFlag,
  swapRange,
} from '@dala/model'
import type { GridBody, RejectedCell, SavedCell, SavedCells } from '@dala/model/api/prices'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { readHistoriesAhead } from '../../domain/market/price-histories.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import { type SingleWrite, type Outcome, writeEntries } from '../../resources/write/write-many.ts'
import { dayOf, dayConditionSql } from './grid-read.ts'

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** Reason why a saved price cell must be confirmed, with the likely figure. */
type CellFlag = Pick<SavedCell, 'code' | 'message' | 'params' | 'suggestion'>

type GridCell = GridBody['cells'][number]

/** Returns the values of a price cell for the write path, as far as the body has them. */
const draftOf = ({ product: _product, district: _district, version: _version, ...draft }: GridCell) => draft

interface Place {
  product: number | null
  district: number | null
  /** Unit of the present price of a price cell, else the unit of the product. */
  unit: number | null
  id: number | null
  price: number | null
  origin: string | null
}

/** Finds the present prices of price cells, in the order of the cells. */
function findPlaces(trx: Transaction, day: number, { market_type: marketType, cells }: GridBody): Promise<Place[]> {
  const [products, districts] = [cells.map(({ product }) => product), cells.map(({ district }) => district)]
  return trx.query(sql<Place>`
    select p.document_id as product, d.document_id as district, coalesce(c.unit_id, g.unit_id) as unit, c.id,
           c.price::float8 as price, c.origin
      from unnest(${products}::int[], ${districts}::int[]) with ordinality as w(product, district, place)
      left join products_texts p on p.id = w.product left join products g on g.id = p.document_id
      left join districts_texts d on d.id = w.district
      left join pricelists c on c.product_id = p.document_id and c.district_id = d.document_id
       and c.pricedate_id = ${day} and c.market_type = ${marketType}
     order by w.place`)
}

/**
 * Saves cells of the price table.
 *
 * @param context - The write's context with its transaction.
 * @param draft - The day, the market and the cells.
 * @returns The saved and the refused cells; a cell that breaks a rule is in the answer.
 * @throws 404 for a day that the caller may not see.
 */
export async function writeGrid(context: WriteContext & { trx: Transaction }, draft: GridBody): Promise<SavedCells> {
  const { trx } = context
  const pricedates = resourceNamed('pricedates')
  const [foundDay] = await trx.query(
    sql<{ id: number }>`select d.id from pricedates d where ${dayConditionSql(sql`d`, dayOf(draft))}`,
  )
  // New prices of the day wait for the lock of the day, so that nobody creates the same cell at the same
  // time.
  const day = foundDay && (await lockEntry(trx, pricedates, foundDay.id, context))
  if (!day) throw fault('record.not-found')
  const cellTargets = await findPlaces(trx, day.document, draft)
  await readHistoriesAhead(trx, String(day.values.date), placesOf(draft, cellTargets))
  const outcomes = await writeCells(context, { ...draft, pricedate: day.entry }, cellTargets)
  const savedCells = new Map<number, GridCell>()
  const refusedPrices: RefusedPrice[] = []
  for (const [index, cell] of draft.cells.entries()) {
    const outcome = outcomes[index]
    if (!outcome) continue
    if ('refusal' in outcome)
      refusedPrices.push({ cell, price: cellTargets[index]?.id ?? null, refusal: outcome.refusal })
    else savedCells.set(outcome.id, cell)
  }
  const storedPrices = await trx.query(sql<Omit<SavedCell, 'product' | 'district' | keyof CellFlag>>`
    select id, version, state, origin, flag from pricelists where id = any(${[...savedCells.keys()]}::int[])`)
  return {
    saved: storedPrices.flatMap((price) => {
      const cell = savedCells.get(price.id)
      return cell ? [{ product: cell.product, district: cell.district, ...price, ...cellFlagOf(price) }] : []
    }),
    rejected: await toRejected(trx, refusedPrices),
  }
}

/** Describes the flag of a saved price that must be confirmed. */
function cellFlagOf({ state, flag }: Pick<SavedCell, 'state' | 'flag'>): CellFlag | undefined {
  if (state !== 'check' || !flag) return undefined
  const params = paramsOfFlag(flag, 'en')
  const cellFlag = { code: flag.code, message: messageOf(flag.code, params), params }
  return flag.suggestion ? { ...cellFlag, suggestion: flag.suggestion } : cellFlag
}

/** Returns the cells of the price table that a call writes. */
function placesOf({ market_type: marketType, cells }: GridBody, cellTargets: readonly Place[]) {
  return cells.flatMap((cell, index) => {
    const { product = null, district = null, unit = null } = cellTargets[index] ?? {}
    const chosenUnit = isId(cell.unit) ? cell.unit : unit
    return product !== null && district !== null && chosenUnit !== null
      ? [{ product, district, marketType, unit: chosenUnit }]
      : []
  })
}

/**
 * Writes cells of the price table.
 *
 * @param context - The author and the open transaction.
 * @param target - The day, the market and the cells.
 * @param cellTargets - The places of the cells, in their order.
 * @returns The result of each cell, in their order; 409 for a stale version.
 */
async function writeCells(
  context: WriteContext & { trx: Transaction },
  { pricedate, market_type, cells }: GridBody & { pricedate: number },
  cellTargets: readonly Place[],
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = []
  const cellWrites: (SingleWrite & { place: number })[] = []
  const seenPlaces = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const { product, district, version } = cell
    const draft = draftOf(cell)
    const cellTarget = cellTargets[index]
    if (!cellTarget) continue
    const key = `${cellTarget.product ?? `?${product}`}/${cellTarget.district ?? `?${district}`}`
    if (seenPlaces.has(key)) outcomes[index] = { refusal: fault('validation.unique') }
    else if (cellTarget.id !== null && version === null && cellTarget.price !== null)
      outcomes[index] = { refusal: fault('record.stale') }
    else if (cellTarget.id === null) {
      const unit = cellTarget.unit === null ? {} : { unit: cellTarget.unit }
      const newPrice = { ...unit, ...draft, product, district, pricedate, market_type }
      cellWrites.push({ draft: newPrice, place: index })
    } else {
      // A carried price that is typed again becomes an entered price of today.
      const enteredFlag = cellTarget.origin === 'carried' && typeof draft.price === 'number' && { entered: true }
      const changedDraft = { ...draft, ...enteredFlag, ...(isId(version) && { version }) }
      cellWrites.push({ id: cellTarget.id, draft: changedDraft, place: index })
    }
    seenPlaces.add(key)
  }
  const writtenCells = await writeEntries(context, resourceNamed('pricelists'), cellWrites)
  for (const [index, { place }] of cellWrites.entries()) outcomes[place] = writtenCells[index]
  return outcomes
}

interface RefusedPrice {
  cell: GridCell
  /** Present price of the saved cell. */
  price: number | null
  refusal: Fault
}

async function toRejected(trx: Transaction, rejectedPrices: readonly RefusedPrice[]): Promise<RejectedCell[]> {
  const staleIds = rejectedPrices
    .filter(({ refusal }) => refusal.code === 'record.stale')
    .flatMap(({ price }) => price ?? [])
  const presentPrices =
    staleIds.length === 0
      ? []
      : await trx.query(sql<NonNullable<RejectedCell['current']> & { id: number }>`
          select id, price::float8 as price, price_max::float8 as price_max, version
            from pricelists where id = any(${staleIds}::int[])`)
  const pricesById = new Map(presentPrices.map(({ id, ...presentFields }) => [id, presentFields]))
  return rejectedPrices.map(({ cell, price, refusal }) => {
    const firstIssue: Issue | undefined = refusal.issues[0]
    const currentPrice = refusal.code === 'record.stale' && price !== null ? pricesById.get(price) : undefined
    return {
      product: cell.product,
      district: cell.district,
      code: firstIssue?.code ?? refusal.code,
      message: refusal.message,
      params: firstIssue?.params ?? refusal.params,
      ...suggestFigures(cell, refusal),
      ...(currentPrice && { current: currentPrice }),
    }
  })
}

/** Suggests figures for refused prices: a range in the right order, or the proposal of the soft checks. */
function suggestFigures(cell: GridCell, { code, issues, details }: Fault): Pick<RejectedCell, 'suggestion' | 'flag'> {
  const { price, price_max: limit } = cell
  const isSwapped = code === 'rule.ascending' || issues.some((issue) => issue.code === 'rule.ascending')
  if (isSwapped && typeof price === 'number' && typeof limit === 'number')
    return { suggestion: swapRange({ price, price_max: limit }) }
  const flag = details.flag as PriceFlag | undefined
  return flag ? { flag, ...(flag.suggestion && { suggestion: flag.suggestion }) } : {}
}
