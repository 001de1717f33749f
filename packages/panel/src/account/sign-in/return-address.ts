/** The way back after signing in. */

/** The page that was first asked for, when it is one of ours. */
export function returnAddress(from: unknown): string {
  return typeof from === 'string' && /^\/app(\/|\?|$)/.test(from) ? from : '/app'
}
