/** Stores claims of trading posts: five minutes in which other moderators cannot decide on a post. */
import { claimMinutes, fault, type PostClaim } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { userNameSql } from '../../domain/accounts/user-name.ts'
import { notifyPostChange } from '../../domain/market/post-changes.ts'

const claimSql = sql`json_build_object('id', u.id, 'name', ${userNameSql}) as "by", c.until`

/** Returns the valid claim of a trading post. */
export async function claimOf(queries: Queries, document: number): Promise<PostClaim | undefined> {
  const [claim] = await queries.query(sql<PostClaim>`
    select ${claimSql} from post_claims c join users u on u.id = c.user_id
     where c.document_id = ${document} and c.until > now()`)
  return claim
}

/** Returns all valid claims, each with the ids of all languages of its trading post. */
export const openClaims = (queries: Queries): Promise<(PostClaim & { ids: number[] })[]> =>
  queries.query(sql<PostClaim & { ids: number[] }>`
    select ${claimSql}, (select json_agg(t.id order by t.id) from tradinposts_texts t where t.document_id = c.document_id) as ids
      from post_claims c join users u on u.id = c.user_id where c.until > now() order by c.until limit 500`)

/**
 * Refuses a trading post that another moderator has claimed.
 *
 * @throws 409 with the name of that moderator.
 */
export async function assertUnclaimedPost(queries: Queries, document: number, user: number): Promise<void> {
  const currentClaim = await claimOf(queries, document)
  if (currentClaim && currentClaim.by.id !== user)
    throw fault('moderation.claimed', { params: { name: currentClaim.by.name }, details: { ...currentClaim } })
}

/**
 * Claims a trading post for five minutes, or renews the claim; a claim of the same user on another post ends.
 *
 * @throws 409 when another moderator has claimed it.
 */
export async function claimPost(trx: Transaction, document: number, user: number): Promise<PostClaim> {
  await assertUnclaimedPost(trx, document, user)
  const formerClaim = await trx.query(sql<{ document: number }>`
    delete from post_claims where user_id = ${user} and document_id <> ${document} returning document_id as document`)
  await trx.query(sql`
    insert into post_claims (document_id, user_id, until)
    values (${document}, ${user}, now() + make_interval(mins => ${claimMinutes}::int))
    on conflict (document_id) do update set user_id = excluded.user_id, until = excluded.until`)
  for (const changedClaim of [{ document }, ...formerClaim]) notifyPostChange(trx, changedClaim.document)
  const ownClaim = await claimOf(trx, document)
  if (!ownClaim) throw new Error('A new claim has ended already')
  return ownClaim
}

/** Ends the claim on a trading post; with a user, only their own claim. */
export async function releaseClaim(trx: Transaction, document: number, user?: number): Promise<void> {
  const userCondition = user === undefined ? sql`true` : sql`user_id = ${user}`
  await trx.query(sql`delete from post_claims where document_id = ${document} and ${userCondition}`)
}
