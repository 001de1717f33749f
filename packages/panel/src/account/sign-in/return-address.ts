/** Page to return to after signing in. */

/** Returns the requested page, if the page is part of the panel. */
export function returnAddress(requestedPath: unknown): string {
  return typeof requestedPath === 'string' && /^\/app(\/|\?|$)/.test(requestedPath) ? requestedPath : '/app'
}
