/** Stores the row from which the user left a list, so that Back returns the focus to the row. */
interface RememberedRow {
  list: string
  id: number
}

let storedRow: RememberedRow | undefined

/** Remembers the focused row when a list is left; forgets the row when there is none. */
export function rememberRow(list: string, id: number | undefined): void {
  storedRow = id === undefined ? undefined : { list, id }
}

/** Returns and forgets the row that the user left a list from; undefined when another list was left last. */
export function takeRememberedRow(list: string): number | undefined {
  if (storedRow?.list !== list) return undefined
  const { id } = storedRow
  storedRow = undefined
  return id
}
