/**
 * Asks signed-in users for their password again before actions that only the owner of an account may take.
 */
import { type Caller, fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { maxPasswordLength } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import {
  assertCallerNotLocked,
  type FailureCounter,
  countFailure,
  type FailureLimit,
  ownPasswordLimits,
} from '../../domain/accounts/throttle.ts'
import type { SignInVisitor } from './sign-in.ts'

/**
 * Reads the stored hash of an account's password.
 *
 * @throws 401 when the account does not exist.
 */
export async function storedPassword(queries: Queries, user: number): Promise<string> {
  const [account] = await queries.query(sql<{ password: string }>`select password from users where id = ${user}`)
  if (!account) throw fault('auth.unauthorized')
  return account.password
}

/**
 * Whether a password matches a stored hash; a password above the maximum length is not hashed (checklist §1).
 */
export async function isOwnPassword(
  { parts }: Pick<Database, 'parts'>,
  passwordHash: string,
  password: string,
): Promise<boolean> {
  return [...password].length <= maxPasswordLength && (await parts.verifyPassword(passwordHash, password))
}

/**
 * Checks the current password of a signed-in user; wrong ones are counted on all routes together.
 *
 * @returns The stored hash, and the counters that wrong passwords increase.
 * @throws 400 `auth.current-password` for a wrong one, 429 after too many.
 */
export async function assertOwnPassword(
  database: Database,
  settings: { loginThrottle: FailureLimit; addressThrottle: FailureLimit },
  caller: Caller,
  { address, requestId }: SignInVisitor,
  currentPassword: string,
): Promise<{ stored: string; counted: FailureCounter[] }> {
  const failureCounters = ownPasswordLimits(caller.id, address, settings)
  await assertCallerNotLocked(database, failureCounters)
  const storedHash = await storedPassword(database, caller.id)
  if (await isOwnPassword(database, storedHash, currentPassword))
    return { stored: storedHash, counted: failureCounters }
  await countFailure(database, failureCounters, (trx) =>
    writeAudit(trx, { action: 'password.refused', user: caller.id, address, requestId }),
  )
  throw fault('auth.current-password')
}
