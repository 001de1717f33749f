/** Keys of a list's query. */

/** Keys that select the rows of a list. */
export const narrowingKeys = ['filters', '_q', 'locale', 'fallback', 'missing_locale', 'outdated_locale'] as const
