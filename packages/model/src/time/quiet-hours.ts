/** Quiet hours of a user, in which nothing disturbs them: one rule for the panel and for letters. */

/** Beginning and end of quiet hours like `22:00`, as a user has chosen them. */
export interface QuietHours {
  quietFrom: string | null
  quietTo: string | null
}

const dayMinutes = 1_440

const minutesOf = (clock: string | null): number | undefined => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock ?? '') ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/**
 * Returns the minutes until quiet hours end; 0 outside them. Quiet hours may pass midnight; without both ends
 * there are none.
 *
 * @param hours - The quiet hours.
 * @param minute - Minutes since midnight, by the clock of the reader.
 * @example
 * quietMinutesLeft({ quietFrom: '22:00', quietTo: '07:30' }, 23 * 60) // 510
 */
export function quietMinutesLeft({ quietFrom, quietTo }: QuietHours, minute: number): number {
  const [startMinute, endMinute] = [minutesOf(quietFrom), minutesOf(quietTo)]
  if (startMinute === undefined || endMinute === undefined || startMinute === endMinute) return 0
  const isQuiet =
    startMinute < endMinute ? minute >= startMinute && minute < endMinute : minute >= startMinute || minute < endMinute
  return isQuiet ? (endMinute - minute + dayMinutes) % dayMinutes : 0
}
