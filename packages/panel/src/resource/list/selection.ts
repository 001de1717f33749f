/** The selected rows of a list, outside of React's state, so that a checkbox renders its row alone. */
import type { Entry } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { queryOfSearch } from './filters/conditions.ts'
import { seesCards } from '../screen-for-user.ts'
import type { ResourceList } from './use-resource-list.ts'

/** Selected rows: single ones, as they were when they were seen; or all rows that match the filter. */
interface SelectedRows {
  rows: ReadonlyMap<number, Entry>
  /** Number of rows that matched the filter when all of them were selected. */
  all: number | undefined
}

export interface Selection {
  now: () => SelectedRows
  has: (id: number) => boolean
  /** Returns the number of selected rows of the list. */
  count: () => number
  /** Selects or clears a row of the list; with `range`, all rows from the last selected one. */
  toggleEntry: (entries: readonly Entry[], entry: Entry, range?: boolean) => void
  /** Selects or clears all rows of a page. */
  togglePage: (entries: readonly Entry[], isSelected: boolean) => void
  /** Selects all rows that match the filter; `count` is their number. */
  selectAllRows: (count: number) => void
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

const emptySelection: SelectedRows = { rows: new Map(), all: undefined }

export function createSelection(): Selection {
  let selectedState = emptySelection
  let anchor: number | undefined
  const listeners = new Set<() => void>()
  const publishSelection = (newState: SelectedRows) => {
    selectedState = newState
    for (const listener of listeners) listener()
  }
  const hasRow = (id: number) => selectedState.all !== undefined || selectedState.rows.has(id)
  /** Changes the selection of single rows: of "all", only the visible page is known. */
  const change = (page: readonly Entry[], changedRows: readonly Entry[], isSelected: boolean) => {
    const rows = new Map(selectedState.all === undefined ? selectedState.rows : page.map((entry) => [entry.id, entry]))
    for (const entry of changedRows) {
      if (isSelected) rows.set(entry.id, entry)
      else rows.delete(entry.id)
    }
    publishSelection({ rows, all: undefined })
  }
  return {
    now: () => selectedState,
    has: hasRow,
    count: () => selectedState.all ?? selectedState.rows.size,
    toggleEntry: (entries, entry, range = false) => {
      const [firstIndex, lastIndex] = [entries.findIndex(({ id }) => id === anchor), entries.indexOf(entry)].toSorted(
        (a, b) => a - b,
      )
      const changedEntries =
        range && firstIndex !== undefined && firstIndex >= 0
          ? entries.slice(firstIndex, (lastIndex ?? firstIndex) + 1)
          : [entry]
      change(entries, changedEntries, !hasRow(entry.id))
      anchor = entry.id
    },
    togglePage: (entries, isSelected) => change(entries, entries, isSelected),
    selectAllRows: (count) => publishSelection({ ...selectedState, all: count }),
    clear: () => publishSelection(emptySelection),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Returns the selected rows of a list; undefined for a user who sees only the cards of others. It survives a
 * change of page, and ends with the filter, the search and the language that it was made in.
 */
export function useSelection({ screen, query }: ResourceList): Selection | undefined {
  const { data: me } = useQuery(meQuery)
  const [selection] = useState(createSelection)
  const { search, rows, language } = query
  const scope = JSON.stringify([screen.path, queryOfSearch(screen.resource, search, rows), language])
  useEffect(() => () => selection.clear(), [selection, scope])
  return me && seesCards(screen.resource, callerRoleOf(me)) ? undefined : selection
}

/** Reads a value from the selection of rows; the component renders only when that value changes. */
export function useSelectionValue<T extends string | number | boolean>(
  selection: Selection,
  readValue: (selection: Selection) => T,
): T {
  return useSyncExternalStore(selection.subscribe, () => readValue(selection))
}
