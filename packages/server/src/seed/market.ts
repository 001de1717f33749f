/** Sample companies, services, tools, and the trading posts of the farmers. */
import { editor, usernameOf } from './accounts.ts'
import samples from './data/samples.json' with { type: 'json' }
import { regionCodes } from './lists.ts'
import { minutesAfter, minutesOfDay } from './moments.ts'
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

/** Days for which a post is shown (product/market.md §7). */
const shownFor = 30 * minutesOfDay

/** Companies; the regions they deliver to are named by slug. */
export async function seedCompanies(seeder: Seeder): Promise<void> {
  const codeOf = (slug: string) => regionCodes.get(slug) ?? slug
  const records = samples.companies.map((company) => ({
    ...company,
    delivery_regions: company.delivery_regions.map(codeOf),
  }))
  await seeder.addAll('companies', records)
}

/** Offers of finance and business, and tools. */
export async function seedServices(seeder: Seeder): Promise<void> {
  await seeder.addAll('serviceposts', samples.serviceposts)
  await seeder.addAll('tools', samples.tools)
}

/** Trading posts, shared out among the farmers; one from the district of a post comes first. */
export async function seedPosts(seeder: Seeder): Promise<void> {
  const farmers = samples.chats.map(({ farmer, district }) => ({ username: usernameOf(farmer), district }))
  const now = new Date().toISOString()
  for (const [index, post] of samples.tradinposts.entries()) {
    const farmer = farmers.find(({ district }) => district === post.district) ?? farmers[index % farmers.length]
    await seeder.add('tradinposts', { ...post, ...decisionOf(post, now), user: farmer?.username })
  }
}

/** What the moderators and the clock have left on a post in its state. */
function decisionOf({ status, createdAt }: { status: string; createdAt: string }, now: string): SeedRecord {
  switch (status) {
    case 'on_hold':
      return {}
    case 'rejected':
      return { moderated_by: editor, reason: 'Не указано, есть ли ветеринарный паспорт' }
    case 'processed':
      // Renewed on the day of the seed: a demonstration whose posts have all run out shows little.
      return { moderated_by: editor, expires_at: minutesAfter(now, shownFor) }
    default:
      return { moderated_by: editor, expires_at: minutesAfter(createdAt, shownFor) }
  }
}
