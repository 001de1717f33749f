/** Whether the help panel is open and the tour is under way: asked for in many places, drawn in one. */
import { useSyncExternalStore } from 'react'

interface HelpState {
  /** The panel stays open while its user goes from page to page. */
  open: boolean
  /** Counts the requests to show the help: an open panel takes the focus at each of them. */
  asked: number
  tour: boolean
}

let state: HelpState = { open: false, asked: 0, tour: false }
const listeners = new Set<() => void>()

function change(next: Partial<HelpState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

/** Opens the help of the page; an open panel takes the focus. */
export const openHelp = (): void => change({ open: true, asked: state.asked + 1 })
export const closeHelp = (): void => change({ open: false })
/** Starts the tour; the help gives way to it. */
export const startTour = (): void => change({ open: false, tour: true })
export const endTour = (): void => change({ tour: false })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHelpState = (): HelpState => useSyncExternalStore(subscribe, () => state)
