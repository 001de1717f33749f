/** What an open page tells the shell: the name of its record, and the screen that it belongs to. */
import { useEffect, useSyncExternalStore } from 'react'

interface Told {
  name: string | undefined
  /** The path of a screen; undefined where the address of the page says it. */
  screen: string | undefined
}

const nothing: Told = { name: undefined, screen: undefined }
let told = nothing
const listeners = new Set<() => void>()

function publish(next: Told): void {
  told = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function useTell(name: string | undefined, screen: string | undefined): void {
  useEffect(() => {
    publish({ name, screen })
    return () => publish(nothing)
  }, [name, screen])
}

/** Names the last breadcrumb while the screen is open; undefined until the record has arrived. */
export function useNameRecord(name: string | undefined): void {
  useTell(name, undefined)
}

/** Puts a page below a screen in the menu and the breadcrumbs, where the address alone does not say which. */
export function useBelongTo(screen: string | undefined): void {
  useTell(undefined, screen)
}

/** What the breadcrumbs show for the record. */
export function useRecordName(): string | undefined {
  return useSyncExternalStore(subscribe, () => told.name)
}

/** The screen that the page says it belongs to. */
export function useOwnerScreen(): string | undefined {
  return useSyncExternalStore(subscribe, () => told.screen)
}
