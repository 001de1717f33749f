/** Whether a user is online: the server records once a minute who is connected. */

const fresh = 2 * 60_000

/**
 * Tells whether a user is online; a clock slightly behind the server's does not matter.
 *
 * @param seen - When they were last seen.
 * @param now - The present moment.
 */
export function isOnline(seen: unknown, now: Date): boolean {
  const moment = typeof seen === 'string' ? new Date(seen).getTime() : Number.NaN
  return now.getTime() - moment <= fresh
}
