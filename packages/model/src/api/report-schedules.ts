/** Schedules of saved reports: their rule, their limits, and the days on which they are sent. */

/** Maximum number of a person's schedules. */
export const maxSchedules = 20
/** Maximum number of the accounts, and of the addresses, that a schedule is sent to. */
export const maxScheduleRecipients = 20
/** Maximum number of bytes of a file that is attached to a letter; the letter has a link to a larger one. */
export const maxAttachedBytes = 5 * 1_024 * 1_024

/**
 * Reasons why a schedule was paused by the program: its saved report is gone or no longer shared with its
 * maker, its maker is blocked or removed, or its maker lost a right that it needs.
 */
export const schedulePauses = ['report', 'maker', 'right'] as const
export type SchedulePause = (typeof schedulePauses)[number]

/** States of a scheduled letter: queued, delivered, left out by a rule, or given up after a day of attempts. */
export const sendingStates = ['waiting', 'sent', 'skipped', 'failed'] as const
export type SendingState = (typeof sendingStates)[number]

/**
 * Reasons why a scheduled letter was not delivered: its reader has no active account with a confirmed address,
 * may not open the report, its query is no longer accepted, its file is too large, or the mail server refused
 * it.
 */
export const sendingReasons = ['reader', 'right', 'report', 'size', 'mail'] as const
export type SendingReason = (typeof sendingReasons)[number]

/** Day and hour of a schedule, in the report zone. */
export interface SendingRule {
  /** Day of the week from 1, Monday; null for a schedule by the day of the month. */
  weekday: number | null
  /** Day of the month; a shorter month has its last day instead. */
  month_day: number | null
  hour: number
}

/** A day, `YYYY-MM-DD`, and a full hour of the report zone. */
export interface LocalHour {
  day: string
  hour: number
}

/** Longest distance, in days, between two days of a rule. */
const longestGap = 31

const dayMilliseconds = 86_400_000

function isSendingDay({ weekday, month_day: monthDay }: SendingRule, date: Date): boolean {
  if (weekday !== null) return (date.getUTCDay() || 7) === weekday
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(monthDay ?? 1, lastOfMonth)
}

/** Finds the first day of a rule in a direction, from a day that counts only if its hour is right. */
function findSendingDay(rule: SendingRule, { day }: LocalHour, direction: 1 | -1, countsToday: boolean): string {
  const today = Date.parse(`${day}T00:00:00Z`)
  const distances = Array.from({ length: longestGap + 1 }, (_, distance) => distance)
  const nearestDistance = distances.find(
    (distance) =>
      (distance > 0 || countsToday) && isSendingDay(rule, new Date(today + direction * distance * dayMilliseconds)),
  )
  return new Date(today + direction * (nearestDistance ?? 0) * dayMilliseconds).toISOString().slice(0, 10)
}

/**
 * Returns the next day on which a schedule is sent.
 *
 * @param rule - The rule of the schedule.
 * @param now - The present hour; a sending of this hour has begun.
 * @example
 * nextSendingDay({ weekday: null, month_day: 31, hour: 8 }, { day: '2026-02-01', hour: 9 }) // '2026-02-28'
 */
export const nextSendingDay = (rule: SendingRule, now: LocalHour): string =>
  findSendingDay(rule, now, 1, rule.hour > now.hour)

/**
 * Returns the latest day on which a schedule was to be sent, today included.
 *
 * @param rule - The rule of the schedule.
 * @param now - The present hour; a sending of this hour has begun.
 * @example
 * lastSendingDay({ weekday: 1, month_day: null, hour: 8 }, { day: '2026-11-28', hour: 9 }) // '2026-11-23'
 */
export const lastSendingDay = (rule: SendingRule, now: LocalHour): string =>
  findSendingDay(rule, now, -1, rule.hour <= now.hour)
