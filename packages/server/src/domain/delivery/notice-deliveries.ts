/**
 * Claims due deliveries of notices, each by one of all instances, and stores their outcome. All that decides
 * about a delivery is read when it is claimed, not at its event.
 */
import {
  type Caller,
  isChosenKind,
  isRoleType,
  type Locale,
  noticeDeclarations,
  noticeKindsOf,
  quietMinutesLeft,
  type Script,
  type WrittenLocale,
  writtenLocale,
} from '@dala/model'
import { zoneSql } from '../../db/calendar.ts'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

/** Ways of a notice beside the inbox: by e-mail, and by push to browsers. */
export type NoticeChannel = 'letter' | 'push'

/** A notice as a delivery shows it. */
interface DeliveredNotice {
  id: number
  kind: string
  params: Readonly<Record<string, unknown>>
  address: string | null
}

/** A claimed delivery of one notice, or of all notices of a daily digest. */
export interface NoticeDelivery {
  channel: NoticeChannel
  /** The name of the delivery, the same in every attempt: servers recognise a repeated one by it. */
  id: string
  batch: number
  user: number
  /** E-mail address of the user. */
  recipient: string
  name: string
  locale: WrittenLocale
  isDigest: boolean
  notices: readonly DeliveredNotice[]
  /** Whether an earlier attempt was interrupted, so that the delivery may have been sent already. */
  isRepeated: boolean
  /** Sessions whose browsers need no further attempt. */
  reached: readonly string[]
}

interface Reader {
  id: number
  role: string
  isConsultant: boolean
  language: Locale
  script: Script | null
  isActive: boolean
  isConfirmed: boolean
  email: string
  name: string
  quietFrom: string | null
  quietTo: string | null
  /** Minutes since midnight in the zone of the installation. */
  minute: number
}

interface ClaimedNotice extends DeliveredNotice {
  batch: number | null
  digest: boolean
  interrupted: boolean
  resource: string | null
  document: number | null
  isRead: boolean
  isOld: boolean
  choice: string | null
  made: number
  reached: string[]
}

/** SQL of deliveries that an attempt may begin: due ones, and those whose attempt was interrupted. */
const openSql = (channel: NoticeChannel) =>
  sql`(d.channel = ${channel}::text and d.state in ('waiting', 'sending') and d.due_at <= now())`

/**
 * Claims the delivery that is due longest. Its reader is locked until the claim is stored, so that of several
 * instances one composes the deliveries of a reader at a time.
 *
 * @param database - The database.
 * @param channel - The way of the delivery.
 * @param lease - Seconds after which an attempt without an outcome counts as interrupted.
 * @returns Undefined when none is due; null when the deliveries of the claimed reader were dropped or
 *   postponed.
 */
export function claimNoticeDelivery(
  database: Database,
  channel: NoticeChannel,
  lease: number,
): Promise<NoticeDelivery | null | undefined> {
  return database.transaction(async (trx) => {
    const [reader] = await trx.query(sql<Reader>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, u.script, u.email,
             coalesce(nullif(u.name, ''), u.username) as name, u.quiet_from as "quietFrom", u.quiet_to as "quietTo",
             u.active and not u.blocked and u.removed_at is null as "isActive", u.confirmed as "isConfirmed",
             floor(extract(epoch from (now() at time zone ${zoneSql})::time) / 60)::int as minute
        from users u join roles r on r.id = u.role_id
       where u.id = (
         select n.user_id from notice_deliveries d join notices n on n.id = d.notice_id join users o on o.id = n.user_id
          where ${openSql(channel)} order by d.due_at, d.notice_id limit 1 for no key update of o skip locked)`)
    if (!reader) return undefined
    return composeDelivery(trx, reader, channel, lease)
  })
}

/** Composes the delivery of a locked reader that is due longest. */
async function composeDelivery(
  trx: Transaction,
  reader: Reader,
  channel: NoticeChannel,
  lease: number,
): Promise<NoticeDelivery | null> {
  const openDeliveriesSql = sql`from notice_deliveries d join notices n on n.id = d.notice_id where n.user_id = ${reader.id}`
  const [dueDelivery] = await trx.query(sql<{ notice: number; batch: number | null; digest: boolean }>`
    select d.notice_id as notice, d.batch, d.digest ${openDeliveriesSql} and ${openSql(channel)} order by d.due_at, d.notice_id limit 1`)
  if (!dueDelivery) return null
  const digestCondition =
    dueDelivery.batch === null ? sql`d.digest and d.batch is null` : sql`d.batch = ${dueDelivery.batch}`
  const deliveryCondition = dueDelivery.digest ? digestCondition : sql`d.notice_id = ${dueDelivery.notice}`
  const claimedNotices = await trx.query(sql<ClaimedNotice>`
    select n.id, n.kind, n.params, n.address, n.resource, n.document_id as document, n.read_at is not null as "isRead",
           n.created_at < now() - interval '1 day' as "isOld", d.batch, d.digest, to_jsonb(d.reached) as reached,
           d.state = 'sending' as interrupted, extract(epoch from n.created_at)::int as made,
           (select c.choice from notice_choices c where c.user_id = n.user_id and c.kind = n.kind and c.channel = d.channel) as choice
      ${openDeliveriesSql} and d.channel = ${channel}::text and d.state in ('waiting', 'sending') and ${deliveryCondition}
     order by n.id`)
  const [firstNotice] = claimedNotices
  if (!firstNotice) return null
  const ids = claimedNotices.map(({ id }) => id)
  const isReachable = reader.isActive && (channel === 'push' || reader.isConfirmed)
  if (!isReachable) return dropNotices(trx, channel, ids, 'unreachable')
  const isRepeated = claimedNotices.some(({ interrupted }) => interrupted)
  const quietMinutes = quietMinutesLeft(reader, reader.minute)
  if (quietMinutes > 0) {
    await trx.query(sql`
      update notice_deliveries set due_at = now() + make_interval(mins => ${quietMinutes}::int)
       where channel = ${channel} and notice_id = any(${ids}::int[])`)
    return null
  }
  const remainingNotices: ClaimedNotice[] = []
  for (const notice of claimedNotices) {
    const reason = await findObstacle(trx, reader, channel, notice)
    if (reason === undefined) remainingNotices.push(notice)
    else await dropNotices(trx, channel, [notice.id], reason)
  }
  if (remainingNotices.length === 0) return null
  const batch = firstNotice.batch ?? firstNotice.id
  // An attempt holds its deliveries until its lease ends; then another attempt may begin.
  await trx.query(sql`
    update notice_deliveries set state = 'sending', attempts = attempts + 1, batch = ${batch}, changed_at = now(),
           due_at = now() + make_interval(secs => ${lease}::int), reason = ${isRepeated ? 'repeated' : null}::text
     where channel = ${channel} and notice_id = any(${remainingNotices.map(({ id }) => id)}::int[])`)
  return {
    channel,
    id: `notices.${batch}.${firstNotice.made}`,
    batch,
    user: reader.id,
    recipient: reader.email,
    name: reader.name,
    locale: writtenLocale(reader.language, reader.script),
    isDigest: firstNotice.digest,
    notices: remainingNotices,
    isRepeated,
    reached: firstNotice.reached,
  }
}

/** Tells whether a reader wants notices of a kind by a way, by their choice or else by its declaration. */
function isWanted(kind: string, channel: NoticeChannel, choice: string | null): boolean {
  if (!isChosenKind(kind)) return false
  if (choice !== null) return choice !== 'off'
  return channel === 'push' ? noticeDeclarations[kind].push : noticeDeclarations[kind].letter !== 'off'
}

/** Returns why a notice needs no delivery any more; undefined for one that does. */
async function findObstacle(
  trx: Transaction,
  reader: Reader,
  channel: NoticeChannel,
  notice: ClaimedNotice,
): Promise<string | undefined> {
  if (notice.isRead) return 'read'
  if (!isWanted(notice.kind, channel, notice.choice)) return 'unwanted'
  // A browser shows what happens now; the inbox has the rest.
  if (channel === 'push' && notice.isOld) return 'late'
  return (await maySee(trx, reader, notice)) ? undefined : 'out-of-sight'
}

/** Tells whether a reader still receives notices of the kind, and may still read the record of the notice. */
async function maySee(
  trx: Transaction,
  reader: Reader,
  { kind, resource: name, document }: ClaimedNotice,
): Promise<boolean> {
  const { id, role, isConsultant, language } = reader
  if (!isRoleType(role) || !noticeKindsOf({ role, isConsultant }).some((ownKind) => ownKind === kind)) return false
  if (name === null || document === null) return true
  const caller: Caller = { id, role, isConsultant, language, sessionId: '' }
  const resource = resourceNamed(name)
  const view = viewOfResource(resource, caller, 'get')
  if (!view) return false
  const foundRows = await runScopedQuery(
    trx,
    { resource, caller, view },
    (scopedParts) => sql<{ id: number }>`
      select ${sql.ref(`${scopedParts.document}.id`)} as id from ${scopedParts.from}
       where ${scopedParts.where} and ${sql.ref(`${scopedParts.document}.id`)} = ${document} limit 1`,
  )
  return foundRows.length > 0
}

async function dropNotices(
  trx: Transaction,
  channel: NoticeChannel,
  ids: readonly number[],
  reason: string,
): Promise<null> {
  await trx.query(sql`
    update notice_deliveries set state = 'dropped', reason = ${reason}, changed_at = now()
     where channel = ${channel} and notice_id = any(${[...ids]}::int[])`)
  return null
}

/** SQL of the notices of a delivery in its present attempt. */
const attemptSql = ({ channel, notices }: NoticeDelivery) =>
  sql`channel = ${channel} and state = 'sending' and notice_id = any(${notices.map(({ id }) => id)}::int[])`

/** Stores that a delivery was sent. */
export async function storeSentDelivery(database: Database, delivery: NoticeDelivery): Promise<void> {
  await database.query(
    sql`update notice_deliveries set state = 'sent', changed_at = now() where ${attemptSql(delivery)}`,
  )
}

/** Stores that a delivery has no receiver left. */
export async function storeDroppedDelivery(
  database: Database,
  delivery: NoticeDelivery,
  reason: string,
): Promise<void> {
  await database.query(sql`
    update notice_deliveries set state = 'dropped', reason = ${reason}, changed_at = now() where ${attemptSql(delivery)}`)
}

/** Number of attempts after which a delivery is dropped: a letter after a day, a push after an hour. */
const mostAttempts: Readonly<Record<NoticeChannel, number>> = { letter: 11, push: 6 }

/**
 * Stores that a server refused a delivery: it is due again after a delay that doubles each time. One that was
 * refused too often is dropped.
 */
export async function storeRefusedDelivery(database: Database, delivery: NoticeDelivery): Promise<void> {
  const attemptLimit = mostAttempts[delivery.channel]
  await database.query(sql`
    update notice_deliveries d set changed_at = now(),
           due_at = now() + make_interval(mins => least(power(2, least(attempts, 9))::int, 360)),
           state = case when attempts < ${attemptLimit}::int then 'waiting' else 'dropped' end,
           reason = case when attempts < ${attemptLimit}::int then d.reason else 'undeliverable' end
     where ${attemptSql(delivery)}`)
}

/**
 * Makes interrupted attempts due at once, at the start of the only instance: those who began them have ended.
 */
export async function releaseInterrupted(database: Database, channel: NoticeChannel): Promise<void> {
  await database.query(sql`
    update notice_deliveries set due_at = now() where state = 'sending' and channel = ${channel}`)
}
