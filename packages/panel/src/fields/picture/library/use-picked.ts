/** Which pictures are ticked: one by one, a stretch of them, or a page; they stay from page to page. */
import type { Entry } from '@dala/model'
import { useRef, useState } from 'react'

export interface Picked {
  /** By id, as they were seen when they were ticked. */
  files: ReadonlyMap<number, Entry>
  /** Ticks or clears one; with `range` all from the last one that was ticked. */
  toggle: (entries: readonly Entry[], entry: Entry, range: boolean) => void
  togglePage: (entries: readonly Entry[], on: boolean) => void
  clear: () => void
  /** Clears those that are gone. */
  drop: (ids: readonly number[]) => void
}

/** `scope` is what the choice was made in: another one ends it. */
export function usePicked(scope: string): Picked {
  const [state, setState] = useState<{ scope: string; files: ReadonlyMap<number, Entry> }>({ scope, files: new Map() })
  const anchor = useRef<number | null>(null)
  const files: ReadonlyMap<number, Entry> = state.scope === scope ? state.files : new Map()
  const set = (next: ReadonlyMap<number, Entry>) => setState({ scope, files: next })
  const change = (changed: readonly Entry[], on: boolean) => {
    const next = new Map(files)
    for (const entry of changed) {
      if (on) next.set(entry.id, entry)
      else next.delete(entry.id)
    }
    set(next)
  }
  return {
    files,
    toggle: (entries, entry, range) => {
      const [from, to] = [
        entries.findIndex(({ id }) => id === anchor.current),
        entries.findIndex(({ id }) => id === entry.id),
      ]
      const stretch = entries.slice(Math.min(from, to), Math.max(from, to) + 1)
      change(range && from >= 0 ? stretch : [entry], !files.has(entry.id))
      anchor.current = entry.id
    },
    togglePage: change,
    clear: () => set(new Map()),
    drop: (ids) => set(new Map([...files].filter(([id]) => !ids.includes(id)))),
  }
}
