/** The row of a list that its user left last, for the way back to it. */
interface LeftRow {
  list: string
  id: number
}

let left: LeftRow | undefined

/** Remembers the row with the focus when a list is left; without one, nothing of it. */
export function leaveRow(list: string, id: number | undefined): void {
  left = id === undefined ? undefined : { list, id }
}

/** The row that this list was left from, if it was the last list; it is asked for once. */
export function takeLeftRow(list: string): number | undefined {
  if (left?.list !== list) return undefined
  const { id } = left
  left = undefined
  return id
}
