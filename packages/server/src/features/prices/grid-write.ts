/** Saves cells of the price table: each is accepted or refused for itself, all in one transaction (market §5). */
import {
  type Fault,
  fault,
  type FaultParams,
  type Issue,
  maxInteger,
  messageOf,
  paramsOfFlag,
  type PriceFlag,
  unswapped,
} from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { readHistoriesAhead } from '../../domain/market/price-histories.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import { type OneWrite, type Outcome, writeMany } from '../../resources/write/write-many.ts'
import { type Day, isDay, isMarketType, isThatDay } from './grid-read.ts'

/** Cells of one call (market §5). */
export const maxCells = 500

interface GridCell {
  product: number
  district: number
  /** What the write path is given: price, price_max, unit, note, as far as the body has them. */
  draft: Readonly<Record<string, unknown>>
  /** The version the writer saw, null when he saw none; undefined: whatever is there. */
  version: number | null | undefined
}

export interface GridDraft {
  day: Day
  marketType: string
  cells: readonly GridCell[]
}

interface Saved {
  product: number
  district: number
  id: number
  version: number
  state: string
  origin: string
  flag: PriceFlag | null
}

/** Why a cell is refused or waits, and what was probably meant. */
interface Remark {
  code: string
  message: string
  /** What the words of the code are filled with. */
  params: FaultParams
  suggestion?: PriceFlag['suggestion']
}

interface Rejected extends Remark {
  product: number
  district: number
  /** What the soft checks say of a figure that a published day does not take without a confirmation. */
  flag?: PriceFlag
  /** What a colleague left there, for a version that is not the present one. */
  current?: { price: number | null; price_max: number | null; version: number }
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** Names of a cell that go to the write path; `confirm` says that the figure is right though it is flagged. */
const written = ['price', 'price_max', 'unit', 'note', 'confirm'] as const

function toCell(cell: unknown): GridCell | undefined {
  if (!isObject(cell)) return undefined
  const { product, district, version } = cell
  const knowsVersion = version === undefined || version === null || isId(version)
  if (!isId(product) || !isId(district) || !knowsVersion) return undefined
  const draft = Object.fromEntries(written.filter((name) => cell[name] !== undefined).map((name) => [name, cell[name]]))
  return { product, district, draft, version }
}

/** Reads the body. Throws 422 with everything that is wrong with its frame; what a cell holds is judged cell by cell. */
export function toGridDraft(request: FastifyRequest): GridDraft {
  const body = new ActionBody(request)
  const [date, pricedate, marketType = 'retail'] = [body.raw('date'), body.id('pricedate'), body.raw('market_type')]
  if (!pricedate && !isDay(date)) body.wrong('date', date === undefined ? 'validation.required' : 'validation.date')
  if (!isMarketType(marketType)) body.wrong('market_type', 'validation.choice')
  const raw = body.raw('cells')
  const cells = Array.isArray(raw) ? raw.map(toCell) : []
  const known = cells.filter((cell) => cell !== undefined)
  if (cells.length === 0) body.wrong('cells', 'validation.required')
  if (cells.length > maxCells) body.wrong('cells', 'validation.maxItems', { max: maxCells })
  if (known.length < cells.length) body.wrong('cells', 'validation.relation')
  body.check()
  return { day: pricedate ? { pricedate } : { date: String(date) }, marketType: String(marketType), cells: known }
}

interface Place {
  product: number | null
  district: number | null
  /** Of the price that is there, else of the product. */
  unit: number | null
  id: number | null
  price: number | null
  origin: string | null
}

/** What stands in the places of the cells, in their order. */
function findPlaces(trx: Transaction, day: number, { marketType, cells }: GridDraft): Promise<Place[]> {
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
 * Saves the cells. In: the write's context with its transaction, the cells. Out: what was saved, and what was refused
 * and why. Throws 404 for a day out of reach; a cell that its rules refuse (422) is in the answer.
 */
export async function writeGrid(context: WriteContext & { trx: Transaction }, draft: GridDraft) {
  const { trx } = context
  const pricedates = resourceNamed('pricedates')
  const [found] = await trx.query(
    sql<{ id: number }>`select d.id from pricedates d where ${isThatDay(sql`d`, draft.day)}`,
  )
  // New prices of the day wait for this lock, so that nobody makes the same cell at the same time.
  const day = found && (await lockEntry(trx, pricedates, found.id, context))
  if (!day) throw fault('record.not-found')
  const places = await findPlaces(trx, day.document, draft)
  await readHistoriesAhead(trx, String(day.values.date), placesOf(draft, places))
  const outcomes = await writeCells(context, { ...draft, pricedate: day.entry }, places)
  const saved = new Map<number, GridCell>()
  const refused: Refused[] = []
  for (const [index, cell] of draft.cells.entries()) {
    const outcome = outcomes[index]
    if (!outcome) continue
    if ('refusal' in outcome) refused.push({ cell, price: places[index]?.id ?? null, refusal: outcome.refusal })
    else saved.set(outcome.id, cell)
  }
  const stored = await trx.query(sql<Omit<Saved, 'product' | 'district'>>`
    select id, version, state, origin, flag from pricelists where id = any(${[...saved.keys()]}::int[])`)
  return {
    saved: stored.flatMap((price) => {
      const cell = saved.get(price.id)
      return cell ? [{ product: cell.product, district: cell.district, ...price, ...remarkOn(price) }] : []
    }),
    rejected: await toRejected(trx, refused),
  }
}

/** What a flag says of a saved price that waits. */
function remarkOn({ state, flag }: Pick<Saved, 'state' | 'flag'>): Remark | undefined {
  if (state !== 'check' || !flag) return undefined
  const params = paramsOfFlag(flag, 'en')
  const said = { code: flag.code, message: messageOf(flag.code, params), params }
  return flag.suggestion ? { ...said, suggestion: flag.suggestion } : said
}

/** The places that are written in this call. */
function placesOf({ marketType, cells }: GridDraft, places: readonly Place[]) {
  return cells.flatMap(({ draft }, index) => {
    const { product = null, district = null, unit = null } = places[index] ?? {}
    const given = isId(draft.unit) ? draft.unit : unit
    return product !== null && district !== null && given !== null
      ? [{ product, district, marketType, unit: given }]
      : []
  })
}

/**
 * Writes the cells.
 *
 * @param context - The author and the open transaction.
 * @param target - The day, the market and the cells.
 * @param places - The places of the cells, in their order.
 * @returns The outcome of each cell, in their order; the refusal 409 for a version that is not the present one.
 */
async function writeCells(
  context: WriteContext & { trx: Transaction },
  { pricedate, marketType, cells }: GridDraft & { pricedate: number },
  places: readonly Place[],
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = []
  const writes: (OneWrite & { place: number })[] = []
  const met = new Set<string>()
  for (const [index, { product, district, draft, version }] of cells.entries()) {
    const place = places[index]
    if (!place) continue
    const key = `${place.product ?? `?${product}`}/${place.district ?? `?${district}`}`
    if (met.has(key)) outcomes[index] = { refusal: fault('validation.unique') }
    else if (place.id !== null && version === null && place.price !== null)
      outcomes[index] = { refusal: fault('record.stale') }
    else if (place.id === null) {
      const unit = place.unit === null ? {} : { unit: place.unit }
      const made = { ...unit, ...draft, product, district, pricedate, market_type: marketType }
      writes.push({ draft: made, place: index })
    } else {
      // The same figure typed over a carried one is entered today.
      const entered = place.origin === 'carried' && typeof draft.price === 'number' && { entered: true }
      const changed = { ...draft, ...entered, ...(isId(version) && { version }) }
      writes.push({ id: place.id, draft: changed, place: index })
    }
    met.add(key)
  }
  const written = await writeMany(context, resourceNamed('pricelists'), writes)
  for (const [index, { place }] of writes.entries()) outcomes[place] = written[index]
  return outcomes
}

interface Refused {
  cell: GridCell
  /** The price that stands in the place of the cell. */
  price: number | null
  refusal: Fault
}

async function toRejected(trx: Transaction, refused: readonly Refused[]): Promise<Rejected[]> {
  const stale = refused.filter(({ refusal }) => refusal.code === 'record.stale').flatMap(({ price }) => price ?? [])
  const present =
    stale.length === 0
      ? []
      : await trx.query(sql<NonNullable<Rejected['current']> & { id: number }>`
          select id, price::float8 as price, price_max::float8 as price_max, version
            from pricelists where id = any(${stale}::int[])`)
  const byId = new Map(present.map(({ id, ...current }) => [id, current]))
  return refused.map(({ cell, price, refusal }) => {
    const first: Issue | undefined = refusal.issues[0]
    const current = refusal.code === 'record.stale' && price !== null ? byId.get(price) : undefined
    return {
      product: cell.product,
      district: cell.district,
      code: first?.code ?? refusal.code,
      message: refusal.message,
      params: first?.params ?? refusal.params,
      ...suggested(cell, refusal),
      ...(current && { current }),
    }
  })
}

/** The figures probably meant by refused ones: a range with its ends in order, or the proposal of the soft checks. */
function suggested({ draft }: GridCell, { code, issues, details }: Fault): Pick<Rejected, 'suggestion' | 'flag'> {
  const { price, price_max: limit } = draft
  const isSwapped = code === 'rule.ascending' || issues.some((issue) => issue.code === 'rule.ascending')
  if (isSwapped && typeof price === 'number' && typeof limit === 'number')
    return { suggestion: unswapped({ price, price_max: limit }) }
  const flag = details.flag as PriceFlag | undefined
  return flag ? { flag, ...(flag.suggestion && { suggestion: flag.suggestion }) } : {}
}
