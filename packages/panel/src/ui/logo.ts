/** The picture of the organisation, which the server names in the page. */
import { useSyncExternalStore } from 'react'

let current = document.documentElement.dataset['logo'] ?? null
const listeners = new Set<() => void>()

/**
 * Sets the picture that is shown until the next load of the page.
 *
 * @param address - The address of the picture; null for the mark of the product.
 */
export function setLogo(address: string | null): void {
  current = address
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The address of the picture of the organisation; null without one. */
export const useLogo = (): string | null => useSyncExternalStore(subscribe, () => current)
