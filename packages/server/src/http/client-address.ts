/** Whose connection it is: the address of a client, behind proxies too, and how much one client has open. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** The address's key; IPv6 by network, because one house has endlessly many addresses. */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return `address:${address.replace('::ffff:', '')}`
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail ?? '').split(':')]
  return `address:${all.slice(0, 4).join(':')}::/64`
}

export interface Clients {
  /** Whether a connection comes from a listed proxy, which brings many clients. */
  isProxy(remoteAddress: string | undefined): boolean
  /** The key of the client that a request comes from; what is forwarded counts only from listed proxies. */
  keyOf(request: IncomingMessage): string
}

/**
 * Tells clients apart.
 *
 * @param trustedProxies Addresses and ranges of the proxies in front of this server.
 * @returns How connections and requests are told apart.
 */
export function clientsBehind(trustedProxies: readonly string[]): Clients {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return {
    isProxy: (address) => address !== undefined && isTrusted(address, 0),
    keyOf: (request) => addressKey(proxyAddress(request, isTrusted)),
  }
}

/** Counts what each client has open, up to a limit. */
export class OpenCounts {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the client may open one more. */
  hasRoom(key: string): boolean {
    return (this.#open.get(key) ?? 0) < this.#most
  }

  /**
   * Counts one more.
   *
   * @param key The client.
   * @returns A function that takes it off again, once.
   */
  add(key: string): () => void {
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = (this.#open.get(key) ?? 1) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }
}
