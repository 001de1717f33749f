/** How an address was last seen: its query, so that the way back to a list leads to the same filters and page. */

type Search = Readonly<Record<string, string>>

const searches = new Map<string, Search>()

/** Remembers the query of an address while the page lives. */
export function rememberSearch(pathname: string, search: Search): void {
  searches.set(pathname, search)
}

/** The query an address was last seen with; none when it was not. */
export function lastSearchOf(pathname: string): Search {
  return searches.get(pathname) ?? {}
}

/** What somebody has searched for is not shown to who signs in next on the same device. */
export function forgetSearches(): void {
  searches.clear()
}
