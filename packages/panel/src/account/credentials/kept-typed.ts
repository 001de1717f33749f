/**
 * Input of the sign-in pages, stored while the tab is open, across reloads and navigation; never a password
 * or a code.
 */

const keyOf = (page: string) => `typed/${page}`

export function readTyped(page: string): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(page)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** Stores the input, or deletes it with null; nothing is stored when the browser refuses. */
export function keepTyped(page: string, typed: Readonly<Record<string, string>> | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(keyOf(page))
    else sessionStorage.setItem(keyOf(page), JSON.stringify(typed))
  } catch {
    // Private windows refuse storage.
  }
}
