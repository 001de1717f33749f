/** Times of the samples in wire format. */

const minute = 60_000
export const minutesOfDay = 24 * 60

/** Returns the time a given number of minutes after another one. */
export function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * minute).toISOString()
}
