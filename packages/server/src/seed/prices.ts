/** Sample prices: made by the rule that the samples describe (`priceList.algorithm`), the same ones every time. */
import { editor, supervisor } from './accounts.ts'
import reference from './data/reference.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import { minutesAfter, minutesOfDay } from './moments.ts'
import type { Seeder } from './seeder.ts'

const { priceList } = samples
type Range = (typeof priceList.products)[number]

/** Hours of a price day: prices come in before noon and go out in the afternoon (Asia/Tashkent). */
const enteredAt = 'T11:00:00+05:00'
const publishedAt = 'T16:00:00+05:00'

/** Days of prices, published, each with its cells; a day that somebody has begun is left to him. */
export async function seedPrices(seeder: Seeder): Promise<void> {
  const noise = randomNumbers(priceList.seed)
  for (const date of datesOf(priceList.dates)) {
    const { id: pricedate, isNew } = await seeder.add('pricedates', {
      date,
      state: 'published',
      published_at: minutesAfter(`${date}${publishedAt}`, 0),
      published_by: supervisor,
      createdAt: `${date}${enteredAt}`,
    })
    const cells = priceList.products.flatMap((range) =>
      priceList.districts.map((district) => {
        const price = priceOn(date, range, districtFactor(district), noise())
        return {
          product: range.product,
          district,
          pricedate,
          price,
          price_base: perBaseUnit(price, range.unit),
          unit: range.unit,
          currency: priceList.currency,
          author: editor,
          createdAt: `${date}${enteredAt}`,
        }
      }),
    )
    if (isNew) await seeder.insertMany('pricelists', cells)
  }
}

function datesOf({ from, to, stepDays }: typeof priceList.dates): string[] {
  const dates: string[] = []
  for (let day = from; day <= to; day = minutesAfter(day, stepDays * minutesOfDay).slice(0, 10)) dates.push(day)
  return dates
}

const districtFactor = (code: string): number =>
  Object.entries<number>(priceList.districtFactor).find(([known]) => known === code)?.[1] ?? 1

/** A price of the rule; `noise` lies between 0 and 1. */
function priceOn(date: string, { min, max, seasonLowMonth, roundTo }: Range, factor: number, noise: number): number {
  const swing = ((max - min) / (max + min)) * 0.8
  const monthsAfterLow = Number(date.slice(5, 7)) - (seasonLowMonth ?? 0)
  const season = seasonLowMonth === null ? 1 : 1 - swing * Math.cos((2 * Math.PI * monthsAfterLow) / 12)
  const price = ((min + max) / 2) * season * factor * (1 + (noise - 0.5) * 0.08)
  return Math.round(Math.min(Math.max(price, min * 0.9), max * 1.15) / roundTo) * roundTo
}

/** The price of one base unit; null for units of no fixed size. */
function perBaseUnit(price: number, unit: string): number | null {
  const factor = reference.units.find(({ code }) => code === unit)?.factor
  return factor ? Math.round((price / factor) * 10_000) / 10_000 : null
}

/** Numbers between 0 and 1 that follow from their seed alone (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
