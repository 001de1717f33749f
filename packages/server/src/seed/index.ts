/** Fills a new database: roles and places, reference lists, sample content and accounts, all through the write service. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Settings } from '../settings.ts'
import { seedAccounts, seedOwner } from './accounts.ts'
import { referenceLists, seedContent, seedList, seedPlaces } from './lists.ts'
import { Seeder } from './seeder.ts'

export interface SeedSettings {
  seed: 'demo' | 'reference' | 'none'
  ownerEmail: string
  ownerPassword?: string
  demoPassword?: string
}

/** What was made, and what a person has to be told once: the accounts with a generated password. */
export interface SeedReport {
  /** Names of the parts that were filled now: `places`, `list tags`, `demo`. */
  made: string[]
  owner?: { email: string; password: string | undefined }
  demo?: { password: string; emails: string[] }
}

/** The part of the settings that is about seeding. */
export function seedSettings({ seed, ownerEmail, ownerPassword, demoPassword }: Settings): SeedSettings {
  return {
    seed,
    ownerEmail,
    ...(ownerPassword !== undefined && { ownerPassword }),
    ...(demoPassword !== undefined && { demoPassword }),
  }
}

/** The accounts that were made, in lines for the terminal. */
export function accountLines({ owner, demo }: SeedReport): string[] {
  const lines: string[] = []
  if (owner) lines.push(`Owner: ${owner.email}${owner.password === undefined ? '' : `  password: ${owner.password}`}`)
  if (demo) lines.push(`Demo accounts: ${demo.emails.join(', ')}  password: ${demo.password}`)
  return lines
}

// Without the letters and digits that are taken for each other.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 16 random characters: the longest the spec's rule allows (spec §5). */
export function generatePassword(): string {
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}

/**
 * Seeds what the setting asks for and the database does not have yet.
 *
 * Each part is marked when it is done, so an interrupted seed goes on where it stopped and a second start changes
 * nothing. Out: the passwords that were generated, to be printed once.
 */
export async function seed(database: Database, settings: SeedSettings): Promise<SeedReport> {
  const report: SeedReport = { made: [] }
  const seeder = new Seeder(database)
  const once = async (name: string, work: () => Promise<void>) => {
    const [done] = await database.query(sql`select 1 from seeds where name = ${name}`)
    if (done) return
    await work()
    await database.query(sql`insert into seeds (name) values (${name}) on conflict do nothing`)
    report.made.push(name)
  }

  await once('roles', () => seeder.roles())
  if (settings.seed !== 'none') {
    await once('places', () => seedPlaces(seeder))
    // Each list for itself: one that comes with a later version is filled when that version first starts.
    for (const [resource, records] of referenceLists()) {
      await once(`list ${resource.name}`, () => seedList(seeder, resource, records))
    }
  }
  if (settings.seed === 'demo') {
    await once('demo', async () => {
      await seedContent(seeder)
      const password = settings.demoPassword ?? generatePassword()
      report.demo = { password, emails: await seedAccounts(seeder, password) }
    })
  }
  const password = settings.ownerPassword ?? generatePassword()
  if (await seedOwner(seeder, settings.ownerEmail, password)) {
    report.owner = { email: settings.ownerEmail, password: settings.ownerPassword === undefined ? password : undefined }
  }
  return report
}
