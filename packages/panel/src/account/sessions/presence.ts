/** Whether somebody is here now: the server notes once a minute who is connected. */

const fresh = 2 * 60_000

/** In: when he was last seen. A clock that is a little behind the server's does not matter. */
export function isOnline(seen: unknown, now: Date): boolean {
  const moment = typeof seen === 'string' ? new Date(seen).getTime() : Number.NaN
  return now.getTime() - moment <= fresh
}
