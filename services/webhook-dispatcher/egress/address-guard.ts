import { parseHost } from '#shared/net/address.ts'
import type { Cidr } from '#shared/net/cidr.ts'
import { isAllowedAddress } from '#shared/net/public-address.ts'
import { EgressError } from './egress-error.ts'
import type { Resolve } from './resolver.ts'

export type AddressGuard = {
  /** The operator's own networks, allowed in addition to the public internet. */
  readonly allowed: readonly Cidr[]
  /**
   * The addresses of a url's host, resolved for every connection, so that a name that was public when it was checked
   * cannot lead elsewhere when it is used (DNS rebinding). Address literals are checked too, without a resolver. One
   * address that is not allowed blocks the host, however many others there are.
   * Throws EgressError `dns` or `blocked-address`.
   */
  addresses(host: string, signal: AbortSignal): Promise<string[]>
}

export function createAddressGuard({ allowed, resolve }: { allowed: readonly Cidr[]; resolve: Resolve }): AddressGuard {
  const isAllowed = (address: string) => isAllowedAddress(address, allowed)
  return {
    allowed,
    async addresses(host, signal) {
      if (parseHost(host) !== null) return vetted([host.replace(/^\[|\]$/g, '')], isAllowed)
      // Localhost is never resolved by DNS (RFC 6761, 6.3) and cannot be rebound: its allowed addresses are used.
      if (/(^|\.)localhost$/.test(host)) return vetted(loopback.filter(isAllowed), isAllowed)
      const addresses = await resolve(host, signal)
      if (addresses.length === 0) throw new EgressError('dns', 'the name has no address')
      return vetted(addresses, isAllowed)
    },
  }
}

function vetted(addresses: string[], isAllowed: (address: string) => boolean): string[] {
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses
  throw new EgressError('blocked-address', 'the host leads to an address that is not public')
}

const loopback = ['127.0.0.1', '::1']
