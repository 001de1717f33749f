/**
 * Seeds sample content: news, the page about the service, its pages and short texts, partners and branches.
 */
import additions from './data/additions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

type SampleNews = (typeof samples.news)[number]

/** Dates seasonal news in their season, the others at the intervals of the samples. */
function datedNews({ calendar }: Seeder): SeedRecord[] {
  const moveDate = calendar.mover(samples.news.map(({ createdAt }) => createdAt))
  return samples.news.map(({ month, ...item }: SampleNews & { month?: number }) => {
    const createdAt =
      month === undefined
        ? moveDate(item.createdAt)
        : calendar.onDayBefore(calendar.daysSince(month, dateOf(item.createdAt)), item.createdAt)
    return { ...item, createdAt, date: createdAt.slice(0, 10) }
  })
}

/** Returns the day of the month, limited to days that every month has. */
const dateOf = (moment: string) => Math.min(Number(moment.slice(8, 10)), 28)

/**
 * Seeds the sample content, and additions where the samples lack content (data notes: `about` has no sample).
 */
export async function seedContent(seeder: Seeder): Promise<void> {
  await seeder.addAll('news', datedNews(seeder))
  await seeder.addAll('about', additions.about)
  await seeder.addAll('pages', additions.pages)
  await seeder.addAll('additionalinfos', additions.additionalinfos)
  await seeder.addAll('partners', samples.partners)
  await seeder.addAll('branches', samples.branches)
}
