/** The same function for as long as a component stands, which does what the latest one does. */
import { useCallback, useLayoutEffect, useRef } from 'react'

// For what is handed to many rows: they are drawn anew when they change, not when the page around them is drawn.
export function useStable<Args extends unknown[]>(latest: (...args: Args) => void): (...args: Args) => void {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  return useCallback((...args: Args) => current.current(...args), [])
}
