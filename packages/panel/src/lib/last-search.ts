/** The last query of an address, so that the way back to a list restores its filters and page. */

type Search = Readonly<Record<string, string>>

const searches = new Map<string, Search>()

/** Remembers the query of a list's address until the page is closed. */
export function rememberSearch(pathname: string, search: Search): void {
  searches.set(pathname, search)
}

/** Returns the last query of a list's address; empty when there is none. */
export function lastSearchOf(pathname: string): Search {
  return searches.get(pathname) ?? {}
}

/** Forgets all remembered queries: the next user of the device must not see them. */
export function forgetSearches(): void {
  searches.clear()
}
