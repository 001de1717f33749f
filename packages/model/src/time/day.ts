/** Days of the calendar as texts, `YYYY-MM-DD`. */

/**
 * Tells whether a text is an existing calendar day.
 *
 * @example
 * isDay('2026-02-29') // false
 */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}
