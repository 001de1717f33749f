/**
 * The selected pictures of the library: single ones, a range, or a page. The selection survives a change of
 * page.
 */
import type { Entry } from '@dala/model'
import { useRef, useState } from 'react'

export interface FileSelection {
  /** Selected picture files by id, as they were at their selection. */
  files: ReadonlyMap<number, Entry>
  /** Selects a picture or clears its selection; with `range`, selects all from the last selected one. */
  toggleEntry: (entries: readonly Entry[], entry: Entry, range: boolean) => void
  togglePage: (entries: readonly Entry[], isSelected: boolean) => void
  clear: () => void
  /** Removes picture files that no longer exist from the selection. */
  remove: (ids: readonly number[]) => void
}

/** Selection of picture files; another `scope` clears the selection. */
export function useFileSelection(scope: string): FileSelection {
  const [state, setState] = useState<{ scope: string; files: ReadonlyMap<number, Entry> }>({ scope, files: new Map() })
  const anchor = useRef<number | null>(null)
  const files: ReadonlyMap<number, Entry> = state.scope === scope ? state.files : new Map()
  const setFiles = (newFiles: ReadonlyMap<number, Entry>) => setState({ scope, files: newFiles })
  const setSelected = (entries: readonly Entry[], isSelected: boolean) => {
    const newFiles = new Map(files)
    for (const entry of entries) {
      if (isSelected) newFiles.set(entry.id, entry)
      else newFiles.delete(entry.id)
    }
    setFiles(newFiles)
  }
  return {
    files,
    toggleEntry: (entries, entry, range) => {
      const [anchorIndex, entryIndex] = [
        entries.findIndex(({ id }) => id === anchor.current),
        entries.findIndex(({ id }) => id === entry.id),
      ]
      const entriesInRange = entries.slice(Math.min(anchorIndex, entryIndex), Math.max(anchorIndex, entryIndex) + 1)
      setSelected(range && anchorIndex >= 0 ? entriesInRange : [entry], !files.has(entry.id))
      anchor.current = entry.id
    },
    togglePage: setSelected,
    clear: () => setFiles(new Map()),
    remove: (ids) => setFiles(new Map([...files].filter(([id]) => !ids.includes(id)))),
  }
}
