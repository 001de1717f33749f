/**
 * Fills a new database through the write service: roles, places, reference lists, sample content and
 * accounts.
 */
import { zoneOffset } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import type { Settings } from '../settings.ts'
import type { KnownIds } from './seeder.ts'
import { generatePassword, type SeedReport, type SeedSettings } from './seed-settings.ts'

export type { SeedReport, SeedSettings } from './seed-settings.ts'

/** Returns the settings of the seed. */
export function seedSettings(settings: Settings): SeedSettings {
  const { seed, seedDate, timeZone, ownerEmail, ownerPassword, demoPassword, passwordPolicy } = settings
  return {
    seed,
    ownerEmail,
    passwordPolicy,
    timeZone,
    ...(seedDate !== undefined && { day: seedDate }),
    ...(ownerPassword !== undefined && { ownerPassword }),
    ...(demoPassword !== undefined && { demoPassword }),
  }
}

/** Formats the created accounts as lines for the terminal. */
export function accountLines({ owner, demo }: SeedReport): string[] {
  const lines: string[] = []
  if (owner) lines.push(`Owner: ${owner.email}${owner.password === undefined ? '' : `  password: ${owner.password}`}`)
  if (demo) lines.push(`Demo accounts: ${demo.emails.join(', ')}  password: ${demo.password}`)
  return lines
}

const internalResources = ['roles']
const lists = [
  'genders',
  'statuses',
  'units',
  'directions',
  'agrocultureareas',
  'activitytypes',
  'servicecategories',
  'productcategories',
  'products',
  'companycategories',
  'consultantcategories',
  'consultationcategories',
  'coursecategories',
  'coursetypes',
  'tags',
  'tradingposttypes',
  'tradingpostcategories',
  'moderationreasons',
  'moderationwords',
  'faqs',
  'regions',
  'statistics',
  'districts',
]
const samples = [
  'accounts',
  'content',
  'companies',
  'services',
  'learning',
  'posts',
  'prices',
  'consultations',
  'chats',
  'replies',
]
const reference = [...internalResources, ...lists.map((name) => `list ${name}`)]
const shownNames = [...reference, ...samples.map((name) => `demo ${name}`)]

/**
 * The names of the parts of each setting that a start waits for. The parts themselves (`parts.ts`) include
 * their content, which is loaded only when one of them is missing.
 */
export const partNames: Readonly<Record<SeedSettings['seed'], readonly string[]>> = {
  none: internalResources,
  reference,
  samples: shownNames,
  demo: shownNames,
}

/**
 * Reads the names of the completed parts of the seed.
 *
 * @param database - The database.
 * @returns The time of each mark by the name of its part.
 */
export async function marksOf(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query(sql<{ name: string; at: string }>`select name, done_at as at from seeds`)
  return new Map(rows.map(({ name, at }) => [name, Date.parse(at)]))
}

/** Returns the day before which the samples take place: the setting, else the day of the first start. */
export function dayOfSeed(marks: ReadonlyMap<string, number>, settings: SeedSettings): string {
  const { day, timeZone = 'Asia/Tashkent' } = settings
  const moment = Math.min(...marks.values(), Date.now())
  return day ?? new Date(moment + zoneOffset(timeZone)(moment) * 60_000).toISOString().slice(0, 10)
}

/** Tells whether an owner exists; servers that start together check again before they create one. */
async function hasOwner(database: Database): Promise<boolean> {
  const owners = await database.query(
    sql`select from users u join roles r on r.id = u.role_id where r.type = 'owner' limit 1`,
  )
  return owners.length > 0
}

/**
 * Seeds the missing parts of the setting. Each part is one transaction with its mark. An interrupted seed
 * therefore continues with the interrupted part, a second start changes nothing, and of two servers that
 * start together one waits for the other.
 *
 * @param database - The database.
 * @param settings - The settings of the seed.
 * @returns The created accounts with their generated passwords, to be printed once.
 */
export async function seed(database: Database, settings: SeedSettings): Promise<SeedReport> {
  const report: SeedReport = { filledParts: [] }
  const completedParts = await marksOf(database)
  if (partNames[settings.seed].every((name) => completedParts.has(name)) && (await hasOwner(database))) return report

  const { partsOf, Seeder, seedOwner } = await import('./parts.ts')
  const knownIds: KnownIds = new Map()
  const day = dayOfSeed(completedParts, settings)
  for (const [name, fill] of partsOf(settings, report)) {
    if (completedParts.has(name)) continue
    await database.transaction(async (trx) => {
      const [insertedSeed] = await trx.query(
        sql`insert into seeds (name) values (${name}) on conflict do nothing returning name`,
      )
      if (!insertedSeed) return
      await fill(new Seeder(database, trx, knownIds, { ...settings, day }))
      report.filledParts.push(name)
    })
  }

  const password = settings.ownerPassword ?? generatePassword()
  if (
    await database.transaction((trx) =>
      seedOwner(new Seeder(database, trx, knownIds, { ...settings, day }), settings.ownerEmail, password),
    )
  ) {
    report.owner = { email: settings.ownerEmail, password: settings.ownerPassword === undefined ? password : undefined }
  }
  return report
}
