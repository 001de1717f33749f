/** Whether what asked is still drawn, for answers that come when the reader has gone on. */
import { useCallback, useEffect, useRef } from 'react'

export function useIsThere(): () => boolean {
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  return useCallback(() => isThere.current, [])
}
