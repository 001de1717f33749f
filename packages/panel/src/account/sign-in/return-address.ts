/** Page to return to after signing in. */

/** Returns the requested page, if the page is part of the panel. */
export function returnAddress(from: unknown): string {
  return typeof from === 'string' && /^\/app(\/|\?|$)/.test(from) ? from : '/app'
}
