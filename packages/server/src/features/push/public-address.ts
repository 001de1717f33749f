/**
 * Limits connections to public addresses: the address of a push service comes from a browser, and must not
 * lead into the network of the server.
 */
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Ranges that are private, local or reserved (IANA registries of special-purpose addresses). */
const specialRanges = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  specialRanges.addSubnet(network, prefix)
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  specialRanges.addSubnet(network, prefix, 'ipv6')

/** Addresses of IPv6 that are in use; all others are local, reserved or lead to one of IPv4. */
const publicRanges = new BlockList()
publicRanges.addSubnet('2000::', 3, 'ipv6')

/** Tells whether an address of a machine is public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialRanges.check(address)
  return isIP(address) === 6 && publicRanges.check(address, 'ipv6') && !specialRanges.check(address, 'ipv6')
}

/** Resolves the name of a host, as `lookup` of node does with all addresses. */
export type ResolveAddress = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Makes the look-up of a connection: it fails when one address of the host is not public. The connection goes
 * to the addresses that were checked, so that no second answer of the name service can replace them.
 *
 * @param resolve - Resolves names.
 */
export function publicLookup(resolve: ResolveAddress = lookup) {
  return (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [firstAddress] = addresses ?? []
      if (error) done(error, '')
      else if (!firstAddress || !addresses.every(({ address }) => isPublicAddress(address)))
        done(new Error('The push service has no public address'), '')
      else if (options.all === true) done(null, addresses)
      else done(null, firstAddress.address, firstAddress.family)
    })
}
