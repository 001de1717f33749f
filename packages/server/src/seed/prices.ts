/** Sample prices: the last Mondays in the districts that the samples name. */
import { editor, supervisor } from './accounts.ts'
import { minutesAfter } from './moments.ts'
import { currency, firstDistricts, perBaseUnit, pricedProducts, priceOn } from './price-rule.ts'
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

/** Hours of a price day: prices come in before noon and go out in the afternoon (Asia/Tashkent). */
const enteredAt = 'T11:00:00+05:00'
const publishedAt = 'T16:00:00+05:00'

/** Days of prices that are there from the first start on: a quarter of a year. */
const firstDays = 13

/** The record of a published day. */
export const dayRecord = (date: string): SeedRecord => ({
  date,
  state: 'published',
  published_at: minutesAfter(`${date}${publishedAt}`, 0),
  published_by: supervisor,
  createdAt: enteredOn(date),
})

/** The moment when the prices of a day were entered. */
export const enteredOn = (date: string): string => `${date}${enteredAt}`

/** Days of prices, published, each with its cells; a day that somebody has begun is left to them. */
export async function seedPrices(seeder: Seeder): Promise<void> {
  for (const date of seeder.calendar.mondays(firstDays)) {
    const { id: pricedate, isNew } = await seeder.add('pricedates', dayRecord(date))
    const cells = pricedProducts.flatMap((range) =>
      firstDistricts.map((district) => {
        const price = priceOn(date, range, district)
        return {
          product: range.product,
          district,
          pricedate,
          price,
          price_base: perBaseUnit(price, range.unit),
          unit: range.unit,
          currency,
          author: editor,
          createdAt: enteredOn(date),
        }
      }),
    )
    if (isNew) await seeder.insertMany('pricelists', cells)
  }
}
