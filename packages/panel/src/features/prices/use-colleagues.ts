/** Colleagues who are typing into the table of a day, by cell. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { joinEditors, type Editor, type EditLocation, emitEditedPart } from '../../api/live.ts'
import type { CellEdits } from './cell-edits.ts'

/** Price cell that the user is typing in. */
const typedCell = (edits: CellEdits): string | null => {
  const edit = edits.unsaved().find(({ state }) => state === 'typing')
  return edit ? `${edit.place.market}/${edit.place.product}/${edit.place.district}` : null
}

/**
 * Shows colleagues the price cell that the user is typing in, and receives theirs.
 *
 * @param pricedate - The id of the day.
 * @param edits - The edits of this page.
 * @returns Names of colleagues by the cell they type in.
 */
export function useColleagues(pricedate: number, edits: CellEdits): ReadonlyMap<string, string> {
  const [people, setPeople] = useState<readonly Editor[]>([])
  const editLocation = useMemo(
    (): EditLocation => ({ resource: 'pricedates', id: pricedate, locale: null }),
    [pricedate],
  )
  useEffect(() => joinEditors(editLocation, setPeople), [editLocation])
  const editedCell = useSyncExternalStore(edits.subscribe, () => typedCell(edits))
  useEffect(() => emitEditedPart(editLocation, editedCell), [editLocation, editedCell])
  return useMemo(
    () => new Map(people.flatMap(({ part: cell, name }) => (cell ? [[cell, name] as const] : []))),
    [people],
  )
}
