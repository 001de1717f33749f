/** Whether the help panel is open and the tour is running; opened from many places, drawn in one. */
import { useSyncExternalStore } from 'react'

interface HelpState {
  /** Whether the help panel is open; it stays open while the user goes to another page. */
  open: boolean
  /** Counts the requests to show the help: an open panel takes the focus at each request. */
  openCount: number
  tour: boolean
}

let state: HelpState = { open: false, openCount: 0, tour: false }
const listeners = new Set<() => void>()

function change(changes: Partial<HelpState>): void {
  state = { ...state, ...changes }
  for (const listener of listeners) listener()
}

/** Opens the help of the page; an open help panel takes the focus. */
export const openHelp = (): void => change({ open: true, openCount: state.openCount + 1 })
export const closeHelp = (): void => change({ open: false })
/** Starts the tour, which closes the help. */
export const startTour = (): void => change({ open: false, tour: true })
export const endTour = (): void => change({ tour: false })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHelpState = (): HelpState => useSyncExternalStore(subscribe, () => state)
