/**
 * IP addresses, and whether an outgoing connection may be made to one: is it on the public internet?
 * Works on number ranges, so that text that is not an address is always rejected.
 */

export type Address = { family: 4 | 6; value: bigint }

/** A block of addresses, both ends included. */
export type Cidr = { family: 4 | 6; first: bigint; last: bigint }

/** Parses an IPv4 or IPv6 literal, also in the brackets of a url's host. Zone ids and unusual spellings give null. */
export function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const value4 = bare === text ? parseIpv4(bare) : null
  if (value4 !== null) return { family: 4, value: value4 }
  const value6 = parseIpv6(bare)
  return value6 === null ? null : { family: 6, value: value6 }
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a bare address (a block of one). Bits after the prefix are ignored.
 * Null for anything else, and for blocks of IPv4-mapped addresses, which are never allowed.
 */
export function parseCidr(text: string): Cidr | null {
  const block = parseBlock(text)
  if (block === null) return null
  return contains(mappedAddresses, { family: block.family, value: block.first }) ? null : block
}

/** Whether the literal is an address of the public internet. Text that is not an address: false. */
export function isPublicAddress(text: string): boolean {
  return isAllowedAddress(text, [])
}

/** Whether we may connect to the literal: public, or inside one of the operator's blocks; never a mapped one. */
export function isAllowedAddress(text: string, allowed: readonly Cidr[]): boolean {
  const address = parseAddress(text)
  if (address === null || contains(mappedAddresses, address)) return false
  if (allowed.some((block) => contains(block, address))) return true
  return address.family === 4 ? isPublicIpv4(address) : isPublicIpv6(address)
}

function isPublicIpv4(address: Address): boolean {
  return !specialIpv4.some((block) => contains(block, address))
}

function isPublicIpv6(address: Address): boolean {
  return contains(globalUnicastIpv6, address) && !specialIpv6.some((block) => contains(block, address))
}

function contains(block: Cidr, { family, value }: Address): boolean {
  return block.family === family && value >= block.first && value <= block.last
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(isOctet)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function isOctet(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = parseGroups(halves[0] ?? '', { mayEndInIpv4: halves.length === 1 })
  const tail = parseGroups(halves[1] ?? '', { mayEndInIpv4: true })
  if (head === null || tail === null) return null
  const omitted = 8 - head.length - tail.length
  if (halves.length === 2 ? omitted < 1 : omitted !== 0) return null
  const groups = [...head, ...new Array<bigint>(omitted).fill(0n), ...tail]
  return groups.reduce((value, group) => value * 65_536n + group, 0n)
}

/** The 16-bit groups of one side of `::`; a dotted IPv4 tail is two groups. */
function parseGroups(text: string, { mayEndInIpv4 }: { mayEndInIpv4: boolean }): bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [position, part] of parts.entries()) {
    const embedded = mayEndInIpv4 && position === parts.length - 1 && part.includes('.') ? parseIpv4(part) : null
    if (embedded !== null) groups.push(embedded / 65_536n, embedded % 65_536n)
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}

function parseBlock(text: string): Cidr | null {
  const [head = '', prefix, ...rest] = text.split('/')
  const address = head.startsWith('[') ? null : parseAddress(head)
  if (address === null || rest.length > 0) return null
  const bits = address.family === 4 ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return null
  const size = 1n << BigInt(bits - length)
  const first = address.value - (address.value % size)
  return { family: address.family, first, last: first + size - 1n }
}

/** A block of this file: a typing error must not drop it silently. */
function knownBlock(text: string): Cidr {
  const block = parseBlock(text)
  if (block === null) throw new TypeError(`not an address block: ${text}`)
  return block
}

/** `::ffff:a.b.c.d` would reach the IPv4 address and evade every IPv4 rule. */
const mappedAddresses = knownBlock('::ffff:0:0/96')

/** The IANA special-purpose registry, multicast and reserved space, and the one cloud host address that looks public. */
const specialIpv4 = [
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
].map(knownBlock)

/** The only IPv6 space that is assigned for public use; the rest is rejected. */
const globalUnicastIpv6 = knownBlock('2000::/3')

const specialIpv6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address inside
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(knownBlock)
