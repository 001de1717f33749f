/**
 * Claims due letters of notices for their delivery, each by one of all instances, and stores the outcome. All
 * that decides about a letter is read at its delivery, not at its event.
 */
import { type Caller, isChosenKind, isRoleType, type Locale, noticeDeclarations, quietMinutesLeft } from '@dala/model'
import { zoneSql } from '../../db/calendar.ts'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

/** A notice as its letter shows it. */
interface DeliveredNotice {
  id: number
  kind: string
  params: Readonly<Record<string, unknown>>
  address: string | null
}

/** A claimed letter with one notice, or with all notices of a daily digest. */
export interface NoticeLetter {
  /** The name of the letter, the same in every attempt: servers recognise a repeated letter by it. */
  id: string
  batch: number
  recipient: string
  name: string
  locale: Locale
  isDigest: boolean
  notices: readonly DeliveredNotice[]
  /** Whether an earlier attempt was interrupted, so that the letter may have been sent already. */
  isRepeated: boolean
}

interface Reader {
  id: number
  role: string
  isConsultant: boolean
  language: Locale
  reachable: boolean
  email: string
  name: string
  quietFrom: string | null
  quietTo: string | null
  /** Minutes since midnight in the zone of the installation. */
  minute: number
}

interface Claimed extends DeliveredNotice {
  batch: number | null
  digest: boolean
  interrupted: boolean
  resource: string | null
  document: number | null
  isRead: boolean
  choice: string | null
  made: number
}

/** SQL of deliveries that an attempt may begin: due ones, and those whose attempt was interrupted. */
const openSql = sql`(d.channel = 'letter' and d.state in ('waiting', 'sending') and d.due_at <= now())`

/**
 * Claims the letter that is due longest. Its reader is locked until the claim is stored, so that of several
 * instances one composes the letters of a reader at a time.
 *
 * @param database - The database.
 * @param lease - Seconds after which an attempt without an outcome counts as interrupted.
 * @returns Undefined when no letter is due; null when the deliveries of the claimed reader were dropped or
 *   postponed.
 */
export function claimNoticeLetter(database: Database, lease: number): Promise<NoticeLetter | null | undefined> {
  return database.transaction(async (trx) => {
    const [reader] = await trx.query(sql<Reader>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, u.email,
             coalesce(nullif(u.name, ''), u.username) as name, u.quiet_from as "quietFrom", u.quiet_to as "quietTo",
             u.active and not u.blocked and u.removed_at is null and u.confirmed as reachable,
             floor(extract(epoch from (now() at time zone ${zoneSql})::time) / 60)::int as minute
        from users u join roles r on r.id = u.role_id
       where u.id = (
         select n.user_id from notice_deliveries d join notices n on n.id = d.notice_id join users o on o.id = n.user_id
          where ${openSql} order by d.due_at, d.notice_id limit 1 for no key update of o skip locked)`)
    if (!reader) return undefined
    return composeLetter(trx, reader, lease)
  })
}

/** Composes the letter of a locked reader that is due longest. */
async function composeLetter(trx: Transaction, reader: Reader, lease: number): Promise<NoticeLetter | null> {
  const open = sql`from notice_deliveries d join notices n on n.id = d.notice_id where n.user_id = ${reader.id}`
  const [due] = await trx.query(sql<{ notice: number; batch: number | null; digest: boolean }>`
    select d.notice_id as notice, d.batch, d.digest ${open} and ${openSql} order by d.due_at, d.notice_id limit 1`)
  if (!due) return null
  const ofDigest = due.batch === null ? sql`d.digest and d.batch is null` : sql`d.batch = ${due.batch}`
  const ofLetter = due.digest ? ofDigest : sql`d.notice_id = ${due.notice}`
  const claimed = await trx.query(sql<Claimed>`
    select n.id, n.kind, n.params, n.address, n.resource, n.document_id as document, n.read_at is not null as "isRead",
           d.batch, d.digest, d.state = 'sending' as interrupted, extract(epoch from n.created_at)::int as made,
           (select c.choice from notice_choices c where c.user_id = n.user_id and c.kind = n.kind and c.channel = 'letter') as choice
      ${open} and d.channel = 'letter' and d.state in ('waiting', 'sending') and ${ofLetter}
     order by n.id`)
  const [first] = claimed
  if (!first) return null
  const ids = claimed.map(({ id }) => id)
  if (!reader.reachable) return drop(trx, ids, 'unreachable')
  const isRepeated = claimed.some(({ interrupted }) => interrupted)
  const quiet = quietMinutesLeft(reader, reader.minute)
  if (quiet > 0) {
    await trx.query(sql`
      update notice_deliveries set due_at = now() + make_interval(mins => ${quiet}::int)
       where channel = 'letter' and notice_id = any(${ids}::int[])`)
    return null
  }
  const kept: Claimed[] = []
  for (const notice of claimed) {
    const reason = await reasonAgainst(trx, reader, notice)
    if (reason === undefined) kept.push(notice)
    else await drop(trx, [notice.id], reason)
  }
  if (kept.length === 0) return null
  const batch = first.batch ?? first.id
  // An attempt holds its deliveries until its lease ends; then another attempt may begin.
  await trx.query(sql`
    update notice_deliveries set state = 'sending', attempts = attempts + 1, batch = ${batch}, changed_at = now(),
           due_at = now() + make_interval(secs => ${lease}::int), reason = ${isRepeated ? 'repeated' : null}::text
     where channel = 'letter' and notice_id = any(${kept.map(({ id }) => id)}::int[])`)
  return {
    id: `notices.${batch}.${first.made}`,
    batch,
    recipient: reader.email,
    name: reader.name,
    locale: reader.language,
    isDigest: first.digest,
    notices: kept,
    isRepeated,
  }
}

/** Returns why a notice needs no letter any more; undefined for one that does. */
async function reasonAgainst(trx: Transaction, reader: Reader, notice: Claimed): Promise<string | undefined> {
  if (notice.isRead) return 'read'
  const usual = isChosenKind(notice.kind) ? noticeDeclarations[notice.kind].letter : 'off'
  if ((notice.choice ?? usual) === 'off') return 'unwanted'
  return (await maySee(trx, reader, notice)) ? undefined : 'out-of-sight'
}

/** Tells whether a reader may still read the record that a notice is about. */
async function maySee(trx: Transaction, reader: Reader, { resource: name, document }: Claimed): Promise<boolean> {
  if (name === null || document === null) return true
  const { id, role, isConsultant, language } = reader
  if (!isRoleType(role)) return false
  const caller: Caller = { id, role, isConsultant, language, sessionId: '' }
  const resource = resourceNamed(name)
  const view = viewOfResource(resource, caller, 'get')
  if (!view) return false
  const found = await runScopedQuery(
    trx,
    { resource, caller, view },
    (scoped) => sql<{ id: number }>`
      select ${sql.ref(`${scoped.document}.id`)} as id from ${scoped.from}
       where ${scoped.where} and ${sql.ref(`${scoped.document}.id`)} = ${document} limit 1`,
  )
  return found.length > 0
}

async function drop(trx: Transaction, ids: readonly number[], reason: string): Promise<null> {
  await trx.query(sql`
    update notice_deliveries set state = 'dropped', reason = ${reason}, changed_at = now()
     where channel = 'letter' and notice_id = any(${[...ids]}::int[])`)
  return null
}

/** SQL of the deliveries of a letter in its present attempt. */
const attemptSql = ({ notices }: NoticeLetter) =>
  sql`channel = 'letter' and state = 'sending' and notice_id = any(${notices.map(({ id }) => id)}::int[])`

/** Stores that a letter was sent. */
export async function storeSent(database: Database, letter: NoticeLetter): Promise<void> {
  await database.query(sql`update notice_deliveries set state = 'sent', changed_at = now() where ${attemptSql(letter)}`)
}

/**
 * Stores that the server refused a letter: it is due again after a delay that doubles each time. A letter
 * that cannot be delivered for a day is dropped.
 */
export async function storeRefused(database: Database, letter: NoticeLetter): Promise<void> {
  await database.query(sql`
    update notice_deliveries d set changed_at = now(),
           due_at = now() + make_interval(mins => least(power(2, least(attempts, 9))::int, 360)),
           state = case when attempts < 11 then 'waiting' else 'dropped' end,
           reason = case when attempts < 11 then d.reason else 'undeliverable' end
     where ${attemptSql(letter)}`)
}

/**
 * Makes interrupted attempts due at once, at the start of the only instance: those who began them have ended.
 */
export async function releaseInterrupted(database: Database): Promise<void> {
  await database.query(sql`update notice_deliveries set due_at = now() where state = 'sending'`)
}
