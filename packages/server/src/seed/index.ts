/** Fills a new database: roles and places, reference lists, sample content and accounts, all through the write service. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { seedAccounts, seedOwner } from './accounts.ts'
import { referenceLists, seedContent, seedList, seedPlaces } from './lists.ts'
import { Seeder } from './seeder.ts'

export interface SeedSettings {
  seed: 'demo' | 'reference' | 'none'
  ownerEmail: string
  ownerPassword?: string
  demoPassword?: string
}

/** What a person has to be told, once: the accounts that were made with a generated password. */
export interface SeedReport {
  owner?: { email: string; password: string | undefined }
  demo?: { password: string; emails: string[] }
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
  const report: SeedReport = {}
  const seeder = new Seeder(database)
  const once = async (name: string, work: () => Promise<void>) => {
    const [done] = await database.query(sql`select 1 from seeds where name = ${name}`)
    if (done) return
    await work()
    await database.query(sql`insert into seeds (name) values (${name}) on conflict do nothing`)
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
