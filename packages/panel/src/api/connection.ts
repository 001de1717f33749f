/** Whether the socket of the page is open: with it nobody need ask what has changed. */
import { useSyncExternalStore } from 'react'

let connected = false
/** The id of the open socket, by which the server knows the page that changes something. */
let socketId: string | undefined
const listeners = new Set<(connected: boolean) => void>()

export function setConnected(next: boolean, id?: string): void {
  socketId = next ? id : undefined
  if (connected === next) return
  connected = next
  for (const listener of listeners) listener(next)
}

/** The header by which the server does not send a change back to the page that made it. */
export const ownChange = (): Readonly<Record<string, string>> =>
  socketId === undefined ? {} : { 'X-Socket-Id': socketId }

export const isConnected = (): boolean => connected

/** Hears when the socket opens and closes. Out: a function that ends it. */
export function onConnection(listener: (connected: boolean) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useConnected = (): boolean => useSyncExternalStore(onConnection, isConnected)
