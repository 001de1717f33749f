/** The name of the record on screen: a detail screen tells it, the breadcrumbs show it. */
import { useEffect, useSyncExternalStore } from 'react'

let shown: string | undefined
const listeners = new Set<() => void>()

function publish(name: string | undefined): void {
  shown = name
  for (const listener of listeners) listener()
}

/** Names the last breadcrumb while the screen is open; undefined until the record has arrived. */
export function useNameRecord(name: string | undefined): void {
  useEffect(() => {
    publish(name)
    return () => publish(undefined)
  }, [name])
}

/** What the breadcrumbs show for the record. */
export function useRecordName(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}
