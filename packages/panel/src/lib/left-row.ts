/** The row where the user left a list, for the way back to it. */
interface LeftRow {
  list: string
  id: number
}

let left: LeftRow | undefined

/** Remembers the focused row when a list is left; forgets it when there is none. */
export function leaveRow(list: string, id: number | undefined): void {
  left = id === undefined ? undefined : { list, id }
}

/** The row where this list was left, if it was the last list; it can be read once. */
export function takeLeftRow(list: string): number | undefined {
  if (left?.list !== list) return undefined
  const { id } = left
  left = undefined
  return id
}
