/** Returns a function with a stable identity that calls the latest version. */
import { useCallback, useLayoutEffect, useRef } from 'react'

// For props of many rows: rows render again when their props change, not whenever the page renders.
export function useStable<Args extends unknown[]>(latest: (...args: Args) => void): (...args: Args) => void {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  return useCallback((...args: Args) => current.current(...args), [])
}
