/** The name of an open record and the screen that it belongs to, as the page reports them to the shell. */
import { useEffect, useSyncExternalStore } from 'react'

interface CurrentRecordName {
  name: string | undefined
  /** Path of the screen that the page belongs to; undefined where the address of the page determines it. */
  screen: string | undefined
}

const noRecord: CurrentRecordName = { name: undefined, screen: undefined }
let currentName = noRecord
const listeners = new Set<() => void>()

function publishName(newName: CurrentRecordName): void {
  currentName = newName
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function usePublishedRecord(name: string | undefined, screen: string | undefined): void {
  useEffect(() => {
    publishName({ name, screen })
    return () => publishName(noRecord)
  }, [name, screen])
}

/** Sets the last breadcrumb while the screen is open; undefined until the record is loaded. */
export function useNameRecord(name: string | undefined): void {
  usePublishedRecord(name, undefined)
}

/**
 * Assigns the page to a screen in the menu and the breadcrumbs, where the address alone does not determine
 * it.
 */
export function useOwnerOfPage(screen: string | undefined): void {
  usePublishedRecord(undefined, screen)
}

/** Breadcrumb with the name of the open record. */
export function useRecordName(): string | undefined {
  return useSyncExternalStore(subscribe, () => currentName.name)
}

/** Path of the screen that the page has assigned itself to. */
export function useOwnerScreen(): string | undefined {
  return useSyncExternalStore(subscribe, () => currentName.screen)
}
