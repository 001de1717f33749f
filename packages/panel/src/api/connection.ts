/** Whether the socket of the page is open: with it nobody need ask what has changed. */
import { useSyncExternalStore } from 'react'

let connected = false
const listeners = new Set<(connected: boolean) => void>()

export function setConnected(next: boolean): void {
  if (connected === next) return
  connected = next
  for (const listener of listeners) listener(next)
}

export const isConnected = (): boolean => connected

/** Hears when the socket opens and closes. Out: a function that ends it. */
export function onConnection(listener: (connected: boolean) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useConnected = (): boolean => useSyncExternalStore(onConnection, isConnected)
