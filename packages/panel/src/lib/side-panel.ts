/** Whether a page shows a panel at its side, which takes the place of the section's pages in the menu. */
import { useEffect, useSyncExternalStore } from 'react'

let openPanels = 0
const listeners = new Set<() => void>()

function changeBy(step: 1 | -1): void {
  openPanels += step
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Marks a side panel as open for as long as the component that calls this is mounted. */
export function useAsSidePanel(): void {
  useEffect(() => {
    changeBy(1)
    return () => changeBy(-1)
  }, [])
}

export const useHasSidePanel = (): boolean => useSyncExternalStore(subscribe, () => openPanels > 0)
