/**
 * Applies the soft checks to prices in a sheet: warnings of a preview, and the state of written prices
 * (market §4).
 */
import { paramsOfFlag, type PriceFlag } from '@dala/model'
import type { Queries } from '../../../db/database.ts'
import { type PriceToJudge, judgePrices } from '../../../domain/market/price-histories.ts'
import { addIssue, type CellValue, type WorkRow } from '../import-row.ts'
import { dayOfRow, figures, hasNote, isPublished, marketOfRow, type PriceContext, unitOf } from './rules.ts'

/** Returns the price that an imported row would write; undefined when none of its figures is new. */
function priceToJudge(importedRow: WorkRow, { directories }: PriceContext): PriceToJudge | undefined {
  const { values, state, changed, issues, isBlank } = importedRow
  const isNew = state === undefined || figures.some((name) => changed.includes(name))
  if (isBlank || !isNew || issues.some(({ level }) => level === 'error')) return undefined
  const figure = (name: 'price' | 'price_max') => Number(values.get(name) ?? state?.shared[name] ?? 0)
  const document = (name: 'product' | 'district') => documentOf(values.get(name)) ?? Number(state?.shared[name])
  const unit = unitOf(importedRow, directories)
  if (!unit || figure('price') <= 0) return undefined
  return {
    product: document('product'),
    district: document('district'),
    marketType: marketOfRow(importedRow),
    unit: unit.document,
    price: figure('price'),
    price_max: figure('price_max') > 0 ? figure('price_max') : null,
  }
}

const documentOf = (value: CellValue | undefined): number | undefined =>
  typeof value === 'object' && value !== null && 'document' in value ? value.document : undefined

/**
 * Judges imported prices of several days.
 *
 * @param queries - A transaction or the database.
 * @param prices - The prices with their days.
 * @returns For each price, in their order, its flag; undefined for a usual one.
 */
export async function judgeByDay(
  queries: Pick<Queries, 'query'>,
  prices: readonly { day: string; price: PriceToJudge }[],
): Promise<(PriceFlag | undefined)[]> {
  const flags: (PriceFlag | undefined)[] = prices.map(() => undefined)
  const indexesByDay = Map.groupBy(prices.keys(), (index) => prices[index]?.day ?? '')
  for (const [day, indexes] of indexesByDay) {
    const judgedPrices = await judgePrices(
      queries,
      day,
      indexes.flatMap((index) => prices[index]?.price ?? []),
    )
    for (const [position, index] of indexes.entries()) flags[index] = judgedPrices[position]
  }
  return flags
}

/** Adds a warning to each row with an unusual price, and a fault when a published day needs a reason. */
export async function warnOfPrices(context: PriceContext, workRows: readonly WorkRow[]): Promise<void> {
  const { letters, locale } = context
  const judgedRows = workRows.flatMap((importedRow) => {
    const [day, price] = [dayOfRow(importedRow, context.day), priceToJudge(importedRow, context)]
    return day !== undefined && price ? [{ work: importedRow, day, price }] : []
  })
  const flags = await judgeByDay(context.runner, judgedRows)
  for (const [index, { work }] of judgedRows.entries()) {
    const flag = flags[index]
    if (!flag) continue
    const { code, severity, suggestion } = flag
    const isUpperLimit = suggestion?.price === Number(work.values.get('price'))
    const meantPrice = isUpperLimit ? suggestion?.price_max : suggestion?.price
    addIssue(work, letters, {
      level: 'warning',
      field: isUpperLimit ? 'price_max' : 'price',
      code,
      params: paramsOfFlag(flag, locale),
      ...(typeof meantPrice === 'number' && { suggestion: { value: String(meantPrice), label: String(meantPrice) } }),
    })
    if (severity === 'confirm' && isPublished(work, context) && !hasNote(work))
      addIssue(work, letters, { field: 'note', code: 'state.reason', params: { field: 'note' } })
  }
}
