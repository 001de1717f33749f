/**
 * Lists, creates and resets accounts at the terminal: `dala user list`, `dala user add` and `dala user
 * password`.
 */
import { Fault, foldCase, isRoleType, resources, type RoleType, roleTypes } from '@dala/model'
import { engineParts } from '../behaviours/index.ts'
import type { Database, Transaction } from '../db/database.ts'
import { StartError } from '../db/open-data.ts'
import { sql } from '../db/sql.ts'
import { readRoleId } from '../domain/accounts/accounts.ts'
import { accountKey } from '../domain/accounts/throttle.ts'
import { OrganisationSettings, type PresentSettings } from '../domain/operations/organisation.ts'
import { createUserName } from '../features/people/invitations.ts'
import { accountWriters } from '../features/people/writers.ts'
import { writeAudit } from '../resources/history/audit.ts'
import { programCaller } from '../resources/history/history.ts'
import type { WriteContext } from '../resources/write/write.ts'
import { generatePassword } from '../seed/seed-settings.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type CommandInput, type CommandResult, UsageError } from './command-line.ts'
import { runWithPresentData } from './with-data.ts'

const mostListed = 1_000
const usuallyListed = 100

/** Account as `dala user list` shows it. */
interface ListedAccount {
  id: number
  email: string
  name: string
  role: RoleType
  blocked: boolean
}

/** Roles of accounts; nobody has an account with the role of visitors. */
const accountRoles = roleTypes.filter((role) => role !== 'public')

/** Reads a role. Throws a UsageError for an unknown one. */
function readRole(text: string | true | undefined): RoleType {
  if (isRoleType(text) && text !== 'public') return text
  throw new UsageError(`There is no role ${String(text)}; the roles are ${accountRoles.join(', ')}.`)
}

function readLimit(text: string | true | undefined): number {
  const limit = text === undefined ? usuallyListed : Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostListed) return limit
  throw new UsageError(`The --limit must be a whole number from 1 to ${mostListed}.`)
}

/** Runs work on the accounts of present data. */
const runWithAccounts = <T>(
  settings: Settings,
  runWork: (database: Database, settings: PresentSettings) => Promise<T>,
): Promise<T> =>
  runWithPresentData(
    settings,
    async ({ database }) => {
      const organisation = new OrganisationSettings(database, settings)
      await organisation.refresh()
      return runWork(database, organisation.settings)
    },
    engineParts,
  )

/**
 * Lists accounts.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The accounts by id, and their number without the limit.
 */
export function listUsers({ environment, options, printLine }: CommandInput): Promise<CommandResult> {
  const role = options.role === undefined ? null : readRole(options.role)
  const limit = readLimit(options.limit)
  return runWithAccounts(readSettings(environment), async (database) => {
    const isListed = sql<boolean>`u.removed_at is null and (${role}::text is null or r.type = ${role}::text)`
    const [accounts, [count]] = await Promise.all([
      database.query(sql<ListedAccount>`
        select u.id, u.email, coalesce(nullif(concat_ws(' ', nullif(u.name, ''), nullif(u.surname, '')), ''), u.username) as name,
               r.type as role, u.blocked
          from users u join roles r on r.id = u.role_id where ${isListed} order by u.id limit ${sql.lit(limit)}`),
      database.query(
        sql<{
          total: number
        }>`select count(*)::int as total from users u join roles r on r.id = u.role_id where ${isListed}`,
      ),
    ])
    const total = count?.total ?? 0
    for (const { id, email, name, role: accountRole, blocked } of accounts)
      printLine(`${id}  ${email}  ${name}  ${accountRole}${blocked ? '  blocked' : ''}`)
    printLine(`Accounts: ${accounts.length} of ${total}`)
    return { document: { accounts, total } }
  })
}

/** The context of a write by the program: the audit names no user then. */
const contextOf = (database: Database, trx: Transaction): WriteContext => ({
  database,
  trx,
  author: { caller: programCaller },
  view: {},
})

/** Runs a write; a fault of its values becomes one sentence. */
async function withSentences<T>(failedTask: string, runWrite: () => Promise<T>): Promise<T> {
  try {
    return await runWrite()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new StartError(`${failedTask}: ${error.message.replace(/\.$/, '')}.`)
  }
}

/**
 * Creates an account with a random password.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The account and its password.
 * @throws StartError for a wrong or taken address.
 */
export function addUser({ environment, options, printLine }: CommandInput): Promise<CommandResult> {
  const role = readRole(options.role)
  const [email, name] = [foldCase(String(options.email).trim()), String(options.name).trim()]
  const settings = readSettings(environment)
  const password = generatePassword()
  return runWithAccounts(settings, async (database, presentSettings) => {
    const writers = accountWriters(presentSettings)
    const id = await withSentences('The account was not created', () =>
      database.transaction(async (trx) => {
        const username = await createUserName(trx, email)
        const draft = { username, email, name, password, role: await readRoleId(trx, role) }
        return writers.create(contextOf(database, trx), resources.users, draft, undefined)
      }),
    )
    printLine(`Account: ${email}  role: ${role}  password: ${password}`)
    return { document: { id, email, name, role, password } }
  })
}

/**
 * Sets a random password for an account, ends its sessions, and forgets its failed sign-ins.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The account and its password.
 * @throws StartError for an unknown address and a blocked account.
 */
export function setPassword({ environment, positionals, printLine }: CommandInput): Promise<CommandResult> {
  const email = foldCase((positionals[0] ?? '').trim())
  const settings = readSettings(environment)
  const password = generatePassword()
  return runWithAccounts(settings, async (database, presentSettings) => {
    const writers = accountWriters(presentSettings)
    const id = await withSentences('The password was not set', () =>
      database.transaction(async (trx) => {
        const [account] = await trx.query(sql<{ id: number; blocked: boolean }>`
          select id, blocked from users where email = ${email} and removed_at is null for update`)
        if (!account) throw new StartError(`There is no account with the address ${email}.`)
        if (account.blocked)
          throw new StartError(`The account ${email} is blocked: unblock it in the panel before it gets a password.`)
        await writers.update(contextOf(database, trx), resources.users, account.id, { password })
        await trx.query(sql`delete from throttles where key = ${accountKey(account.id, email)}`)
        await writeAudit(trx, {
          action: 'password.reset',
          user: account.id,
          address: undefined,
          requestId: undefined,
          details: { by: 'terminal' },
        })
        return account.id
      }),
    )
    printLine(`Account: ${email}  password: ${password}`)
    printLine('All sessions of the account are ended.')
    return { document: { id, email, password } }
  })
}
