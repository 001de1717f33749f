/** Queues the letters of schedules that are due, each sending by one of all instances. */
import { type Caller, Fault, lastSendingDay, nextSendingDay, type SavedReport, type SchedulePause } from '@dala/model'
import type { Database, Transaction } from '../../../db/database.ts'
import { RepeatedWork } from '../../../db/repeated-work.ts'
import { sql } from '../../../db/sql.ts'
import { accountLanguageSql, queueMail } from '../../../domain/delivery/mails.ts'
import { readCallerNow } from '../../../resources/caller-now.ts'
import { assertReadableReport, type SavedReportReaders } from '../read-report.ts'
import { assertMaySend, assertTotals } from './recipients.ts'
import { localNow, type ScheduleValues, sendingMomentSql } from './store.ts'

/** Milliseconds between two looks for schedules that are due. */
const sweepInterval = 60_000

interface DueSchedule extends ScheduleValues {
  id: number
  userId: number
  savedId: number
  /** Whether only its next sending has to be computed. */
  isNew: boolean
}

/** The maker and the saved report of a schedule, or the reason why it is paused. */
type Ready = { caller: Caller; saved: SavedReport } | { pause: SchedulePause }

async function prepare(
  trx: Transaction,
  { findSavedReport }: SavedReportReaders,
  dueSchedule: DueSchedule,
): Promise<Ready> {
  const caller = await readCallerNow(trx, dueSchedule.userId)
  if (!caller) return { pause: 'maker' }
  let step: SchedulePause = 'report'
  try {
    const savedReport = await findSavedReport(trx, caller, dueSchedule.savedId)
    step = 'right'
    await assertReadableReport(trx, caller, savedReport.key)
    assertMaySend(caller, dueSchedule)
    assertTotals(savedReport, dueSchedule)
    return { caller, saved: savedReport }
  } catch (error) {
    if (error instanceof Fault) return { pause: step }
    throw error
  }
}

/** Adds the letters of a sending to its record and to the queue; a letter that the record has already is left out. */
async function queueLetters(trx: Transaction, { id, hour, users, addresses, locale }: DueSchedule, day: string) {
  const dueAt = sendingMomentSql(day, hour)
  const addedLetters = await trx.query(sql<{ id: number; recipient: string; language: ScheduleValues['locale'] }>`
    with readers as (
      select given.place, u.id as user_id, null::text as address, u.email as recipient, ${accountLanguageSql('u')} as language
        from unnest(${[...users]}::int[]) with ordinality as given (id, place) join users u on u.id = given.id
       where u.email is not null
      union all
      select ${users.length}::int + given.place, null, given.address, given.address, ${locale}::text
        from unnest(${[...addresses]}::text[]) with ordinality as given (address, place)),
    added as (
      insert into report_sendings (schedule_id, due_at, user_id, address)
      select ${id}::int, ${dueAt}, r.user_id, r.address from readers r order by r.place
      on conflict do nothing returning id, user_id, address)
    select a.id, r.recipient, r.language from added a
      join readers r on r.user_id is not distinct from a.user_id and r.address is not distinct from a.address
     order by r.place`)
  for (const letter of addedLetters)
    await queueMail(trx, letter.recipient, letter.language, 'report', { sending: letter.id })
}

/**
 * Queues the letters of the schedule that is due longest, with their record and the time of its next sending, in
 * one transaction. After an interruption only the latest sending that was due is made up for.
 *
 * @returns Whether a schedule was due.
 */
export function sendDueSchedule(database: Database, readers: SavedReportReaders): Promise<boolean> {
  return database.transaction(async (trx) => {
    const [dueSchedule] = await trx.query(sql<DueSchedule>`
      select id, user_id as "userId", saved_id as "savedId", weekday, month_day, hour, users, addresses, format, locale,
             active, next_at is null as "isNew"
        from report_schedules where active and deleted_at is null and (next_at is null or next_at <= now())
       order by next_at nulls first, id limit 1 for update skip locked`)
    if (!dueSchedule) return false
    const preparedSending = await prepare(trx, readers, dueSchedule)
    if ('pause' in preparedSending) {
      await trx.query(sql`
        update report_schedules set active = false, paused = ${preparedSending.pause}, next_at = null, version = version + 1
         where id = ${dueSchedule.id}`)
      return true
    }
    const now = await localNow(trx)
    if (!dueSchedule.isNew) await queueLetters(trx, dueSchedule, lastSendingDay(dueSchedule, now))
    const { title, key } = preparedSending.saved
    await trx.query(sql`
      update report_schedules set title = ${title}, key = ${key},
             next_at = ${sendingMomentSql(nextSendingDay(dueSchedule, now), dueSchedule.hour)}
       where id = ${dueSchedule.id}`)
    return true
  })
}

/** Looks for schedules that are due, every minute. */
export class ScheduleJob {
  readonly #database: Database
  readonly #readers: SavedReportReaders
  readonly #clock = new RepeatedWork(sweepInterval)
  #isStopped = false

  constructor(database: Database, readers: SavedReportReaders) {
    this.#database = database
    this.#readers = readers
  }

  /** Starts the job; `onError` receives the error of a run. */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.send(), onError)
  }

  /** Stops the job after its present transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#clock.stop()
  }

  /** Queues the letters of all schedules that are due. */
  async send(): Promise<void> {
    while (!this.#isStopped && (await sendDueSchedule(this.#database, this.#readers)));
  }
}
