/** Adds notices to the inboxes of accounts and their deliveries to the queue, in the transaction of their cause. */
import { isChosenKind, type NoticeChoice, noticeDeclarations, type PostOutcome, usualDigestTime } from '@dala/model'
import { zoneSql } from '../../db/calendar.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'

/** Notice of a decision on a trading post, with the reason in the language of the author. */
type PostNotices = Record<`post.${PostOutcome}`, { title: string; reason: string }>

/** Values of each kind of notice, which are filled into the message `inbox.<kind>`. */
export interface Notices extends PostNotices {
  'bulk.finished': { resource: string; count: number; changed: number; refused: number; job: number; state: string }
  'view.shared': { name: string; by: string }
  'desk.waiting': { customer: string }
  'desk.returned': { customer: string; consultant: string }
  'chat.assigned': { customer: string }
  'consultation.asked': { customer: string }
  'consultation.assigned': { customer: string }
  'consultation.reopened': { customer: string }
  'consultation.overdue': { customer: string }
  /** A past day whose prices are not published, `date` as `YYYY-MM-DD`, with its flagged prices. */
  'day.check': { date: string; flagged: number }
  /** A published course and the languages that it lacks. */
  'course.translate': { title: string; locales: readonly string[] }
  'import.done': { resource: string; created: number; updated: number }
  'import.failed': { resource: string; file: string }
}

/** A receiver of the accounts whose inboxes have changed, which never throws. */
type InboxListener = (users: readonly number[]) => void

declare module '../../db/database.ts' {
  interface SubjectTypes {
    inbox: InboxListener
  }
}

/**
 * Subscribes to changes of inboxes by this instance.
 *
 * @returns An unsubscribe function.
 */
export const onInboxChange = (database: Database, listener: InboxListener): (() => void) =>
  database.onAlone('inbox', listener)

/** Emits that the inboxes of accounts have changed; within a transaction only after its commit. */
export function emitInboxChange(database: Database, users: readonly number[]): void {
  if (users.length > 0) for (const listener of database.listenersOf('inbox')) listener(users)
}

interface Notice<K extends keyof Notices> {
  /** Ids of the accounts. */
  users: readonly number[]
  kind: K
  params: Notices[K]
  /** Link of the notice in the panel; null for a notice without a page. */
  address: string | null
  /** Record that the notice is about, by its document: its letter goes only to readers of the record. */
  subject?: { resource: string; document: number }
  /** Name of the event among those of its kind; an account receives a notice with the same key once. */
  key?: string
}

/** Ways of a kind of notices without a choice; letters about posts are sent with their decisions. */
const usualChoice = (kind: string): NoticeChoice =>
  isChosenKind(kind) ? noticeDeclarations[kind] : { inbox: true, letter: 'off', push: false }

/** SQL of what an account has chosen for a kind of notices and a channel. */
const choiceSql = (
  user: Template<unknown>,
  kind: string,
  channel: 'inbox' | 'letter' | 'push',
  usualWay: string,
) => sql`coalesce(
  (select c.choice from notice_choices c where c.user_id = ${user} and c.kind = ${kind}::text and c.channel = ${channel}::text), ${usualWay}::text)`

/** SQL of the next time of the daily digest of an account `u`. */
const digestSql = sql`(
  select (case when today.at > clock.now then today.at else today.at + interval '1 day' end) at time zone ${zoneSql}
    from (select now() at time zone ${zoneSql} as now) clock,
         lateral (select date_trunc('day', clock.now) + coalesce(u.digest_at, ${usualDigestTime}::text)::time as at) today)`

/**
 * Adds a notice for each of several accounts, and its deliveries by the choice of each, in the transaction of its
 * cause. An account that has the notice of the same kind and key already receives none, also from another
 * instance at the same time.
 */
export async function notifyUsers<K extends keyof Notices>(
  trx: Transaction,
  { users, kind, params, address, subject, key }: Notice<K>,
): Promise<void> {
  const usualWay = usualChoice(kind)
  const addedNotices = await trx.query(sql<{ user: number; isShown: boolean }>`
    with added as (
      insert into notices (user_id, kind, params, address, key, resource, document_id, in_inbox)
      select u.id, ${kind}::text, ${JSON.stringify(params)}::jsonb, ${address}::text, ${key ?? null}::text,
             ${subject?.resource ?? null}::text, ${subject?.document ?? null}::int,
             ${choiceSql(sql`u.id`, kind, 'inbox', usualWay.inbox ? 'now' : 'off')} <> 'off'
        from users u where u.id = any(${[...users]}::int[]) and u.removed_at is null
       order by u.id on conflict (user_id, kind, key) do nothing returning id, user_id, in_inbox),
    letters as (
      insert into notice_deliveries (notice_id, channel, digest, due_at)
      select a.id, 'letter', wanted.choice = 'daily', case wanted.choice when 'daily' then ${digestSql} else now() end
        from added a join users u on u.id = a.user_id,
             lateral (select ${choiceSql(sql`u.id`, kind, 'letter', usualWay.letter)} as choice) wanted
       where wanted.choice <> 'off' and u.confirmed),
    pushes as (
      insert into notice_deliveries (notice_id, channel, due_at)
      select a.id, 'push', now() from added a
       where ${choiceSql(sql`a.user_id`, kind, 'push', usualWay.push ? 'now' : 'off')} <> 'off'
         and exists (select 1 from push_subscriptions p where p.user_id = a.user_id))
    select user_id as "user", in_inbox as "isShown" from added order by user_id`)
  if (addedNotices.length === 0) return
  trx.changed('notices')
  trx.changed('notice_deliveries')
  trx.afterCommit(() =>
    emitInboxChange(
      trx.database,
      addedNotices.flatMap(({ user, isShown }) => (isShown ? [user] : [])),
    ),
  )
}
