/** The accounts a new database starts with: the owner, and for demonstrations one of each kind. */
import slugify from '@sindresorhus/slugify'
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder, SeedRecord } from './seeder.ts'

/** Makes the first owner. Out: whether there was none yet. */
export async function seedOwner(seeder: Seeder, email: string, password: string): Promise<boolean> {
  const role = await seeder.find('roles', 'type', 'owner')
  if (role === undefined || (await seeder.hasUserOfRole(role))) return false
  await seeder.plain('users', 'email', { username: 'owner', email, password, role, name: 'Owner', language: 'ru' })
  return true
}

const people = [
  { username: 'super-admin', role: 'super-admin', name: 'Gulnara', surname: 'S.' },
  { username: 'admin', role: 'admin', name: 'Marat', surname: 'A.' },
  { username: 'user', role: 'authenticated', name: 'Jamila', surname: 'E.' },
] as const

const addressOf = (username: string) => `${username}@example.org`

/** One account per role, the consultants and the farmers of the sample conversations. Out: their addresses. */
export async function seedAccounts(seeder: Seeder, password: string): Promise<string[]> {
  const emails: string[] = []
  const make = async (role: string, account: SeedRecord & { username: string }) => {
    const email = addressOf(account.username)
    await seeder.plain('users', 'email', {
      ...account,
      email,
      password,
      role: await seeder.find('roles', 'type', role),
    })
    emails.push(email)
  }
  for (const { role, ...person } of people) await make(role, { ...person, language: 'ru' })
  for (const chat of samples.chats) {
    const district = await seeder.find('districts', 'code', chat.district)
    const region = await seeder.find('regions', 'code', chat.district.slice(0, 4))
    const place = { district, region, language: chat.language }
    await make('authenticated', { ...named(chat.consultant), ...place, is_consultant: true })
    await make('authenticated', { ...named(chat.farmer), ...place })
  }
  return emails
}

/** "Gulshat M." → first name, initial of the surname, and a user name. */
function named(full: string): { username: string; name: string; surname: string } {
  const [name = full, surname = ''] = full.split(' ')
  return { username: slugify(full), name, surname }
}
