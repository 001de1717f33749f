/**
 * Formats query objects with nested brackets and encoded values (requirements §7): `{filters:{name:{$eq:'a
 * b'}}}` → `filters[name][$eq]=a%20b`.
 */

export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue }
export type Query = Readonly<Record<string, QueryValue>>

function collectParts(path: string, value: QueryValue, parts: string[]): void {
  if (value === undefined) return
  if (value === null) parts.push(`${path}=`)
  else if (typeof value !== 'object') parts.push(`${path}=${encodeURIComponent(String(value))}`)
  else {
    for (const [key, nestedValue] of Object.entries<QueryValue>(value as Query))
      collectParts(`${path}[${encodeURIComponent(key)}]`, nestedValue, parts)
  }
}

/**
 * The query as text, with its question mark; empty for an empty query. `undefined` is left out, null is an
 * empty value.
 */
export function toQueryString(query: Query | undefined): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(query ?? {})) collectParts(encodeURIComponent(key), value, parts)
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}
