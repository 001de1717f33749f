/** Returns whether an element truncates its text after its last line. */
import { type RefCallback, useCallback, useState } from 'react'

/**
 * Watches an element with clamped lines.
 *
 * @returns The ref of the element, and whether its text is truncated now.
 */
export function useIsCut(): [RefCallback<HTMLElement>, boolean] {
  const [isCut, setCut] = useState(false)
  const observeElement = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [observeElement, isCut]
}
