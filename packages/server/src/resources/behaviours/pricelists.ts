/** Rules of prices: the base price, the hard and the soft checks, and corrections of what is published (content-model §8, market §4). */
import { type ErrorCode, fault, mustBeConfirmed, paramsOfFlag } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { judgeInWrite } from '../price-histories.ts'
import { reportDay } from '../report-day.ts'
import type { Behaviour, Facts, SettledWrite } from './behaviour.ts'

/** What a price says; a change of it makes it a new price. */
const figures = ['price', 'price_max', 'unit'] as const

/** What the column of the base price has room for. */
const maxBase = 10_000_000_000

const refused = (code: ErrorCode, field: string, given: Record<string, string> = {}) => {
  const params = { field, ...given }
  return fault(code, { params, issues: [{ path: [field], code, params }] })
}

interface Base {
  today: string
  base: number | null
  productKind: string | null
  unitKind: string | null
}

/** The price of one base unit, worked out by the database, and the kinds that must agree. */
async function baseOf({ trx }: SettledWrite, { product, unit, price }: Facts): Promise<Base> {
  const [row] = await trx.query(sql<Base>`
    select ${reportDay()} as today, round(${price}::numeric / u.factor, 4) as base, u.kind as "unitKind", pu.kind as "productKind"
      from units u left join products p on p.id = ${product} left join units pu on pu.id = p.unit_id
     where u.id = ${unit}`)
  return row ?? { today: '', base: null, productKind: null, unitKind: null }
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined
const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** What the soft checks make of a price: its state and its flag. Throws 422 where they ask for a note or a confirmation. */
async function judged(write: SettledWrite, after: Facts, day: Facts | undefined): Promise<Facts> {
  const { trx, draft } = write
  const { product, district, unit, price, price_max: limit, market_type: market } = after
  if (isNothing(price) || typeof day?.date !== 'string') return { state: 'ok', flag: null }
  const place = { product: Number(product), district: Number(district), unit: Number(unit), marketType: String(market) }
  const flag = await judgeInWrite(trx, day.date, place, {
    price: Number(price),
    price_max: isNothing(limit) ? null : Number(limit),
  })
  if (!flag) return { state: 'ok', flag: null }
  const isConfirmed = draft.confirm === true
  if (flag.severity === 'confirm' && isConfirmed && isBlank(draft.note)) throw refused('state.reason', 'note')
  // What is published is read at once: nothing that waits comes in there.
  if (flag.severity === 'confirm' && !isConfirmed && day.state === 'published') {
    const params = { field: 'price', ...paramsOfFlag(flag, 'en') }
    throw fault(flag.code, { params, issues: [{ path: ['price'], code: flag.code, params }], details: { flag } })
  }
  return { state: isConfirmed || day.state === 'published' ? 'confirmed' : 'check', flag }
}

export const priceBehaviour: Behaviour = {
  looksAt: { pricedate: ['date', 'state'] },
  async settle(write) {
    const { operation, before, values, caller, trusted, draft, target, trx } = write
    // A day counts its prices, so its totals move with them.
    trx.changed('pricedates')
    if (operation === 'remove') return undefined
    const after: Facts = { ...before, ...values }
    const isChanged = (name: string) => before === undefined || (after[name] ?? null) !== (before[name] ?? null)
    const isRestored = operation === 'restore'
    // A figure that is confirmed, or typed again over a carried one, is a new price though it says the same.
    const isSaidAgain = draft.confirm === true || draft.entered === true
    const isNewPrice = figures.some(isChanged) || (!isRestored && isSaidAgain)
    const isMoved = ['product', 'pricedate', 'district', 'market_type'].some(isChanged)
    if (!isRestored && !isNewPrice && !isMoved) return undefined

    const day = target('pricedate')
    // Charts show the newest figure; why it was corrected must stand beside it.
    const isCorrection = before !== undefined && day?.state === 'published' && isNewPrice
    if (!trusted && isCorrection && isBlank(draft.note)) throw refused('state.reason', 'note')

    // Nobody publishes a figure that waits to be confirmed, so it does not come back into a published day either.
    if (!trusted && isRestored && day?.state === 'published' && before && mustBeConfirmed(before))
      throw fault('price.unconfirmed', { params: { count: 1 }, details: { count: 1 } })

    // Seeds bring thousands of them, worked out already.
    if (trusted && values.price_base !== undefined && values.price_base !== null) return undefined
    const { today, base, productKind, unitKind } = await baseOf(write, { ...after, price: after.price ?? null })
    if (!trusted && typeof day?.date === 'string' && day.date > today) throw refused('price.future', 'pricedate')
    if (base !== null && base >= maxBase) throw refused('price.too-high', 'price')
    if (!trusted && productKind !== null && productKind !== unitKind) throw refused('price.unit', 'unit')
    if (trusted || isRestored) return { price_base: base }
    const judgement = await judged(write, after, day)
    if (!isNewPrice) return { price_base: base, ...judgement }
    // Somebody has entered it: nothing that was said of the former figure holds.
    return { price_base: base, origin: 'entered', author: caller.id, ...judgement }
  },
}
