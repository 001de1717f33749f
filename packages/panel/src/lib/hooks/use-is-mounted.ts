/** Whether the component is still mounted, for answers that arrive after the user has moved on. */
import { useCallback, useEffect, useRef } from 'react'

export function useIsMounted(): () => boolean {
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  return useCallback(() => isThere.current, [])
}
