/** Keys of a list's query. */

/** Keys that decide which rows a list has. */
export const narrowingKeys = ['filters', '_q', 'locale', 'fallback', 'missing_locale', 'outdated_locale'] as const
