/**
 * Tracks the rows of a list, so that content portalled into them renders again when they change.
 */
import { useCallback, useSyncExternalStore } from 'react'

const findRowElements = (root: Element) => [...root.querySelectorAll<HTMLElement>('[data-row]')]

export function useRowElements(root: HTMLElement): void {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new MutationObserver(listener)
      observer.observe(root, { childList: true, subtree: true })
      return () => observer.disconnect()
    },
    [root],
  )
  useSyncExternalStore(subscribe, () =>
    findRowElements(root)
      .map(({ dataset }) => dataset['row'])
      .join(),
  )
}
