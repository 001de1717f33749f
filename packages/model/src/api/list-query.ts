/** Keys of a list's query string. */

/** Query keys that select the rows of a list. */
export const narrowingKeys = ['filters', '_q', 'locale', 'fallback', 'missing_locale', 'outdated_locale'] as const
