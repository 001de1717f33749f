/** Whether a user is online: the server records once a minute who is connected. */

const onlineLimit = 2 * 60_000

/**
 * Tells whether a user is online; a clock slightly behind the server's does not matter.
 *
 * @param lastSeenAt - When they were last seen.
 * @param now - The present moment.
 */
export function isOnline(lastSeenAt: unknown, now: Date): boolean {
  const seenTime = typeof lastSeenAt === 'string' ? new Date(lastSeenAt).getTime() : Number.NaN
  return now.getTime() - seenTime <= onlineLimit
}
