/**
 * Rules of prices: the base price, the hard and the soft checks, and corrections of published prices
 * (content-model §8, market §4).
 */
import { basePrice, type ErrorCode, fault, judgePrice, maxBasePrice, mustBeConfirmed, paramsOfFlag } from '@dala/model'
import { type KnownPrice, knownPriceInWrite, type PricePlace } from '../domain/market/price-histories.ts'
import type { Behaviour, FieldValues, CheckedWrite } from '../resources/write/behaviour.ts'

/** Fields that make a price a new one when they change. */
const priceFields = ['price', 'price_max', 'unit'] as const

const refusal = (code: ErrorCode, field: string, extraParams: Record<string, string> = {}) => {
  const params = { field, ...extraParams }
  return fault(code, { params, issues: [{ path: [field], code, params }] })
}

const isNullOrUndefined = (value: unknown): value is null | undefined => value === null || value === undefined
const isBlankText = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** Returns the product, district and market of a price. The store refuses a price without them later. */
const placeOf = ({ product, district, unit, market_type: market }: FieldValues): PricePlace => ({
  product: Number(product ?? 0),
  district: Number(district ?? 0),
  unit: Number(unit ?? 0),
  marketType: String(market),
})

/**
 * Returns the result of a price's soft checks: its state and its flag.
 *
 * @throws 422 where they require a note or a confirmation.
 */
function judgedValues(
  { draft }: CheckedWrite,
  newValues: FieldValues,
  knownPrice: KnownPrice,
  day: FieldValues | undefined,
): FieldValues {
  const { price, price_max: limit } = newValues
  if (isNullOrUndefined(price)) return { state: 'ok', flag: null }
  const figure = { price: Number(price), price_max: isNullOrUndefined(limit) ? null : Number(limit) }
  const flag = judgePrice({ ...figure, factor: knownPrice.factor }, knownPrice)
  if (!flag) return { state: 'ok', flag: null }
  const isConfirmed = draft.confirm === true
  if (flag.severity === 'confirm' && isConfirmed && isBlankText(draft.note)) throw refusal('state.reason', 'note')
  // Published prices are shown immediately, so an unconfirmed price cannot be added to them.
  if (flag.severity === 'confirm' && !isConfirmed && day?.state === 'published') {
    const params = { field: 'price', ...paramsOfFlag(flag, 'en') }
    throw fault(flag.code, { params, issues: [{ path: ['price'], code: flag.code, params }], details: { flag } })
  }
  return { state: isConfirmed || day?.state === 'published' ? 'confirmed' : 'check', flag }
}

export const priceBehaviour: Behaviour = {
  targetColumns: { pricedate: ['date', 'state'] },
  locksFirst: 'pricedate',
  async settleValues(write) {
    const { operation, valuesBefore, values, caller, isTrusted, draft, target, trx } = write
    // The record of a day counts its prices, so the cached totals of days expire too.
    trx.changed('pricedates')
    if (operation === 'remove') return undefined
    const valuesAfter: FieldValues = { ...valuesBefore, ...values }
    const isChanged = (name: string) =>
      valuesBefore === undefined || (valuesAfter[name] ?? null) !== (valuesBefore[name] ?? null)
    const isRestored = operation === 'restore'
    // A figure that is confirmed, or entered again over a carried one, is a new price even if it is equal.
    const isReentered = draft.confirm === true || draft.entered === true
    const isNewPrice = priceFields.some(isChanged) || (!isRestored && isReentered)
    const isMoved = ['product', 'pricedate', 'district', 'market_type'].some(isChanged)
    if (!isRestored && !isNewPrice && !isMoved) return undefined

    const day = target('pricedate')
    // Charts show the newest figure, so a correction needs a note with its reason.
    const isCorrection = valuesBefore !== undefined && day?.state === 'published' && isNewPrice
    if (!isTrusted && isCorrection && isBlankText(draft.note)) throw refusal('state.reason', 'note')

    // An unconfirmed figure is never published, so it cannot be restored into a published day either.
    if (!isTrusted && isRestored && day?.state === 'published' && valuesBefore && mustBeConfirmed(valuesBefore))
      throw fault('price.unconfirmed', { params: { count: 1 }, details: { count: 1 } })

    // Seeds create thousands of prices with computed bases.
    if (isTrusted && values.price_base !== undefined && values.price_base !== null) return undefined
    const knownPrice =
      typeof day?.date === 'string' ? await knownPriceInWrite(trx, day.date, placeOf(valuesAfter)) : undefined
    if (!knownPrice) return undefined
    const { today, unitFactor, productKind, unitKind } = knownPrice.details
    const baseAmount = isNullOrUndefined(valuesAfter.price) ? null : basePrice(Number(valuesAfter.price), unitFactor)
    if (!isTrusted && typeof day?.date === 'string' && day.date > today) throw refusal('price.future', 'pricedate')
    if (baseAmount !== null && baseAmount >= maxBasePrice) throw refusal('price.too-high', 'price')
    if (!isTrusted && productKind !== null && productKind !== unitKind) throw refusal('price.unit', 'unit')
    if (isTrusted || isRestored) return { price_base: baseAmount }
    const judgement = judgedValues(write, valuesAfter, knownPrice, day)
    if (!isNewPrice) return { price_base: baseAmount, ...judgement }
    // The price is entered by this write, so statements about the former figure no longer apply.
    return { price_base: baseAmount, origin: 'entered', author: caller.id, ...judgement }
  },
}
