/** Which rows of a list are selected. It lives outside of React's state, so that ticking a row draws that row alone. */
import type { Entry } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { askerOf, meQuery } from '../../api/session.ts'
import { narrowedBy } from './filters/conditions.ts'
import { seesCards } from '../seen-screen.ts'
import type { ResourceList } from './use-resource-list.ts'

/** Rows chosen one by one, with the names under which they were seen; or all that the filter finds. */
interface Selected {
  rows: ReadonlyMap<number, Entry>
  /** How many rows the filter found when all of them were chosen. */
  all: number | undefined
}

export interface Selection {
  now: () => Selected
  has: (id: number) => boolean
  /** How many rows are selected. */
  count: () => number
  /** Ticks or clears a row; with `range` all rows from the last one that was ticked. */
  toggle: (entries: readonly Entry[], entry: Entry, range?: boolean) => void
  /** Ticks or clears a page. */
  togglePage: (entries: readonly Entry[], on: boolean) => void
  /** All rows of the filter, of which there are so many. */
  takeAll: (count: number) => void
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

const none: Selected = { rows: new Map(), all: undefined }

export function createSelection(): Selection {
  let selected = none
  let anchor: number | undefined
  const listeners = new Set<() => void>()
  const publish = (next: Selected) => {
    selected = next
    for (const listener of listeners) listener()
  }
  const has = (id: number) => selected.all !== undefined || selected.rows.has(id)
  /** What is chosen one by one: of "all" only the page in sight is known. */
  const change = (page: readonly Entry[], changed: readonly Entry[], on: boolean) => {
    const rows = new Map(selected.all === undefined ? selected.rows : page.map((entry) => [entry.id, entry]))
    for (const entry of changed) {
      if (on) rows.set(entry.id, entry)
      else rows.delete(entry.id)
    }
    publish({ rows, all: undefined })
  }
  return {
    now: () => selected,
    has,
    count: () => selected.all ?? selected.rows.size,
    toggle: (entries, entry, range = false) => {
      const [from, to] = [entries.findIndex(({ id }) => id === anchor), entries.indexOf(entry)].toSorted(
        (a, b) => a - b,
      )
      const changed = range && from !== undefined && from >= 0 ? entries.slice(from, (to ?? from) + 1) : [entry]
      change(entries, changed, !has(entry.id))
      anchor = entry.id
    },
    togglePage: (entries, on) => change(entries, entries, on),
    takeAll: (count) => publish({ ...selected, all: count }),
    clear: () => publish(none),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * The selection of a list; none for who sees no more than the cards of others. It stays from page to page, and ends
 * with the filter, the search and the language it was made in.
 */
export function useSelection({ screen, query }: ResourceList): Selection | undefined {
  const { data: me } = useQuery(meQuery)
  const [selection] = useState(createSelection)
  const { search, rows, language } = query
  const scope = JSON.stringify([screen.path, narrowedBy(screen.resource, search, rows), language])
  useEffect(() => () => selection.clear(), [selection, scope])
  return me && seesCards(screen.resource, askerOf(me)) ? undefined : selection
}

/** Follows something of a selection: the component draws again when that changes, and not before. */
export function useSelected<T extends string | number | boolean>(
  selection: Selection,
  read: (selection: Selection) => T,
): T {
  return useSyncExternalStore(selection.subscribe, () => read(selection))
}
