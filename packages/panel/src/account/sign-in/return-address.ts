/** The page to return to after signing in. */

/** The requested page, if it is one of the panel. */
export function returnAddress(from: unknown): string {
  return typeof from === 'string' && /^\/app(\/|\?|$)/.test(from) ? from : '/app'
}
