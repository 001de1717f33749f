/** The address bar's query as plain text values: `?page=2&search=123` gives strings, and lists read like any web address. */

export type Search = Record<string, string>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Empty and absent values are left out, so that a list at its defaults has a bare address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number' || typeof value === 'boolean')
      params.set(key, String(value))
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}
