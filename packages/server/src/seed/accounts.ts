/** The accounts of a new database: the owner, and for demonstrations one of each kind. */
import { toSlug } from '@dala/model'
import { sql } from '../db/sql.ts'
import samples from './data/samples.json' with { type: 'json' }
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

/**
 * Creates the account of the first owner.
 *
 * @param seeder - The transaction.
 * @param email - The address.
 * @param password - The password.
 * @returns Whether there was none yet; servers that start together check one after the other.
 */
export async function seedOwner(seeder: Seeder, email: string, password: string): Promise<boolean> {
  await seeder.trx.query(sql`select id from roles where type = 'owner' for update`)
  const [existingOwner] = await seeder.trx.query(
    sql`select u.id from users u join roles r on r.id = u.role_id where r.type = 'owner' limit 1`,
  )
  if (existingOwner) return false
  await seeder.insert('users', { username: 'owner', email, password, role: 'owner', name: 'Owner', language: 'ru' })
  return true
}

/** User name of the author of the sample content; the samples name only farmers and consultants. */
export const editor = 'admin'
export const supervisor = 'super-admin'

const people = [
  { username: supervisor, role: 'super-admin', name: 'Gulnara', surname: 'S.' },
  { username: editor, role: 'admin', name: 'Marat', surname: 'A.' },
  { username: 'user', role: 'authenticated', name: 'Jamila', surname: 'E.' },
] as const

/** Age of the first seeded account in days; the others follow. */
const oldestAccount = 480

/** Returns the user name of a person whom the samples call "Gulshat M.". */
export const usernameOf = (fullName: string): string => toSlug(fullName)

/** Splits "Gulshat M." into user name, first name, and initial of the surname. */
function splitName(fullName: string): { username: string; name: string; surname: string } {
  const [name = fullName, surname = ''] = fullName.split(' ')
  return { username: usernameOf(fullName), name, surname }
}

/**
 * Creates one account per role, the consultants and the farmers of the sample conversations, all older than
 * their content.
 *
 * @param seeder - The transaction.
 * @param password - The password of all accounts.
 * @returns The addresses of the created accounts.
 */
export async function seedAccounts(seeder: Seeder, password: string): Promise<string[]> {
  const emails: string[] = []
  const makeAccount = async (account: SeedRecord & { username: string }, position: number) => {
    const email = `${account.username}@example.org`
    const createdAt = seeder.calendar.before(oldestAccount - position * 4, '09:00')
    const { isNew } = await seeder.add('users', { ...account, email, password, createdAt })
    if (isNew) emails.push(email)
  }
  for (const person of people) await makeAccount({ ...person, language: 'ru' }, 0)
  for (const [index, chat] of samples.chats.entries()) {
    const profile = { role: 'authenticated', district: chat.district, language: chat.language }
    const consultant = { is_consultant: true, consultantcategories: [chat.consultantCategory] }
    await makeAccount({ ...splitName(chat.consultant), ...profile, ...consultant }, index)
    await makeAccount({ ...splitName(chat.farmer), ...profile }, samples.chats.length + index)
  }
  return emails
}
