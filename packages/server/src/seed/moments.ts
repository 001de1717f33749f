/** Moments of the samples, as the wire spells them. */

const minute = 60_000
export const minutesOfDay = 24 * 60

/** The moment so many minutes after another one. */
export function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * minute).toISOString()
}
