/**
 * Counts complete past days in the background, and those that were changed since (docs/decisions/0056). Until a
 * day is counted, reports count it from its facts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { zoneSql } from '../../../db/calendar.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import { RepeatedWork } from '../../../db/repeated-work.ts'
import { sql } from '../../../db/sql.ts'
import { joinVersions } from '../data-version.ts'
import { addDays, daysBetween } from '../days.ts'
import type { DaySubject } from '../measures.ts'
import { countedDaysSql, markedDaysSql } from './counted-days.ts'
import { type DayRange, freshCountsSql, openDaysSql } from './day-rows.ts'
import { dayFacts, dayMeasures, nameOfDayCounts } from './definitions.ts'

const everyMs = 30_000
/** Pauses between two portions of days, in which requests are answered, as a multiple of the portion's time. */
const restShare = 2
/** Milliseconds that a portion of days should take. */
const portionMs = 200
const mostDays = 31
/** Years of past days that are counted; a report and its comparison reach no further. */
const countedYears = 11
/** Number of random days that are counted again each night. */
const checkedDays = 30
/** Hour of the report zone after which the random days are counted again. */
const checkHour = 3
/** Number of the advisory lock, which lets one instance count at a time. */
const lock = 4_711_014

const subjects = Object.keys(dayFacts) as DaySubject[]

/** A time up to which every writer of present facts has ended, or a later time until this is known. */
interface Horizon {
  /** Local time of the report zone, a minute ago: later facts may have no mark. */
  time: string
  /** Transactions before this one must have ended. */
  next: number
}

/** A difference that the nightly recount has found. */
export interface CountDifference {
  subject: DaySubject
  day: string
  measure: string
  slice: string
}

export class DayRecount {
  readonly #database: Database
  readonly #clock = new RepeatedWork(everyMs)
  #horizon: Horizon | undefined
  /** Time before which all writers of present facts have ended. */
  #settled = ''
  #portion = 1
  #isStopping = false

  constructor(database: Database) {
    this.#database = database
  }

  /** The name of right counts, which changes with the working hours while the program runs. */
  get #madeBy(): string {
    return nameOfDayCounts(this.#database.calendar)
  }

  /**
   * Counts days now and every 30 seconds.
   *
   * @param onError - Receives an error, which must not end the program.
   * @param onDifference - Receives what a nightly recount has found.
   */
  start(onError: (error: unknown) => void, onDifference: (differences: readonly CountDifference[]) => void): void {
    this.#clock.start(async () => {
      await joinVersions(this.#database)
      await this.count(restShare)
      const differences = await this.#checkAtNight()
      if (differences.length > 0) onDifference(differences)
    }, onError)
  }

  /** Stops after the present portion of days. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#clock.stop()
  }

  /**
   * Counts all complete days that are not counted, and those that were marked.
   *
   * @param pauseTime - Pauses between two portions, as a multiple of the time of a portion.
   * @returns The number of counted days; undefined while writers of present facts may still be running.
   */
  async count(pauseTime = 0): Promise<number | undefined> {
    await this.#settle()
    await this.#takeMarks()
    if (this.#settled === '') return undefined
    let total = 0
    for (const subject of subjects) {
      for (const range of rangesOf(await this.#uncounted(subject))) {
        for (let lastDay = range.last; lastDay >= range.first && !this.#isStopping;) {
          const firstDay = laterDay(range.first, addDays(lastDay, 1 - this.#portion))
          const start = performance.now()
          total += await this.#countDays(subject, { first: firstDay, last: lastDay })
          const duration = performance.now() - start
          this.#adapt(duration)
          lastDay = addDays(firstDay, -1)
          if (pauseTime > 0) await pause(pauseTime * duration)
        }
      }
    }
    return total
  }

  /**
   * Counts random days again, stores what differed, and has it counted anew.
   *
   * @param pauseTime - Pauses between two days, as a multiple of the time of a day.
   */
  async check(pauseTime = 0): Promise<CountDifference[]> {
    const differences: CountDifference[] = []
    const days = await this.#database.query(sql<{ subject: DaySubject; day: string }>`
      with ${markedDaysSql}, ${countedDaysSql(this.#madeBy)}
      select c.subject, c.day::text as day from counted_days c order by random() limit ${checkedDays}`)
    for (const { subject, day } of days) {
      if (this.#isStopping) return differences
      const start = performance.now()
      differences.push(...(await this.#compare(subject, day)))
      if (pauseTime > 0) await pause(pauseTime * (performance.now() - start))
    }
    await this.#database.query(
      sql`insert into report_checks (days, differences) values (${days.length}, ${JSON.stringify(differences)}::jsonb)`,
    )
    await this.#database.query(sql`delete from report_checks where checked_at < now() - interval '90 days'`)
    return differences
  }

  /** Counts random days again once a night, on one instance. */
  async #checkAtNight(): Promise<CountDifference[]> {
    const [dueRow] = await this.#database.query(sql<{ due: boolean }>`
      select extract(hour from now() at time zone ${zoneSql}) >= ${checkHour}
         and not exists (select 1 from report_checks c
           where (c.checked_at at time zone ${zoneSql})::date = (now() at time zone ${zoneSql})::date)
         and exists (select 1 from report_days) as due`)
    return dueRow?.due && !this.#isStopping ? this.check(restShare) : []
  }

  /** Finds out up to which time all writers of present facts have ended. */
  async #settle(): Promise<void> {
    // The number of a new transaction is above those of all that have written; the end of a snapshot may not be.
    const [now] = await this.#database.query(sql<Horizon>`
      select to_char((statement_timestamp() - interval '1 minute') at time zone ${zoneSql}, 'YYYY-MM-DD HH24:MI:SS') as time,
             pg_current_xact_id()::text::float8 as next`)
    this.#horizon ??= now
    const [oldest] = await this.#database.query(
      sql<{ running: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::float8 as running`,
    )
    if (!this.#horizon || !oldest || oldest.running < this.#horizon.next) return
    this.#settled = this.#horizon.time
    this.#horizon = undefined
  }

  /** Runs work in a transaction while no other instance counts; undefined when one does. */
  #alone<T>(runAlone: (trx: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.#database.transaction(async (trx) => {
      if (trx.database.kind === 'server') {
        const [lockRow] = await trx.query(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}) as free`)
        if (!lockRow?.free) return undefined
      }
      return runAlone(trx)
    })
  }

  /** Turns marks into days that are not counted. A mark that is added meanwhile stays. */
  async #takeMarks(): Promise<void> {
    await this.#alone(async (trx) => {
      await trx.query(sql`
        with ${markedDaysSql}, taken as (delete from report_marks m where m.id in (select id from report_marks) returning m.id)
        delete from report_days d using marked k where k.subject = d.subject and d.day between k.first and k.last
          and exists (select 1 from taken)`)
    })
  }

  /** Returns the complete days of a subject that are not counted, in order. */
  async #uncounted(subject: DaySubject): Promise<string[]> {
    const days = await this.#database.query(sql<{ day: string }>`
      with facts as (select (${dayFacts[subject].first})::date as first),
      ends as (
        select case when f.first is not null
                 then greatest(f.first, (now() at time zone ${zoneSql})::date - ${countedYears}::int * 365) end as first,
               ${this.#settled}::text::date - 1 as last from facts f)
      select g.day::date::text as day from ends e cross join lateral generate_series(e.first, e.last, interval '1 day') as g(day)
       where not exists (select 1 from report_days d where d.subject = ${subject}::text and d.day = g.day::date and d.made_by = ${this.#madeBy}::text)
       order by 1`)
    return days.map(({ day }) => day)
  }

  /** Counts the days of a range; those that time alone will change stay uncounted. */
  async #countDays(subject: DaySubject, range: DayRange): Promise<number> {
    const countedDays = await this.#alone(async (trx) => {
      const measures = dayMeasures(subject).map(({ measure }) => measure.key)
      await trx.query(sql`
        delete from report_counts where day between ${range.first}::date and ${range.last}::date and measure = any(${measures}::text[])`)
      const days = await trx.query(sql<{ day: string }>`
        with ${freshCountsSql(subject, range)},
        stored as (insert into report_counts (measure, slice, within, day, ids, cases, sums, amounts) select measure, slice, within, day, ids, cases, sums, amounts from fresh),
        opened as (${openDaysSql(subject, range)})
        insert into report_days (subject, day, made_by)
        select ${subject}::text, g.day::date, ${this.#madeBy}::text
          from generate_series(${range.first}::date, ${range.last}::date, interval '1 day') as g(day)
         where g.day::date not in (select o.day from opened o)
        on conflict (subject, day) do update set made_by = excluded.made_by, counted_at = now()
        returning day::text as day`)
      return days.length
    })
    return countedDays ?? 0
  }

  /** Keeps portions short, because the embedded database answers nothing meanwhile. */
  #adapt(duration: number): void {
    if (duration < portionMs / 2) this.#portion = Math.min(mostDays, this.#portion * 2)
    else if (duration > portionMs) this.#portion = Math.max(1, Math.floor(this.#portion / 2))
  }

  /** Compares the stored counts of a day with new ones; where they differ the day is counted anew. */
  async #compare(subject: DaySubject, day: string): Promise<CountDifference[]> {
    const measures = dayMeasures(subject).map(({ measure }) => measure.key)
    const dayDifferences = await this.#alone(async (trx) => {
      const rows = await trx.query(sql<{ measure: string; slice: string }>`
        with ${markedDaysSql}, ${countedDaysSql(this.#madeBy)}, ${freshCountsSql(subject, { first: day, last: day })}
        select coalesce(f.measure, c.measure) as measure, coalesce(f.slice, c.slice) as slice
          from fresh f full join (
            select * from report_counts c where c.day = ${day}::date and c.measure = any(${measures}::text[])) c
            on c.measure = f.measure and c.slice = f.slice and c.within = f.within
         where exists (select 1 from counted_days d where d.subject = ${subject}::text and d.day = ${day}::date)
           and (f.ids, f.cases, f.sums, f.amounts) is distinct from (c.ids, c.cases, c.sums, c.amounts)`)
      if (rows.length > 0)
        await trx.query(sql`delete from report_days where subject = ${subject}::text and day = ${day}::date`)
      return rows
    })
    return (dayDifferences ?? []).map((row) => ({ subject, day, ...row }))
  }
}

const laterDay = (left: string, right: string): string => (left > right ? left : right)

/** Returns days as ranges without gaps, the latest first. */
function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: DayRange[] = []
  for (const day of days.toReversed()) {
    const lastRange = ranges.at(-1)
    if (lastRange && daysBetween(day, lastRange.first) === 1) lastRange.first = day
    else ranges.push({ first: day, last: day })
  }
  return ranges
}
