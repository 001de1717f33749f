/** Whether an element has a width: the menu beside the page may be folded, so the window alone does not tell. */
import { type RefCallback, useCallback, useState } from 'react'

/**
 * Follows the width of an element.
 *
 * @param width Pixels.
 * @returns A callback for the `ref` of the element, and whether it is at least that wide; before it is drawn, whether the
 *   window is.
 */
export function useHasWidth(width: number): [RefCallback<HTMLElement>, boolean] {
  const [isWide, setWide] = useState(() => window.matchMedia(`(min-width: ${width}px)`).matches)
  const follow = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (!element) return undefined
      const measure = () => {
        // Without a layout (tests) nothing has a width.
        if (element.clientWidth > 0) setWide(element.clientWidth >= width)
      }
      measure()
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [width],
  )
  return [follow, isWide]
}
