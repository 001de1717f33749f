/** The people of a simulation: accounts that an admin creates through the API, or those of the demo. */
import { randomUUID } from 'node:crypto'
import { locales, type Locale, toSlug } from '@dala/model'
import { signIn } from '../lib/server-process.ts'
import { Api } from './api.ts'
import { consultantNames, farmerNames, samplePeople } from './phrases.ts'

export interface Person {
  id: number
  username: string
  language: Locale
  isConsultant: boolean
  token: string
}

export interface TestCast {
  customers: Person[]
  consultants: Person[]
  /** Members of staff in the simulation, who read rooms and leave notes. */
  admins: Person[]
}

interface CastSize {
  customers: number
  consultants: number
  admins?: number
}

/** Number of parallel sign-ins and new accounts: each costs the server a slow hash. */
const parallelCount = 4

/** Runs a task for each item of a list, a few at a time, and returns the results in order. */
export async function mapInParallel<T, Out>(
  items: readonly T[],
  limit: number,
  runTask: (item: T, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  let nextIndex = 0
  const worker = async () => {
    for (let index = nextIndex++; index < items.length; index = nextIndex++) {
      const item = items[index]
      if (item !== undefined) results[index] = await runTask(item, index)
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}

type PersonRole = 'farmer' | 'consultant' | 'admin'

interface Draft {
  part: PersonRole
  account: { username: string; name: string; surname: string; language: Locale; is_consultant: boolean }
}

function draftsOf(personRole: PersonRole, count: number, names: readonly string[]): Draft[] {
  return Array.from({ length: count }, (_item, index) => ({
    part: personRole,
    account: {
      username: `sim-${personRole}-${index + 1}`,
      name: names[index % names.length] ?? personRole,
      surname: `${index + 1}`,
      language: locales[index % locales.length] ?? 'en',
      is_consultant: personRole === 'consultant',
    },
  }))
}

/** Creates the account of a simulated person, or finds it from an earlier run and sets its password. */
async function ensureAccount(
  admin: Api,
  role: number | undefined,
  { account }: Draft,
  password: string,
): Promise<number> {
  const { username } = account
  const [existingUser] = await admin.read<{ id: number }[]>(`/users?filters[username][$eq]=${username}`)
  const { status, body } = existingUser
    ? await admin.ask<{ id: number }>('PUT', `/users/${existingUser.id}`, { password, blocked: false })
    : await admin.ask<{ id: number }>('POST', '/users', {
        ...account,
        email: `${username}@example.org`,
        password,
        role,
      })
  if (status >= 300) throw new Error(`The account ${username} was refused: ${JSON.stringify(body)}`)
  return existingUser?.id ?? body.id
}

/**
 * Creates and signs in the people of a simulation.
 *
 * @param url - Address of the server.
 * @param ownerToken - Token of an owner.
 * @param size - How many of each kind.
 * @returns The people, signed in.
 * @throws When a request is refused.
 */
export async function makeCast(url: string, ownerToken: string, size: CastSize): Promise<TestCast> {
  const owner = new Api(url, ownerToken)
  const { roles } = await owner.read<{ roles: { id: number; type: string }[] }>('/users-permissions/roles')
  const roleOf = (personRole: PersonRole) =>
    roles.find(({ type }) => type === (personRole === 'admin' ? personRole : 'authenticated'))?.id
  // Random password of simulated people that is valid for this run only.
  const password = randomUUID().slice(0, 16)
  const drafts = [
    ...draftsOf('farmer', size.customers, farmerNames),
    ...draftsOf('consultant', size.consultants, consultantNames),
    ...draftsOf('admin', size.admins ?? 0, consultantNames),
  ]
  const people = await mapInParallel(drafts, parallelCount, async (draft): Promise<Person & { part: PersonRole }> => {
    const { part, account } = draft
    const id = await ensureAccount(owner, roleOf(part), draft, password)
    const token = await signIn(url, account.username, password)
    return {
      id,
      username: account.username,
      language: account.language,
      isConsultant: account.is_consultant,
      token,
      part,
    }
  })
  const listPeople = (wantedPart: PersonRole) => people.filter(({ part }) => part === wantedPart)
  return { customers: listPeople('farmer'), consultants: listPeople('consultant'), admins: listPeople('admin') }
}

/** Reads the farmers and consultants of a demo database, up to the requested numbers. */
export async function demoCast(url: string, password: string, size: CastSize): Promise<TestCast> {
  const addPerson = async (name: string, language: Locale, isConsultant: boolean): Promise<Person> => {
    const username = toSlug(name)
    const token = await signIn(url, username, password)
    const { id } = await new Api(url, token).read<{ id: number }>('/users/me')
    return { id, username, language, isConsultant, token }
  }
  const languageOf = (text: string) => locales.find((locale) => locale === text) ?? 'en'
  return {
    customers: await mapInParallel(samplePeople.slice(0, size.customers), parallelCount, ({ farmer, language }) =>
      addPerson(farmer, languageOf(language), false),
    ),
    consultants: await mapInParallel(
      samplePeople.slice(0, size.consultants),
      parallelCount,
      ({ consultant, language }) => addPerson(consultant, languageOf(language), true),
    ),
    admins: [],
  }
}
