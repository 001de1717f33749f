/** The control that a step of the tour points at, and its position in the window. */
import { useEffect, useState } from 'react'

export interface AnchorRect {
  top: number
  left: number
  width: number
  height: number
}

const isVisibleElement = (element: Element) => element.checkVisibility?.() ?? true

function findAnchor(names: readonly string[]): HTMLElement | undefined {
  const candidates = names.flatMap((name) => [...document.querySelectorAll<HTMLElement>(`[data-tour~="${name}"]`)])
  return candidates.find(isVisibleElement)
}

/**
 * Finds a control that the tour points at and follows it, because pages change and their contents move it.
 *
 * @param names - Values of `data-tour`; the first visible one counts.
 * @returns The control; undefined while it is not on the page.
 */
export function useAnchor(names: readonly string[]): HTMLElement | undefined {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const key = names.join(' ')
  useEffect(() => {
    const updateAnchor = () => setAnchor(findAnchor(key.split(' ')))
    updateAnchor()
    const observer = new MutationObserver(updateAnchor)
    observer.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', updateAnchor)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', updateAnchor)
    }
  }, [key])
  useEffect(() => {
    anchor?.scrollIntoView?.({ block: 'nearest' })
  }, [anchor])
  return anchor
}

const placeOf = (element: Element): AnchorRect => {
  const { top, left, width, height } = element.getBoundingClientRect()
  return { top, left, width, height }
}

/** Position of an element in the window, updated while the page scrolls or resizes. */
export function useAnchorRect(element: HTMLElement | undefined): AnchorRect | undefined {
  const [measurement, setMeasured] = useState<{ element: HTMLElement; rect: AnchorRect }>()
  useEffect(() => {
    if (!element) return
    const measure = () => setMeasured({ element, rect: placeOf(element) })
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    sizes.observe(document.body)
    const options = { capture: true, passive: true }
    window.addEventListener('scroll', measure, options)
    window.addEventListener('resize', measure)
    return () => {
      sizes.disconnect()
      window.removeEventListener('scroll', measure, options)
      window.removeEventListener('resize', measure)
    }
  }, [element])
  return measurement && measurement.element === element ? measurement.rect : undefined
}
