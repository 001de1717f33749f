/** What is typed on the pages before signing in stays while the tab is open, over a reload and a way round: never a password or a code. */

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

/** Keeps it, or forgets it with null; a refused storage loses no more than the memory of it. */
export function keepTyped(page: string, typed: Readonly<Record<string, string>> | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(keyOf(page))
    else sessionStorage.setItem(keyOf(page), JSON.stringify(typed))
  } catch {
    // Private windows refuse storage.
  }
}
