/** The parts of a seed with their content: roles, places, reference lists, sample content and accounts. */
import { seedAccounts, seedOwner } from './accounts.ts'
import { seedChats, seedConsultations } from './advice.ts'
import { seedContent } from './content.ts'
import { seedLearning } from './learning.ts'
import { referenceLists, seedRoles } from './lists.ts'
import { seedCompanies, seedPosts, seedServices } from './market.ts'
import { seedPrices } from './prices.ts'
import { seedReplies } from './replies.ts'
import { generatePassword, type SeedReport, type SeedSettings } from './seed-settings.ts'
import { Seeder } from './seeder.ts'

export { seedOwner, Seeder }

/** A part of the seed that is filled completely, once. */
type Part = readonly [name: string, fill: (seeder: Seeder) => Promise<unknown>]

/**
 * Lists the parts of a setting, each after the parts that it links to.
 *
 * @param settings - The settings of the seed, with the password of the demo accounts.
 * @param report - Receives the created demo accounts.
 * @returns Names and tasks of the parts, in their order.
 */
export function partsOf(settings: SeedSettings, report: SeedReport): Part[] {
  const parts: Part[] = [['roles', seedRoles]]
  if (settings.seed === 'none') return parts
  // Each reference list is its own part of the seed: a list of a later version is filled when that version
  // first starts.
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
