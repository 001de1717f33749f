/** Sample content: news, the page about the service, its pages and short texts, partners and branches. */
import additions from './data/additions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder } from './seeder.ts'

/** Writes what the samples have, and of our own what they lack (data notes: `about` has no sample). */
export async function seedContent(seeder: Seeder): Promise<void> {
  const moved = seeder.calendar.mover(samples.news.map(({ createdAt }) => createdAt))
  await seeder.addAll(
    'news',
    samples.news.map((item) => ({
      ...item,
      createdAt: moved(item.createdAt),
      date: moved(item.createdAt).slice(0, 10),
    })),
  )
  await seeder.addAll('about', additions.about)
  await seeder.addAll('pages', additions.pages)
  await seeder.addAll('additionalinfos', additions.additionalinfos)
  await seeder.addAll('partners', samples.partners)
  await seeder.addAll('branches', samples.branches)
}
