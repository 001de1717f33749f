/** Seeds sample companies, services, tools, and the trading posts of the farmers. */
import { editor, usernameOf } from './accounts.ts'
import type { Calendar } from './calendar.ts'
import samples from './data/samples.json' with { type: 'json' }
import { regionCodes } from './lists.ts'
import { minutesAfter, minutesOfDay } from './moments.ts'
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

/** Minutes for which a post is public (market §7). */
const postLifetime = 30 * minutesOfDay

/** Seeds sample companies; their delivery regions are named by slug. */
export async function seedCompanies(seeder: Seeder): Promise<void> {
  const codeOf = (slug: string) => regionCodes.get(slug) ?? slug
  const moveDate = seeder.calendar.mover(samples.companies.map(({ createdAt }) => createdAt))
  const records = samples.companies.map((company) => ({
    ...company,
    createdAt: moveDate(company.createdAt),
    delivery_regions: company.delivery_regions.map(codeOf),
  }))
  await seeder.addAll('companies', records)
}

/** Seeds offers of finance and business, and tools. */
export async function seedServices(seeder: Seeder): Promise<void> {
  await seeder.addAll('serviceposts', samples.serviceposts)
  await seeder.addAll('tools', samples.tools)
}

/** Seeds trading posts, distributed among the farmers; farmers from the district of a post come first. */
export async function seedPosts(seeder: Seeder): Promise<void> {
  const farmers = samples.chats.map(({ farmer, district }) => ({ username: usernameOf(farmer), district }))
  const { calendar } = seeder
  const moveDate = calendar.mover(samples.tradinposts.map(({ createdAt }) => createdAt))
  for (const [index, sample] of samples.tradinposts.entries()) {
    const farmer = farmers.find(({ district }) => district === sample.district) ?? farmers[index % farmers.length]
    const waits = sample.status === 'on_hold'
    const createdAt = waits ? calendar.onDayBefore(1, sample.createdAt) : moveDate(sample.createdAt)
    const post = { ...sample, createdAt }
    await seeder.add('tradinposts', { ...post, ...decisionOf(post, calendar), user: farmer?.username })
  }
}

/**
 * Returns the fields that moderators and the expiry timer set on a sample post in its state.
 *
 * @param post - The post.
 * @param calendar - The calendar of the seed.
 * @param reason - The reason of a refusal.
 * @returns The fields.
 */
export function decisionOf(
  { status, createdAt }: { status: string; createdAt: string },
  calendar: Calendar,
  reason = 'Не указано, есть ли ветеринарный паспорт',
): SeedRecord {
  switch (status) {
    case 'on_hold':
      return {}
    case 'rejected':
      return { moderated_by: editor, reason }
    case 'processed':
      // Public posts were renewed on the day of the seed, because expired posts are not shown.
      return { moderated_by: editor, expires_at: minutesAfter(calendar.before(0, '12:30'), postLifetime) }
    default:
      return { moderated_by: editor, expires_at: minutesAfter(createdAt, postLifetime) }
  }
}
