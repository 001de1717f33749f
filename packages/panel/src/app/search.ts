/**
 * The query of the address bar as text values: `?page=2&search=123` gives strings, and lists look like any
 * web address.
 */

export type Search = Record<string, string>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Omits empty and absent values, so that a list with its defaults has a bare address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number' || typeof value === 'boolean')
      params.set(key, String(value))
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}
