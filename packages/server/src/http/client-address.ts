/** Identifies the client of a connection: its address, also behind proxies, and how much it has open. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/**
 * Returns the key of a client's address; IPv6 by network, because one household has any number of addresses.
 */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return `address:${address.replace('::ffff:', '')}`
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missingGroups =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const allGroups = [
    ...groups,
    ...Array.from({ length: Math.max(0, missingGroups) }, () => '0'),
    ...(tail ?? '').split(':'),
  ]
  return `address:${allGroups.slice(0, 4).join(':')}::/64`
}

export interface Clients {
  /** Whether a connection comes from a listed proxy, which brings many clients. */
  isProxy(remoteAddress: string | undefined): boolean
  /** Returns the key of a request's client; forwarded addresses count only from listed proxies. */
  keyOf(request: IncomingMessage): string
}

/**
 * Makes the functions that identify the client of a connection or request.
 *
 * @param trustedProxies - Addresses and ranges of the proxies in front of this server.
 * @returns Functions that identify the client of a connection or request.
 */
export function trackClients(trustedProxies: readonly string[]): Clients {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return {
    isProxy: (address) => address !== undefined && isTrusted(address, 0),
    keyOf: (request) => addressKey(proxyAddress(request, isTrusted)),
  }
}

/** Counts the open connections or requests of each client, up to a limit. */
export class OpenCounts {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(maxClients: number) {
    this.#most = maxClients
  }

  /** Tells whether the client may open one more connection or request. */
  hasCapacity(key: string): boolean {
    return (this.#open.get(key) ?? 0) < this.#most
  }

  /**
   * Counts one more connection or request of a client.
   *
   * @param key - The client.
   * @returns A function that uncounts it, once.
   */
  add(key: string): () => void {
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const leftCount = (this.#open.get(key) ?? 1) - 1
      if (leftCount > 0) this.#open.set(key, leftCount)
      else this.#open.delete(key)
    }
  }
}
