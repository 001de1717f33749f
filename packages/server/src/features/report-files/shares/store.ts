/** Stores shares of reports; their secrets and passcodes are stored as hashes only. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type Caller,
  fault,
  rankOfRole,
  type ReportKey,
  type ReportMeta,
  type ReportShareRow,
  roleTypes,
  type WrittenLocale,
} from '@dala/model'
import type { Queries, Transaction } from '../../../db/database.ts'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql } from '../../../db/sql.ts'
import { userNameSql } from '../../../domain/accounts/user-name.ts'
import type { StoredQuery } from '../read-report.ts'
import type { SharedFigures } from './totals.ts'

/** Figures of a share that was frozen, already reduced to totals. */
export interface FrozenFigures {
  figures: SharedFigures
  meta: ReportMeta
}

/** A share whose page can be opened. */
export interface OpenShare {
  id: number
  userId: number
  key: ReportKey
  query: StoredQuery
  locale: WrittenLocale
  frozen: FrozenFigures | null
  passcodeHash: string | null
  expiresAt: string
}

interface ShareOrder {
  key: ReportKey
  query: StoredQuery
  locale: WrittenLocale
  frozen: FrozenFigures | null
  passcodeHash: string | null
  expiresAt: string
}

/** Maximum number of shares that a list shows. */
const maxListedShares = 200
/** Milliseconds for which an opened page can be opened again in another language or as a PDF. */
const ticketTime = 15 * 60_000

/** Roles that share reports outside. */
export const staffRoles = roleTypes.filter((role) => rankOfRole(role) >= rankOfRole('admin'))

/** SQL of whether the maker of a share `s` may still share. */
const isMakerActiveSql = sql`exists (
  select 1 from users u join roles r on r.id = u.role_id
   where u.id = s.user_id and not u.blocked and u.removed_at is null and r.type = any(${staffRoles}::text[]))`
const isActiveSql = sql`(s.withdrawn_at is null and s.expires_at > now() and ${isMakerActiveSql})`

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const columns = sql`
  s.id, s.key, s.query, s.locale, s.frozen is not null as frozen, s.passcode_hash is not null as passcode,
  (select json_build_object('id', u.id, 'name', ${userNameSql}) from users u
    where u.id = s.user_id and u.removed_at is null) as by,
  ${isActiveSql} as active, s.opened, ${momentSql(sql`s.last_opened_at`)} as last_opened_at,
  ${momentSql(sql`s.created_at`)} as created_at, ${momentSql(sql`s.expires_at`)} as expires_at,
  ${momentSql(sql`s.withdrawn_at`)} as withdrawn_at`

/** Lists the shares of all makers, newest first. */
export const listShares = (queries: Pick<Queries, 'query'>): Promise<ReportShareRow[]> =>
  queries.query(sql<ReportShareRow>`select ${columns} from report_shares s order by s.id desc limit ${maxListedShares}`)

/**
 * Finds a share of any maker.
 *
 * @throws 404 for one that does not exist.
 */
export async function findShare(queries: Pick<Queries, 'query'>, id: number): Promise<ReportShareRow> {
  const [shareRow] = await queries.query(
    sql<ReportShareRow>`select ${columns} from report_shares s where s.id = ${id}::int`,
  )
  if (!shareRow) throw fault('record.not-found')
  return shareRow
}

/**
 * Stores a share.
 *
 * @returns Its id, and its secret, which is not stored.
 */
export async function insertShare(
  trx: Transaction,
  caller: Caller,
  { key, query, locale, frozen, passcodeHash, expiresAt }: ShareOrder,
): Promise<{ id: number; secret: string }> {
  const secret = randomBytes(24).toString('base64url')
  const [insertedShare] = await trx.query(sql<{ id: number }>`
    insert into report_shares (secret_hash, user_id, key, query, locale, frozen, passcode_hash, expires_at)
    values (${hashOf(secret)}, ${caller.id}, ${key}, ${JSON.stringify(query)}::jsonb, ${locale},
            ${frozen && JSON.stringify(frozen)}::jsonb, ${passcodeHash}::text, ${expiresAt}::timestamptz)
    returning id`)
  return { id: insertedShare?.id ?? 0, secret }
}

/**
 * Withdraws a share.
 *
 * @returns Whether the share had not been withdrawn yet.
 */
export async function withdrawShare(trx: Transaction, id: number): Promise<boolean> {
  const rows = await trx.query(sql<{ id: number }>`
    update report_shares set withdrawn_at = now() where id = ${id} and withdrawn_at is null returning id`)
  return rows.length > 0
}

/** Finds the share of a secret whose page can be opened; undefined for any other secret. */
export async function findOpenShare(queries: Pick<Queries, 'query'>, secret: string): Promise<OpenShare | undefined> {
  const [openShare] = await queries.query(sql<OpenShare>`
    select s.id, s.user_id as "userId", s.key, s.query, s.locale, s.frozen, s.passcode_hash as "passcodeHash",
           ${momentSql(sql`s.expires_at`)} as "expiresAt"
      from report_shares s where s.secret_hash = ${hashOf(secret)} and ${isActiveSql}`)
  return openShare
}

/** Counts an opening of a share. */
export async function countOpening(queries: Pick<Queries, 'query'>, id: number): Promise<void> {
  await queries.query(sql`update report_shares set opened = opened + 1, last_opened_at = now() where id = ${id}`)
}

const signatureOf = (passcodeHash: string, endTime: number): Buffer =>
  createHmac('sha256', passcodeHash).update(`${endTime}`).digest()

/** Makes a ticket by which the reader of a page opens it again without its passcode, for a quarter of an hour. */
export function makeTicket(passcodeHash: string, now: number): string {
  const endTime = now + ticketTime
  return `${endTime}.${signatureOf(passcodeHash, endTime).toString('base64url')}`
}

/** Tells whether a ticket was made for a passcode and is still valid. */
export function isTicketFor(passcodeHash: string, ticket: string, now: number): boolean {
  const [, endTime = '', signature = ''] = /^(\d{13})\.([\w-]{43})$/.exec(ticket) ?? []
  const ticketSignature = Buffer.from(signature, 'base64url')
  const expectedSignature = signatureOf(passcodeHash, Number(endTime))
  return (
    Number(endTime) > now &&
    ticketSignature.length === expectedSignature.length &&
    timingSafeEqual(ticketSignature, expectedSignature)
  )
}
