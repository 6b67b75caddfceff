import { isMapped, parseHost } from './address.ts'
import { type Cidr, isWithin, parseCidrs } from './cidr.ts'

/**
 * Whether an outgoing connection may be opened to the literal, which may be the host of a URL. It has to be public, or inside one
 * of the operator's blocks. An IPv4-mapped address is never allowed: it would reach the IPv4 address and evade every IPv4 rule.
 */
export function isAllowedAddress(text: string, allowed: readonly Cidr[]): boolean {
  if (isInNetworks(text, allowed)) return true
  const address = parseHost(text)
  if (address === null || isMapped(address)) return false
  return address.family === 4
    ? !isWithin(address, specialIpv4)
    : isWithin(address, globalUnicastIpv6) && !isWithin(address, specialIpv6)
}

/** Whether the literal, which may be the host of a URL, is inside one of the blocks. An IPv4-mapped address never is. */
export function isInNetworks(text: string, networks: readonly Cidr[]): boolean {
  const address = parseHost(text)
  return address !== null && !isMapped(address) && isWithin(address, networks)
}

/** The IANA special-purpose registry, multicast and reserved space, and the one cloud host address that looks public. */
const specialIpv4 = parseCidrs('special IPv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '100.100.100.200/32', // a cloud's metadata server
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent, outside every registry
  '169.254.0.0/16', // link-local, metadata servers
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
])

/** The only IPv6 space that is assigned for public use; the rest is rejected. */
const globalUnicastIpv6 = parseCidrs('global unicast', ['2000::/3'])

const specialIpv6 = parseCidrs('special IPv6', [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address inside
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])
