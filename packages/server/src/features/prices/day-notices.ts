/** Notifies staff of days to check: submitted ones, and past ones that are not published (market §5). */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { isStaffSql } from '../../domain/conversations/desk.ts'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { reportDay } from '../../domain/market/report-day.ts'

const intervalMs = 600_000
/** Number of past days that are looked at. */
const checkedDays = 14

interface UnpublishedDay {
  id: number
  date: string
  flagged: number
}

const columns = sql`d.id, d.date::text as date,
  (select count(*)::int from pricelists p where p.pricedate_id = d.id and p.state = 'check') as flagged`

export class DayNotices {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Looks at past days now and every ten minutes.
   *
   * @param onError - Handles an error, which must not end the process.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.sweep(), onError)
  }

  /** Stops the clock and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Notifies of past days with prices that are not published. It does so in working hours only, because
   * nobody publishes prices at midnight.
   *
   * @param now - The time, in milliseconds since 1970.
   * @returns The number of days.
   */
  async sweep(now = Date.now()): Promise<number> {
    if (this.#database.calendar.workingTime.between(now - 60_000, now) === 0) return 0
    return this.#database.transaction(async (trx) => {
      const days = await trx.query(sql<UnpublishedDay>`
        select ${columns} from pricedates d
         where d.state <> 'published' and d.date < ${reportDay}::date and d.date >= ${reportDay}::date - ${checkedDays}::int
           and exists (select 1 from pricelists p where p.pricedate_id = d.id and p.price is not null)
           and not exists (select 1 from notices n where n.kind = 'day.check' and n.key = d.id::text)
         order by d.date`)
      for (const day of days) await notifyStaff(trx, day, `${day.id}`)
      return days.length
    })
  }
}

/** Notifies staff of a day, apart from the user whose step it was. */
async function notifyStaff(
  trx: Transaction,
  { id, date, flagged }: UnpublishedDay,
  key: string,
  excludedUser = 0,
): Promise<void> {
  const people = await trx.query(sql<{ id: number }>`
    select u.id from users u join roles r on r.id = u.role_id
     where ${isStaffSql(sql`r.type`)} and u.active and not u.blocked and u.removed_at is null and u.id <> ${excludedUser} order by u.id`)
  await notifyUsers(trx, {
    users: people.map((person) => person.id),
    kind: 'day.check',
    params: { date, flagged },
    address: `/price-list/${id}`,
    subject: { resource: 'pricedates', document: id },
    key,
  })
}

/**
 * Notifies staff of a day that was submitted, so that somebody else checks and publishes it.
 *
 * @param trx - The transaction of the step, after the day has its new state.
 * @param id - The day.
 * @param submitterId - The user who submitted it.
 */
export async function notifySubmittedDay(trx: Transaction, id: number, submitterId: number): Promise<void> {
  const [day] = await trx.query(
    sql<UnpublishedDay & { version: number }>`select ${columns}, d.version from pricedates d where d.id = ${id}`,
  )
  if (day) await notifyStaff(trx, day, `${id}:${day.version}`, submitterId)
}
