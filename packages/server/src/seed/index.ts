/** Fills a new database: roles and places, reference lists, sample content and accounts, all through the write service. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { PasswordPolicy, Settings } from '../settings.ts'
import { seedAccounts, seedOwner } from './accounts.ts'
import { seedChats, seedConsultations } from './advice.ts'
import { seedContent } from './content.ts'
import { seedLearning } from './learning.ts'
import { referenceLists, seedRoles } from './lists.ts'
import { seedCompanies, seedPosts, seedServices } from './market.ts'
import { seedPrices } from './prices.ts'
import { seedReplies } from './replies.ts'
import { type KnownIds, Seeder } from './seeder.ts'

export interface SeedSettings {
  seed: 'demo' | 'reference' | 'none'
  ownerEmail: string
  ownerPassword?: string
  demoPassword?: string
  /** `spec` when absent. */
  passwordPolicy?: PasswordPolicy
}

/** What was made, and what a person has to be told once: the accounts with a generated password. */
export interface SeedReport {
  /** Names of the parts that were filled now: `roles`, `list tags`, `demo news`. */
  made: string[]
  owner?: { email: string; password: string | undefined }
  demo?: { password: string; emails: string[] }
}

/** The part of the settings that is about seeding. */
export function seedSettings(settings: Settings): SeedSettings {
  const { seed, ownerEmail, ownerPassword, demoPassword, passwordPolicy } = settings
  return {
    seed,
    ownerEmail,
    passwordPolicy,
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

/** Something that is filled as a whole, once. */
type Part = readonly [name: string, fill: (seeder: Seeder) => Promise<unknown>]

/** The parts of a setting, each after those that its links lead to. */
function partsOf(settings: SeedSettings, report: SeedReport): Part[] {
  const parts: Part[] = [['roles', seedRoles]]
  if (settings.seed === 'none') return parts
  // Each list for itself: one that comes with a later version is filled when that version first starts.
  for (const [name, records] of referenceLists()) {
    parts.push([`list ${name}`, (seeder) => seeder.addAll(name, records)])
  }
  if (settings.seed === 'reference') return parts
  return [
    ...parts,
    [
      'demo accounts',
      async (seeder) => {
        const password = settings.demoPassword ?? generatePassword()
        const emails = await seedAccounts(seeder, password)
        if (emails.length > 0) report.demo = { password, emails }
      },
    ],
    ['demo content', seedContent],
    ['demo companies', seedCompanies],
    ['demo services', seedServices],
    ['demo learning', seedLearning],
    ['demo posts', seedPosts],
    ['demo prices', seedPrices],
    ['demo consultations', seedConsultations],
    ['demo chats', seedChats],
    ['demo replies', seedReplies],
  ]
}

/**
 * Seeds what the setting asks for and the database does not have yet.
 *
 * Each part is one transaction with its mark, so an interrupted seed goes on with the part where it stopped, a second
 * start changes nothing, and of two servers that start together one waits for the other.
 * Out: the passwords that were generated, to be printed once.
 */
export async function seed(database: Database, settings: SeedSettings): Promise<SeedReport> {
  const report: SeedReport = { made: [] }
  const known: KnownIds = new Map()
  const rows = await database.query(sql<{ name: string }>`select name from seeds`)
  const done = new Set(rows.map(({ name }) => name))
  for (const [name, fill] of partsOf(settings, report)) {
    if (done.has(name)) continue
    await database.transaction(async (trx) => {
      const [mine] = await trx.query(
        sql`insert into seeds (name) values (${name}) on conflict do nothing returning name`,
      )
      if (!mine) return
      await fill(new Seeder(database, trx, known, settings.passwordPolicy))
      report.made.push(name)
    })
  }

  const password = settings.ownerPassword ?? generatePassword()
  if (
    await database.transaction((trx) =>
      seedOwner(new Seeder(database, trx, known, settings.passwordPolicy), settings.ownerEmail, password),
    )
  ) {
    report.owner = { email: settings.ownerEmail, password: settings.ownerPassword === undefined ? password : undefined }
  }
  return report
}
