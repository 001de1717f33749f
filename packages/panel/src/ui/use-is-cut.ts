/** Whether an element shows its whole text, or cuts it after its last line. */
import { type RefCallback, useCallback, useState } from 'react'

/**
 * Watches an element whose lines are clamped.
 *
 * @returns The ref of the element, and whether its text is cut now.
 */
export function useIsCut(): [RefCallback<HTMLElement>, boolean] {
  const [isCut, setCut] = useState(false)
  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, isCut]
}
