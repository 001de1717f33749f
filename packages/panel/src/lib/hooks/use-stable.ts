/** Returns a function with a stable identity that calls the latest version. */
import { useCallback, useLayoutEffect, useRef } from 'react'

// Returns a stable function that calls the latest version, so that rows render only when their props change.
export function useStable<Args extends unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
  const callbackRef = useRef(callback)
  useLayoutEffect(() => {
    callbackRef.current = callback
  })
  return useCallback((...args: Args) => callbackRef.current(...args), [])
}
