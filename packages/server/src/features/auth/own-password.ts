/** The password of somebody who is signed in, asked for again before what only the owner of an account may do. */
import { fault } from '@dala/model'
import { sql } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { maxPasswordLength } from '../../resources/accounts.ts'
import { verifyPassword } from '../../resources/passwords.ts'

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
