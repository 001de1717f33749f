/**
 * Lets the times of waiting cases follow a change of the working hours or of the targets, of the organisation or of a
 * category (chat §6). Replies that were given keep the times that applied then.
 */
import { type Calendar, textOfCalendar } from '../../db/calendar.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { sql } from '../../db/sql.ts'
import { organisationTable } from '../../resources/mentions.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { waitTimesFrom } from './waits.ts'

const intervalMs = 30_000
/** Table of the targets of categories. */
const categoryTable = 'consultationcategories'
/** Pause after a change of the settings, in which all instances read them. */
const pauseMs = 1_000
/** Number of cases whose times one statement changes. */
const portion = 500

/** A case with a waiting customer. */
interface WaitingCase {
  id: number
  asked: string
  due: string
  /** Whether the customer of this episode or question had a reply before. */
  isReplied: boolean
  /** Targets of the category. */
  first: number | null
  next: number | null
}

const waitingCasesSql = {
  chatrooms: sql<WaitingCase>`
    select r.id, r.waiting_since as asked, r.due_at as due, c.first_reply_minutes as first, c.next_reply_minutes as next,
           exists (select 1 from room_replies p where p.room_id = r.id and p.episode = r.episode) as "isReplied"
      from chatrooms r left join consultationcategories c on c.id = r.category_id
     where r.waiting_since is not null order by r.id for no key update of r`,
  consultations: sql<WaitingCase>`
    select q.id, q.waiting_since as asked, q.due_at as due, c.first_reply_minutes as first, c.next_reply_minutes as next,
           exists (select 1 from consultation_replies p where p.consultation_id = q.id) as "isReplied"
      from consultations q left join consultationcategories c on c.id = q.category_id
     where q.waiting_since is not null order by q.id for no key update of q`,
} as const

/** Sets the times of the waiting cases of one kind by the present hours and targets. */
async function updateCases(
  trx: Transaction,
  calendar: Calendar,
  resource: keyof typeof waitingCasesSql,
): Promise<number> {
  const waitingCases = await trx.query(waitingCasesSql[resource])
  const { replyMinutes } = calendar
  const changed = waitingCases.flatMap(({ id, asked, due, isReplied, first, next }) => {
    const minutes = isReplied ? (next ?? replyMinutes.next) : (first ?? replyMinutes.first)
    const { warn_at, due_at } = waitTimesFrom(calendar, Date.parse(asked), minutes)
    return Date.parse(due_at) === Date.parse(due) ? [] : [{ id, warn_at, due_at }]
  })
  for (let start = 0; start < changed.length; start += portion) {
    const rows = JSON.stringify(changed.slice(start, start + portion))
    await trx.query(sql`
      update ${sql.table(resource)} w set warn_at = x.warn_at, due_at = x.due_at
        from jsonb_to_recordset(${rows}::jsonb) as x(id int, warn_at timestamptz, due_at timestamptz) where w.id = x.id`)
  }
  if (changed.length > 0) trx.changed(resource, 'values')
  return changed.length
}

/** The targets of all categories as a checksum; null where no category has one. */
const targetsSql = sql`(
  select md5(string_agg(concat_ws(':', id, coalesce(first_reply_minutes::text, '-'), coalesce(next_reply_minutes::text, '-')), ',' order by id))
    from ${sql.table(categoryTable)} where first_reply_minutes is not null or next_reply_minutes is not null)`

/** Returns what the times of waits depend on, as a text: the calendar, and the checksum of the targets of categories. */
const rulesOf = (calendar: Calendar, targets: string | null): string =>
  JSON.stringify([textOfCalendar(calendar), targets])

export class DueTimes {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)
  #endListening = () => {}

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Looks for a change of the hours and targets now, every 30 seconds, and soon after a change of the settings or of a
   * category.
   *
   * @param onError - Handles an error, which must not end the process.
   */
  start(onError: (error: unknown) => void): void {
    this.#endListening = this.#database.onChange((changes) => {
      if (changes !== 'all' && [organisationTable, categoryTable].some((name) => changes.has(name)))
        this.#clock.soon(pauseMs)
    })
    this.#clock.start(() => this.follow(), onError)
  }

  /** Stops the clock and waits for a run that has begun. */
  stop(): Promise<void> {
    this.#endListening()
    return this.#clock.stop()
  }

  /**
   * Computes the times of waiting cases again if the present hours and targets are others than those of their times.
   * Every instance looks; the row of the calendar lets one of them work at a time.
   *
   * @returns The number of changed cases.
   */
  async follow(): Promise<number> {
    const [state] = await this.#database.query(sql<{
      targets: string | null
      calendar: string | null
      settled: boolean | null
    }>`
      select ${targetsSql} as targets, s.calendar, s.settled from (values (true)) present (one) left join desk_calendar s using (one)`)
    if (state?.settled && state.calendar === rulesOf(this.#database.calendar, state.targets)) return 0
    return withDeadlockRetry(this.#database, async (trx) => {
      const [present] = await trx.query(sql<{ targets: string | null }>`select ${targetsSql} as targets`)
      const rules = rulesOf(trx.calendar, present?.targets ?? null)
      // Without a row this is the first start with it, whose cases have the times of the present hours and targets.
      const [former] = await trx.query(sql<{ calendar: string; settled: boolean }>`
        insert into desk_calendar (calendar, settled) values (${rules}::text, true)
        on conflict (one) do update set calendar = desk_calendar.calendar returning calendar, settled`)
      if (!former || (former.calendar === rules && former.settled)) return 0
      const isSecondPass = former.calendar === rules
      await trx.query(sql`update desk_calendar set calendar = ${rules}::text, settled = ${isSecondPass}`)
      return (
        (await updateCases(trx, trx.calendar, 'consultations')) + (await updateCases(trx, trx.calendar, 'chatrooms'))
      )
    })
  }
}
