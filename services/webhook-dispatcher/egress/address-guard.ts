import type { UrlRules } from '#shared/domain/webhook/url.ts'
import { parseHost } from '#shared/net/address.ts'
import { isAllowedAddress, isInNetworks } from '#shared/net/public-address.ts'
import { EgressError } from './egress-error.ts'
import type { Resolve } from './resolver.ts'

export type AddressGuard = {
  readonly rules: UrlRules
  /**
   * The addresses of a URL's host, resolved for every connection, so that a name that was public when it was checked
   * cannot lead elsewhere when it is used (DNS rebinding). Address literals are checked too, without a resolver. One
   * address that is not allowed blocks the host, however many others there are.
   * Throws EgressError `dns` or `blocked-address`, or `not-https` for plain http to an address outside of the operator's networks.
   */
  addresses(url: Destination, signal: AbortSignal): Promise<string[]>
}

type Destination = Pick<URL, 'hostname' | 'protocol'>

export function createAddressGuard({ rules, resolve }: { rules: UrlRules; resolve: Resolve }): AddressGuard {
  const isAllowed = (address: string) => isAllowedAddress(address, rules.allowed)
  const isOwn = (address: string) => isInNetworks(address, rules.allowed)

  async function find({ hostname: host }: Destination, signal: AbortSignal): Promise<string[]> {
    if (parseHost(host) !== null) return [host.replace(/^\[|\]$/g, '')]
    // Localhost is never resolved by DNS (RFC 6761, 6.3) and cannot be rebound: its allowed addresses are used.
    if (/(^|\.)localhost$/.test(host)) return loopback.filter(isAllowed)
    const addresses = await resolve(host, signal)
    if (addresses.length === 0) throw new EgressError('dns', 'the name has no address')
    return addresses
  }

  return {
    rules,
    async addresses(url, signal) {
      const addresses = await find(url, signal)
      if (addresses.length === 0 || !addresses.every(isAllowed)) {
        throw new EgressError('blocked-address', 'the host resolves to an address that is not public')
      }
      if (url.protocol === 'http:' && !addresses.every(isOwn)) {
        throw new EgressError('not-https', 'the host resolves to an address outside the networks that allow plain http')
      }
      return addresses
    },
  }
}

const loopback = ['127.0.0.1', '::1']
