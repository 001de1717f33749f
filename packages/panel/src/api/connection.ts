/** Whether the page's socket is open. While it is, nothing needs to poll for changes. */
import { useSyncExternalStore } from 'react'

let isSocketOpen = false
/** The id of the open socket, by which the server knows the page that makes a change. */
let socketId: string | undefined
const listeners = new Set<(hasConnection: boolean) => void>()

export function setConnected(isSocketConnected: boolean, id?: string): void {
  socketId = isSocketConnected ? id : undefined
  if (isSocketOpen === isSocketConnected) return
  isSocketOpen = isSocketConnected
  for (const listener of listeners) listener(isSocketConnected)
}

/** The header that stops the server from sending a change back to the page that made it. */
export const ownChange = (): Readonly<Record<string, string>> =>
  socketId === undefined ? {} : { 'X-Socket-Id': socketId }

export const isConnected = (): boolean => isSocketOpen

/**
 * Subscribes to the opening and closing of the socket.
 *
 * @returns A function that unsubscribes.
 */
export function onConnection(listener: (hasConnection: boolean) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useConnected = (): boolean => useSyncExternalStore(onConnection, isConnected)
