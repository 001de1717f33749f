/** The layout of a list: its columns and their widths, its density, its display mode. */
import { useState } from 'react'
import { isObject } from '../../lib/is-object.ts'
import { densities, displayModes, type Preferences } from '../../lib/preferences.ts'
import { listKey, readStorage, writeStorage } from '../../lib/storage-keys.ts'

export interface ListLayout {
  /** Columns of the list after the name, in order; those of the declaration when absent. */
  columns?: readonly string[] | undefined
  /** Widths of the list's columns in pixels, by column. */
  widths?: Readonly<Record<string, number>> | undefined
  /** Row height of the view; a list without a saved view has the height that the user chose for all lists. */
  density?: Preferences['density'] | undefined
  mode?: Preferences['displayMode'] | undefined
}

/** Reads a stored layout of a list; invalid parts are dropped. */
export function layoutOf(value: unknown): ListLayout {
  const { columns, widths, density, mode } = isObject(value) ? value : {}
  const names: unknown[] | undefined = Array.isArray(columns) ? columns : undefined
  const sizes = isObject(widths) ? Object.entries(widths) : []
  return {
    columns: names?.filter((name) => typeof name === 'string'),
    widths:
      sizes.length > 0
        ? Object.fromEntries(sizes.filter((pair): pair is [string, number] => typeof pair[1] === 'number'))
        : undefined,
    density: densities.find((listedDensity) => listedDensity === density),
    mode: displayModes.find((listedMode) => listedMode === mode),
  }
}

/** Layouts of a list by the id of a saved view; the empty key is the list without a view. */
export type StoredLayouts = Readonly<Record<string, ListLayout | undefined>>

/** Stored data of a screen's list: layouts, and the view that opens by default. */
interface StoredList {
  layouts: StoredLayouts
  /** Id of the saved view that opens by default. */
  standard: boolean
}

function readStoredList(path: string): StoredList {
  try {
    const storedLayout: unknown = JSON.parse(readStorage(listKey(path)) ?? '{}')
    const { layouts, standard } = isObject(storedLayout) ? storedLayout : {}
    const layoutEntries = Object.entries(isObject(layouts) ? layouts : {})
    return {
      layouts: Object.fromEntries(layoutEntries.map(([id, layout]) => [id, layoutOf(layout)])),
      standard: standard === true,
    }
  } catch {
    return { layouts: {}, standard: false }
  }
}

/** Returns the stored data of a screen's list, and a function that changes the data. */
export function useStoredLayouts(path: string): [StoredList, (listChange: Partial<StoredList>) => void] {
  const [storedList, setStored] = useState(() => readStoredList(path))
  return [
    storedList,
    (listChange) => {
      // The layout of the list is read from the storage, not from the state: a second change may follow
      // before the next render.
      const changedList = { ...readStoredList(path), ...listChange }
      writeStorage(listKey(path), JSON.stringify(changedList))
      setStored(changedList)
    },
  ]
}
