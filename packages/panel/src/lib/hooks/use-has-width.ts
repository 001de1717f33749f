/**
 * Whether an element is wide enough. The width of the window is not sufficient, because the menu beside the
 * page may be collapsed.
 */
import { type RefCallback, useCallback, useState } from 'react'

/**
 * Watches the width of an element.
 *
 * @param width - In pixels.
 * @returns A callback for the `ref` of the element, and whether it is at least that wide; before it is drawn,
 *   whether the window is.
 */
export function useHasWidth(width: number): [RefCallback<HTMLElement>, boolean] {
  const [isWide, setWide] = useState(() => window.matchMedia(`(min-width: ${width}px)`).matches)
  const observeElement = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (!element) return undefined
      const measure = () => {
        // Elements have no width without layout (tests).
        if (element.clientWidth > 0) setWide(element.clientWidth >= width)
      }
      measure()
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [width],
  )
  return [observeElement, isWide]
}
