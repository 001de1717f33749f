/** Notifies authors of decisions once the time to undo them is over (market §7). */
import { type Locale, type PostOutcome, postOutcomes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { accountLanguageSql, nameForLetters, queueMail } from '../../domain/delivery/mails.ts'
import { notifyUsers } from '../../domain/delivery/notices.ts'

const intervalMs = 5_000
const batchSize = 100

interface Due {
  id: number
  entry: number | null
  title: string | null
  subject: 'post' | 'edit'
  to: string
  by: number | null
  /** Text of the listed reasons in the language of the author; null when the moderator typed a reason. */
  listed: string | null
  reason_text: string | null
  public_note: string | null
  user: number | null
  name: string | null
  username: string
  email: string
  confirmed: boolean
  language: Locale
  reachable: boolean
}

const outcomeOf = ({ subject, to }: Due): PostOutcome | undefined => {
  const outcome = subject === 'edit' ? `edit_${to}` : to
  return postOutcomes.find((postOutcome) => postOutcome === outcome)
}

/** Notifies authors of decisions on trading posts that can no longer be undone. */
export class DecisionNotices {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Notifies authors of decisions on trading posts now and every five seconds.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.notifyDue(), onError)
  }

  /** Stops the timer of decision notices and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Notifies authors of all due decisions on trading posts, each once across all instances.
   *
   * @returns The number of due decisions.
   */
  async notifyDue(): Promise<number> {
    const dueDecisions = await this.#database.query(sql<{ id: number }>`
      select id from post_decisions where notified_at is null and undone_at is null and notify_at <= now() order by notify_at limit ${batchSize}`)
    if (dueDecisions.length === 0) return 0
    return this.#database.transaction(async (trx) => {
      const foundDue = await trx.query(sql<Due>`
        with held as (
          select id from post_decisions where id = any(${dueDecisions.map(({ id }) => id)}::int[]) and notified_at is null and undone_at is null
           for update skip locked),
        due as (update post_decisions p set notified_at = now() from held where p.id = held.id returning p.*)
        select p.id, p.subject, p.to_state as "to", p.user_id as "by", p.reason_text,
               (select string_agg(coalesce(r.text ->> u.language::text, r.text ->> 'ru', r.text ->> 'en', r.label ->> u.language::text, r.code), ' ' order by given.place)
                  from unnest(p.reasons) with ordinality as given(code, place) join moderationreasons r on r.code = given.code) as listed,
               p.public_note, u.id as "user", u.name, u.username,
               u.email, u.confirmed, ${accountLanguageSql('u')} as language, u.removed_at is null and not u.blocked as reachable, t.id as entry, t.title
          from due p join tradinposts d on d.id = p.document_id join users u on u.id = d.user_id
          left join lateral (select id, title from tradinposts_texts t where t.document_id = d.id
            order by t.locale <> u.language, t.locale <> d.source_locale, t.id limit 1) t on true order by p.id`)
      for (const dueNotice of foundDue) await notifyAuthor(trx, dueNotice)
      return foundDue.length
    })
  }
}

async function notifyAuthor(trx: Transaction, dueDecision: Due): Promise<void> {
  const outcome = outcomeOf(dueDecision)
  // A moderator needs no letter about their own trading post.
  if (!outcome || dueDecision.user === null || dueDecision.user === dueDecision.by) return
  const reason = [dueDecision.listed ?? dueDecision.reason_text ?? '', dueDecision.public_note ?? '']
    .filter((text) => text.trim() !== '')
    .join(' ')
  const params = { title: dueDecision.title ?? '', reason }
  const address = dueDecision.entry === null ? null : `/trading-post/seen/${dueDecision.entry}`
  await notifyUsers(trx, {
    users: [dueDecision.user],
    kind: `post.${outcome}`,
    params,
    address,
    key: `${dueDecision.id}`,
  })
  // An unconfirmed address may belong to a stranger, and the title is user input.
  if (!dueDecision.reachable || !dueDecision.confirmed) return
  const payload = { name: nameForLetters({ ...dueDecision }), outcome, ...params, entry: dueDecision.entry }
  await queueMail(trx, dueDecision.email, dueDecision.language, 'postDecision', payload)
}
