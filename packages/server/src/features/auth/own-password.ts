/** The password of somebody who is signed in, asked for again before what only the owner of an account may do. */
import { type Caller, fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { maxPasswordLength } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { verifyPassword } from '../../domain/accounts/passwords.ts'
import {
  assertFree,
  type Counted,
  countFailure,
  type Limit,
  ownPasswordLimits,
} from '../../domain/accounts/throttle.ts'
import type { Visitor } from './sign-in.ts'

/** The stored hash. Throws 401 when the account is gone. */
export async function storedPassword(queries: Queries, user: number): Promise<string> {
  const [account] = await queries.query(sql<{ password: string }>`select password from users where id = ${user}`)
  if (!account) throw fault('auth.unauthorized')
  return account.password
}

/** Whether it is the password behind that hash; what is longer than any password is not hashed (checklist §1). */
export async function isOwnPassword(stored: string, password: string): Promise<boolean> {
  return [...password].length <= maxPasswordLength && (await verifyPassword(stored, password))
}

/**
 * Compares the current password of somebody who is signed in; wrong ones are counted whichever route they try.
 * @returns The stored hash, and what wrong passwords count against.
 * @throws 400 `auth.current-password` for a wrong one, 429 when there were too many.
 */
export async function assertOwnPassword(
  database: Database,
  settings: { loginThrottle: Limit; addressThrottle: Limit },
  caller: Caller,
  { address, requestId }: Visitor,
  currentPassword: string,
): Promise<{ stored: string; counted: Counted[] }> {
  const counted = ownPasswordLimits(caller.id, address, settings)
  await assertFree(database, counted)
  const stored = await storedPassword(database, caller.id)
  if (await isOwnPassword(stored, currentPassword)) return { stored, counted }
  await countFailure(database, counted, (trx) =>
    writeAudit(trx, { action: 'password.refused', user: caller.id, address, requestId }),
  )
  throw fault('auth.current-password')
}
