/** Seeds sample prices: the last Mondays in the districts of the samples. */
import { editor, supervisor } from './accounts.ts'
import { minutesAfter } from './moments.ts'
import { currency, firstDistricts, perBaseUnit, pricedProducts, priceOn } from './price-rule.ts'
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

/**
 * Times of a sample price day: prices are entered before noon and published in the afternoon (Asia/Tashkent).
 */
const enteredAt = 'T11:00:00+05:00'
const publishedAt = 'T16:00:00+05:00'

/** Number of days with prices from the first start on: a quarter of a year. */
const firstDays = 13

/** Returns the record of a published price day. */
export const dayRecord = (date: string): SeedRecord => ({
  date,
  state: 'published',
  published_at: minutesAfter(`${date}${publishedAt}`, 0),
  published_by: supervisor,
  createdAt: entryTimeOf(date),
})

/** Returns the time at which the sample prices of a day were entered. */
export const entryTimeOf = (date: string): string => `${date}${enteredAt}`

/** Seeds published days with all their prices; a day that a user has begun is skipped. */
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
          createdAt: entryTimeOf(date),
        }
      }),
    )
    if (isNew) await seeder.insertMany('pricelists', cells)
  }
}
