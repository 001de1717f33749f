/** Follows whether a media query matches. */
import { useCallback, useSyncExternalStore } from 'react'

/** Media queries of the two breakpoints of the layout (requirements §9), and of one between them. */
export const phoneQuery = '(max-width: 767px)'
/**
 * Media query of a narrow window: the side column of a form moves under the form, and tables show fewer
 * columns.
 */
export const narrowQuery = '(max-width: 1099px)'
export const wideQuery = '(min-width: 1440px)'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
