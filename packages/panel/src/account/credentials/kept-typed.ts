/**
 * Input of the sign-in pages, stored while the tab is open, across reloads and navigation; never a password
 * or a code.
 */

const keyOf = (page: string) => `typed/${page}`

export function readTypedInput(page: string): Readonly<Record<string, string>> {
  try {
    const storedValues: unknown = JSON.parse(sessionStorage.getItem(keyOf(page)) ?? '{}')
    if (typeof storedValues !== 'object' || storedValues === null) return {}
    return Object.fromEntries(
      Object.entries(storedValues).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** Stores the input of a sign-in page; null deletes it. Nothing is stored when the browser refuses. */
export function storeTypedInput(page: string, values: Readonly<Record<string, string>> | null): void {
  try {
    if (values === null) sessionStorage.removeItem(keyOf(page))
    else sessionStorage.setItem(keyOf(page), JSON.stringify(values))
  } catch {
    // Private windows refuse session storage.
  }
}
